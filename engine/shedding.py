"""What Phyliss and Cathedral share, the games in which one gets rid of all cards.

Here are the values of a position, their JSON, and what is the same for both in the course of a
game. What a move does to the table is each game's own business.

Piles are bottom to top, the top is the last element. Cards that a person must not see are left out
of `repr`, so that no traceback or log line shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.api import Fact, JsonObject, JsonValue, Note, Seat, Setup, Shuffle, Step
from engine.canonical import canonical_json
from engine.cards import PACK, Card, card
from engine.errors import NotToActError, ReplayError
from engine.plays import Cards
from engine.ranking import Groups
from engine.sentences import sentence
from engine.shuffle import shuffle
from engine.silence import NO_TURNS, Turns, with_turn

new_tuple: Final = tuple.__new__  # makes named fields at half the price of calling their class

SeatT = TypeVar("SeatT")
"""The cards in front of one seat."""
ResultT = TypeVar("ResultT")
"""How a deal ended."""

# --- values ---------------------------------------------------------------------------------------


class Course(NamedTuple, Generic[ResultT]):
    """What hardly any ply changes, apart from the rest so that plies copy less."""

    deal: int
    """Number of the running (or last) deal, from 0; also the number of its shuffle (GEN-2)."""
    dealer: Seat
    dealt_in: tuple[Seat, ...] = ()
    """Seats that play in this deal, ascending: those that had not resigned before it."""
    first_ply: int = 0
    """Plies of the game before this deal."""
    removed: Cards = ()
    """Cards that left the game with a destroyed or cleared pile, in that order."""
    left_seen: Cards = ()
    """Cards of resigned seats that everybody had seen."""
    left_unseen: Cards = ()
    """Cards of resigned seats whose faces stay unknown; not in `repr`."""
    resigned: tuple[Seat, ...] = ()
    """In the order of resigning."""
    results: tuple[ResultT, ...] = ()
    """One per finished deal."""
    reason: str | None = None
    """Why the game is over, None while it runs."""

    def __repr__(self) -> str:
        return repr_without(self, {"left_unseen"})


class State(NamedTuple, Generic[SeatT, ResultT]):
    """One position of a game, complete."""

    setup: Setup
    course: Course[ResultT]
    seats: tuple[SeatT, ...]
    stock: Cards
    """Not in `repr`."""
    pile: Cards
    to_act: Seat | None
    """Whose turn it is; None after the end, and while all choose at once."""
    ply: int
    """Plies of the whole game."""
    turn: int
    """Mark of the running turn so far (see `engine.silence`); 0 = nothing."""
    turns: Turns
    """Per seat the marks of its last two finished turns, the older one first."""

    @property
    def deal_ply(self) -> int:
        """Plies of the running deal."""
        return self.ply - self.course.first_ply

    def __repr__(self) -> str:
        return repr_without(self, {"stock"})


_STATE: Final = State  # found without a look at the names of the module, as constants are


class Draft(Generic[SeatT, ResultT]):
    """A state in the making, inside one call of the rules: the same fields, open until `finish`."""

    __slots__ = ("course", "pile", "ply", "seats", "setup", "stock", "to_act", "turn", "turns")

    def __init__(self, state: State[SeatT, ResultT]) -> None:
        (
            self.setup,
            self.course,
            seats,
            self.stock,
            self.pile,
            self.to_act,
            self.ply,
            self.turn,
            self.turns,
        ) = state
        self.seats = list(seats)

    def finish(
        self, facts: Sequence[Note], shuffles: tuple[Shuffle, ...] = ()
    ) -> Step[State[SeatT, ResultT]]:
        """Return the state that has been made, with what happened."""
        fields = (
            self.setup,
            self.course,
            tuple(self.seats),
            self.stock,
            self.pile,
            self.to_act,
            self.ply,
            self.turn,
            self.turns,
        )
        return Step(new_tuple(_STATE, fields), facts, shuffles)


def repr_without(value: NamedTuple, hidden: Container[str]) -> str:
    """Write a value for `repr`, without the parts that must not be read by chance."""
    pairs = zip(value._fields, value, strict=True)
    shown = ", ".join(f"{name}={field!r}" for name, field in pairs if name not in hidden)
    return f"{type(value).__name__}({shown})"


def undealt(setup: Setup, no_cards: SeatT) -> State[SeatT, Any]:
    """Return the state before the first deal."""
    return State(
        setup=setup,
        course=Course(0, Seat(int_option(setup, "dealer"))),
        seats=(no_cards,) * setup.players,
        stock=(),
        pile=(),
        to_act=None,
        ply=0,
        turn=0,
        turns=(NO_TURNS,) * setup.players,
    )


def int_option(setup: Setup, name: str) -> int:
    """Return the value of an option that is a number."""
    value = setup.options[name]
    assert isinstance(value, int)  # noqa: S101  (check_options has seen to it)
    return value


# --- the course of a game -------------------------------------------------------------------------

_MOST_PLAYERS = 6

CLOCKWISE: Final[Mapping[int, tuple[tuple[Seat, ...], ...]]] = {
    players: tuple(
        tuple(Seat((seat + step) % players) for step in range(1, players + 1))
        for seat in range(players)
    )
    for players in range(2, _MOST_PLAYERS + 1)
}
"""Players -> seat -> all seats from its left neighbour on, itself last."""


def need_seat(table: State[Any, Any], seat: Seat, *, again: bool = False) -> None:
    """Refuse a seat that is not in a running game. Raises: NotToActError."""
    if table.course.reason is not None:
        raise NotToActError(sentence("the game is over"))
    if not 0 <= seat < table.setup.players:
        raise NotToActError(sentence("there is no seat {seat} at this table", seat=seat))
    if seat in table.course.resigned:
        left = sentence("this seat has resigned")
        raise NotToActError(sentence("this seat has already resigned") if again else left)


def begin_deal(
    draft: Draft[SeatT, ResultT], no_cards: SeatT
) -> tuple[Course[ResultT], tuple[Card, ...], list[Card]]:
    """Clear the table for everyone who has not resigned, and shuffle.

    Returns:
        The course of the game, the shuffled pack, and the same as a stock to deal from.

    Rules: GEN-2 (deal k uses shuffle k).
    """
    players = draft.setup.players
    resigned = draft.course.resigned
    course = draft.course._replace(
        dealt_in=tuple(seat for seat in map(Seat, range(players)) if seat not in resigned),
        first_ply=draft.ply,
        removed=(),
        left_seen=(),
        left_unseen=(),
    )
    draft.course = course
    draft.seats = [no_cards] * players
    draft.pile = ()
    draft.turn = 0
    draft.to_act = None
    pack = shuffle(PACK, draft.setup.seed, course.deal)
    return course, pack, list(pack)


def remove_pile(draft: Draft[Any, Any]) -> Cards:
    """Take the pile out of the game; return its cards."""
    pile = draft.pile
    draft.course = draft.course._replace(removed=draft.course.removed + pile)
    draft.pile = ()
    return pile


def end_turn(draft: Draft[Any, Any], seat: Seat) -> int:
    """Move the running turn into the seat's record (GEN-7); return its mark."""
    mark = draft.turn
    older, last = draft.turns[seat]
    if not older == last == mark:
        draft.turns = with_turn(draft.turns, seat, mark)
    draft.turn = 0
    return mark


def end_game(
    draft: Draft[Any, Any],
    facts: list[Note],
    reason: str,
    ranking: Groups,
    scores: JsonValue,
) -> None:
    """Close the game; from here on everything may be turned up (GEN-15)."""
    draft.to_act = None
    draft.turn = 0
    draft.course = draft.course._replace(reason=reason)
    facts.append(
        Fact(
            "game_over",
            None,
            {"reason": reason, "ranking": [list(place) for place in ranking], "scores": scores},
        )
    )


# --- the whole position as JSON -------------------------------------------------------------------


def results_json(state: State[Any, Any]) -> list[JsonValue]:
    """Return the results of the finished deals, field by field."""
    return [
        {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in result._asdict().items()
        }
        for result in state.course.results
    ]


def table_json(
    state: State[Any, Any], to_act: Sequence[Seat], seats: list[JsonValue], **more: JsonValue
) -> JsonObject:
    """Return a position without the setup, with the seats and the game's own fields.

    Digests are made of this, so it is frozen (GEN-1). `deal` counts from 0 here, as the shuffles
    do. `gone` holds the cards removed with a pile, then those of resigned seats: `left_seen` open
    ones and `left_unseen` others. `turn` and `turns` are sums of 1 (held a standby ply), 2 (a
    chosen one), 4 (a forced one).
    """
    course = state.course
    turns: list[JsonValue] = [list(pair) for pair in state.turns]
    return {
        "to_act": list(to_act),
        "ply": state.ply,
        "seats": seats,
        "stock": list(state.stock),
        "pile": list(state.pile),
        "gone": list(course.removed + course.left_seen + course.left_unseen),
        "left_seen": len(course.left_seen),
        "left_unseen": len(course.left_unseen),
        **more,
        "deal": course.deal,
        "deal_ply": state.deal_ply,
        "dealer": course.dealer,
        "dealt_in": list(course.dealt_in),
        "turn": state.turn,
        "turns": turns,
        "resigned": list(course.resigned),
        "results": results_json(state),
        "reason": course.reason,
    }


def cards_from_json(texts: Iterable[str]) -> Cards:
    """Read cards. Raises: ValueError."""
    return tuple(map(card, texts))


def table_from_json(
    setup: Setup,
    data: Mapping[str, Any],
    seats: Iterable[SeatT],
    to_act: Seat | None,
    results: Iterable[ResultT],
) -> State[SeatT, ResultT]:
    """Read `table_json` back. Raises: KeyError, TypeError, ValueError if it is wrong."""
    gone = cards_from_json(data["gone"])
    unseen_from = len(gone) - data["left_unseen"]
    seen_from = unseen_from - data["left_seen"]
    return State(
        setup=setup,
        course=Course(
            deal=data["deal"],
            dealer=Seat(data["dealer"]),
            dealt_in=tuple(map(Seat, data["dealt_in"])),
            first_ply=data["ply"] - data["deal_ply"],
            removed=gone[:seen_from],
            left_seen=gone[seen_from:unseen_from],
            left_unseen=gone[unseen_from:],
            resigned=tuple(map(Seat, data["resigned"])),
            results=tuple(results),
            reason=data["reason"],
        ),
        seats=tuple(seats),
        stock=cards_from_json(data["stock"]),
        pile=cards_from_json(data["pile"]),
        to_act=to_act,
        ply=data["ply"],
        turn=data["turn"],
        turns=tuple((older, last) for older, last in data["turns"]),
    )


def read_back(
    title: str,
    data: Mapping[str, Any],
    read: Callable[[Mapping[str, Any]], State[SeatT, ResultT]],
    write: Callable[[State[SeatT, ResultT]], JsonObject],
    what_is_wrong: Callable[[State[SeatT, ResultT]], str | None],
) -> State[SeatT, ResultT]:
    """Read a state that must give the same JSON again. Raises: ReplayError."""
    try:
        state = read(data)
        problem = what_is_wrong(state)
        # As canonical texts, since 1 and True are equal in Python.
        if problem is None and canonical_json(write(state)) != canonical_json(dict(data)):
            problem = "it does not read back the same"
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ReplayError(f"this is no state of {title}: {error!r}") from error
    if problem is not None:
        raise ReplayError(f"this is no state of {title}: {problem}")
    return state


def what_is_wrong(
    state: State[Any, Any], waited_for: Sequence[Seat], cards: Iterable[str]
) -> str | None:
    """Say what cannot be in a position of any game of this kind, None if nothing is.

    Args:
        state: as read.
        waited_for: the seats that are to act.
        cards: every card of the position.
    """
    course = state.course
    players = state.setup.players
    named = [*course.dealt_in, *course.resigned, course.dealer, *waited_for]
    turns = chain.from_iterable(state.turns)
    numbers = [course.deal, state.deal_ply, state.ply, state.turn, *turns]
    if not all(type(number) is int and number >= 0 for number in numbers):
        return "a count that is not a whole number"
    if len(state.seats) != players or len(state.turns) != players:
        return f"not {players} seats"
    if not all(type(seat) is int and 0 <= seat < players for seat in named):
        return "a seat that is not at the table"
    if bool(waited_for) != (course.reason is None):
        return "over and not over"
    if sorted(cards) != sorted(PACK):
        return "not the 52 cards of one pack"
    return None


def table_cards(state: State[Any, Any]) -> list[Card]:
    """Return every card of the position that is not in front of a seat."""
    course = state.course
    left = [*course.removed, *course.left_seen, *course.left_unseen]
    return [*state.stock, *state.pile, *left]

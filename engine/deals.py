"""Base class of Phyliss and Cathedral: the sequence of deals, and the views.

`Shedding` is the base class of both rulesets. Its abstract methods cover the differences between
the two games. Methods that take a `Draft` modify it and append to its facts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from engine import rulebook
from engine.api import (
    Fact,
    JsonObject,
    JsonValue,
    OptionSpec,
    OptionValue,
    Seat,
    Setup,
    Shuffle,
    Step,
    told_cards,
    told_drawing,
)
from engine.cards import PACK, Card, card, read_texts
from engine.options import AUTO_FORCED_SPEC, DEALER_SPEC, number, scaled
from engine.plays import Cards, PickUp, Play, with_cards, without
from engine.position import (
    CLOCKWISE,
    Checks,
    fields_json,
    impossible,
    lists,
    new_tuple,
    read_back,
    read_fields,
    read_turns,
)
from engine.rulebook import Terms, fill
from engine.ruleset import AnyMove, BaseRuleset
from engine.sentences import sentence
from engine.shedding import Course, Draft, State
from engine.shuffle import shuffle
from engine.silence import NO_TURNS, QUIET_TURNS

AnyState: TypeAlias = State[Any, Any]
AnyDraft: TypeAlias = Draft[Any, Any]
Table: TypeAlias = AnyState | AnyDraft
AnySeat: TypeAlias = Any
AnyResult: TypeAlias = Any
"""Each game has its own named tuples for a seat's cards and for the result of a deal."""

_DEALS_ALLOWED = sentence("1 or more, at most 1000000")
_PLIES_ALLOWED = sentence("0 (no limit) to 1000000")

_FIELDS = ("ply", "stock", "pile", "turn", "resigned", "reason")
"""Fields with the same name and value in a state and in its JSON."""

HAND_SIZE: Final = 3
"""Number of cards to which a hand is refilled from the stock (PHY-15, CAT-11)."""


def options(deals_rule: str, plies_rule: str) -> tuple[OptionSpec, ...]:
    """Return the options of both games. The rule ids are used in their descriptions."""
    text = "plies after which a deal is stopped"
    return (
        DEALER_SPEC,
        number("deals", 1, _DEALS_ALLOWED, f"number of deals in the game ({deals_rule})", least=1),
        number("max_plies", 2000, _PLIES_ALLOWED, f"{text} ({plies_rule})"),
        AUTO_FORCED_SPEC,
    )


def remove_pile(draft: AnyDraft) -> Cards:
    """Remove the pile from the game and return its cards."""
    pile = draft.pile
    draft.course = draft.course._replace(removed=draft.course.removed + pile)
    draft.pile = ()
    return pile


def draw_cards(draft: AnyDraft, seat: Seat, held: int) -> Cards:
    """Refill a hand from the stock to three cards and report the draw (PHY-15, CAT-11).

    Args:
        held: number of cards in the hand.
    """
    count = min(HAND_SIZE - held, len(draft.stock))
    if count <= 0:
        return ()
    drawn = draft.stock[: -count - 1 : -1]
    draft.stock = draft.stock[:-count]
    draft.facts.append(told_drawing(seat, drawn))
    return drawn


def next_seat(draft: AnyDraft, after: Seat) -> Seat:
    """Return the next seat clockwise that holds cards. At least one seat must hold cards."""
    seats = draft.seats
    for seat in CLOCKWISE[len(seats)][after]:
        own = seats[seat]
        if own.hand or own.cards_left:  # nearly every seat has a hand, which is quicker to check
            return seat
    raise AssertionError("no seat holds cards")


class RulesText(NamedTuple):
    """Text blocks and numbers that differ between the rules texts of the two games."""

    template: str
    dealt: int
    """Number of cards that each seat is dealt."""
    rule: str
    """The paragraph about playing several deals."""
    one_deal: str
    """The sentence for a game that has only one deal."""
    several_deals: str
    """The description of the ranking after several deals."""


class Shedding(BaseRuleset):
    """Base class of games in which players try to get rid of all their cards."""

    turns_a_deal: ClassVar[Mapping[int, int]]
    """Average number of turns per deal with simple players, by number of seats."""
    text: ClassVar[RulesText]
    nothing: ClassVar[Any]
    """Empty cards of a seat that is not in the deal, as the game's named tuple.

    Its first fields are `hand` and `private`. `state_json` writes the other fields by name.
    """
    legal_moves: ClassVar[staticmethod[[AnyState, Seat], Sequence[AnyMove]]]
    result_class: ClassVar[Any]
    """The game's named tuple for the result of a deal."""

    # --- differences between the games ------------------------------------------------------------

    @abstractmethod
    def take_cards(self, stock: list[Card]) -> AnySeat:
        """Deal the cards of one seat from the top of the stock."""

    @abstractmethod
    def begin(self, draft: AnyDraft) -> tuple[Seat, JsonObject]:
        """Begin play after dealing. Return the starting seat and additional public data."""

    @abstractmethod
    def result(self, table: Table, *, is_stopped: bool) -> AnyResult:
        """Return the result of the current deal."""

    @abstractmethod
    def result_fact(self, table: Table, result: AnyResult) -> Fact:
        """Return the fact `deal_over`."""

    @abstractmethod
    def following_dealer(self, table: Table, result: AnyResult) -> Seat:
        """Return the dealer of the deal that follows a finished deal."""

    @abstractmethod
    def seat_view(self, own: AnySeat, *, is_own: bool, is_over: bool) -> JsonObject:
        """Return a seat's view fields other than its hand.

        `is_own` is True if the viewer is in that seat.
        """

    def seat_checks(self, state: AnyState) -> Checks:
        """Map descriptions of impossible cards to True if the state contains them."""
        return {}

    def phase_json(self, state: AnyState) -> JsonObject:
        """Return the game-specific fields of a state's JSON."""
        return {}

    draft = staticmethod(Draft)

    def expected_turns(self, players: int, options: Mapping[str, OptionValue]) -> int | None:
        """Return the expected number of turns of a game with simple players."""
        return scaled(self.turns_a_deal.get(players), options["deals"])

    def rules_source(self, its: Terms) -> str:
        """Return the source of the rules text for players."""
        text = self.text
        table = ""
        if its.players is not None:
            table = fill(
                "At your table there are {players} players, so {stock} cards make the stock of each"
                " deal.",
                players=its.players,
                stock=len(PACK) - text.dealt * its.players,
            )
        deals = its.number("deals")
        is_one = deals == 1
        then = "Then the cards that are left decide."
        words: rulebook.Words = {
            "deals": lambda _: (
                f"one deal is the whole game. ({text.rule})"
                if is_one
                else fill(f"{{deals}} deals make the game. ({text.rule})", deals=deals)
            ),
            "max_plies": lambda its: rulebook.plies_words(its, then, is_deal=True),
        }
        return fill(
            text.template,
            table=table,
            end=text.one_deal if is_one else fill(text.several_deals, deals=deals),
            by_mail=rulebook.by_mail("play 9 or pickup"),
            options=rulebook.option_points(its, words),
            **rulebook.COMMON,
        )

    # --- start of a deal --------------------------------------------------------------------------

    def start(self, setup: Setup) -> Step[AnyState]:
        """Shuffle and deal the first deal."""
        draft: AnyDraft = Draft(
            State(
                setup=setup,
                course=Course(0, Seat(setup.number("dealer"))),
                seats=(self.nothing,) * setup.players,
                stock=(),
                pile=(),
                to_act=None,
                ply=0,
                turn=0,
                turns=(NO_TURNS,) * setup.players,
            )
        )
        self.deal_cards(draft)
        return draft.finish()

    def deal_cards(self, draft: AnyDraft) -> None:
        """Shuffle and deal to all seats that have not resigned, starting at the dealer's left.

        Rules: PHY-4, PHY-5, CAT-2, GEN-2 (deal k uses shuffle k).
        """
        seats = draft.setup.players
        course = draft.course._replace(
            dealt_in=tuple([s for s in map(Seat, range(seats)) if s not in draft.resigned]),
            first_ply=draft.ply,
            removed=(),
            left_seen=(),
            left_unseen=(),
        )
        pack = shuffle(PACK, draft.setup.seed, course.deal)
        stock = list(pack)
        draft.course, draft.pile, draft.turn, draft.to_act = course, (), 0, None
        draft.seats = [self.nothing] * seats
        for seat in CLOCKWISE[seats][course.dealer]:
            if seat in course.dealt_in:
                draft.seats[seat] = self.take_cards(stock)
        draft.stock = tuple(stock)
        starter, open_cards = self.begin(draft)
        draft.tell(
            "dealt",
            starter,
            {
                "deal": course.deal,
                "dealer": course.dealer,
                **open_cards,
                "stock_size": len(stock),
            },
        )
        for seat in course.dealt_in:
            hand = list(draft.seats[seat].hand)
            draft.tell("dealt", seat, {"deal": course.deal, "hand": hand}, seat)
        draft.opened.append(Shuffle(course.deal, PACK, pack))

    # --- a turn -----------------------------------------------------------------------------------

    def format_move(self, state: AnyState, seat: Seat, move: AnyMove) -> str:
        """Return the canonical text of a move."""
        return str(move)

    def only_move(self, state: AnyState, policy: OptionValue) -> tuple[Seat, AnyMove] | None:
        """Return the only legal move of the seat whose turn it is, unless it turns over a card.

        With the policy `public`, everyone must be able to deduce that it is the only move: all
        cards of the hand are known, the seat plays from its face-up cards, or it holds one card and
        there is no pile to pick up.

        Rules: GEN-11.
        """
        seat = state.to_act
        if seat is None:
            return None
        moves: Sequence[AnyMove] = self.legal_moves(state, seat)
        if len(moves) != 1 or not isinstance(moves[0], Play | PickUp):
            return None
        own = state.seats[seat]
        is_public = not own.private or (len(own.hand) == 1 and not state.pile)
        return (seat, moves[0]) if is_public or policy == "all" else None

    def pick_up(self, draft: AnyDraft, seat: Seat, turned: Cards = ()) -> None:
        """Move the pile into the hand, publicly, together with a card that was just turned over.

        Rules: PHY-12, PHY-19, PHY-21, CAT-12, CAT-20.
        """
        own = draft.seats[seat]
        taken = draft.pile + turned
        draft.pile = ()
        # Equivalent to `_replace`, but five times as fast.
        draft.seats[seat] = new_tuple(type(own), (with_cards(own.hand, taken), *own[1:]))
        draft.facts.append(told_cards("picked_up", seat, taken))

    # --- end of a turn ----------------------------------------------------------------------------

    def go_on(self, draft: AnyDraft, seat: Seat, *, goes_again: bool) -> None:
        """Continue the turn of the same seat or pass it to the next. Stop the game if required."""
        mark = 0
        if goes_again:
            draft.tell("goes_again", seat, {})
        else:
            mark = draft.end_turn(seat)
            draft.to_act = next_seat(draft, seat)
        is_last_ply = draft.ply - draft.course.first_ply == draft.setup.options["max_plies"]
        if is_last_ply or mark in QUIET_TURNS:
            self.stop_if_due(draft)

    def counted_plies(self, draft: AnyDraft) -> int:
        """Return the number of plies in the current deal, which `max_plies` limits."""
        return draft.ply - draft.course.first_ply

    # --- end of a deal ----------------------------------------------------------------------------

    def end_deal(self, draft: AnyDraft) -> None:
        """End the deal, and then start the next one or end the game.

        Rules: PHY-22 to PHY-25, CAT-4, CAT-15 to CAT-17, GEN-7.
        """
        result = self._close_deal(draft, is_stopped=False)
        if len(self.stayers(draft)) == 1:
            self.end_game(draft, "last-seat")
        elif len(draft.course.results) == draft.setup.options["deals"]:
            self.end_game(draft, "finished")
        elif self.is_silent(draft):
            draft.tell("stopped", None, {"cause": "silence"})
            self.end_game(draft, "stopped")
        else:
            dealer = self.following_dealer(draft, result)
            draft.course = draft.course._replace(dealer=dealer, deal=draft.course.deal + 1)
            self.deal_cards(draft)

    def stop_game(self, draft: AnyDraft, cause: str) -> None:
        """Stop the game during a deal: `silence` (GEN-7), `max_plies` or `agreed` (GEN-8)."""
        draft.tell("stopped", None, {"cause": cause})
        self._close_deal(draft, is_stopped=True)
        self.end_game(draft, "stopped")

    def _close_deal(self, draft: AnyDraft, *, is_stopped: bool) -> AnyResult:
        result = self.result(draft, is_stopped=is_stopped)
        draft.course = draft.course._replace(results=(*draft.course.results, result))
        draft.facts.append(self.result_fact(draft, result))
        return result

    def end_game(self, draft: AnyDraft, reason: str) -> None:
        """End the game. All cards may be revealed from now on (GEN-15)."""
        draft.to_act = None
        draft.turn = 0
        super().end_game(draft, reason)

    def take_out(self, draft: AnyDraft, seat: Seat) -> None:
        """Remove the cards of a resigned seat from the deal and pass on its turn.

        Cards that everyone has seen stay public. Other cards stay secret. Callers handle the
        consequences for the deal.

        Rules: GEN-7, GEN-16, PHY-25, CAT-17.
        """
        course, own = draft.course, draft.seats[seat]
        draft.course = course._replace(
            left_seen=course.left_seen + own.seen, left_unseen=course.left_unseen + own.unseen
        )
        if own.cards_left:
            draft.seats[seat] = self.nothing
        draft.tell("resigned", seat, {"seen": [*own.seen], "unseen_count": len(own.unseen)})
        if draft.to_act == seat:
            draft.turn = 0  # the turn is discarded with its seat
            draft.to_act = next_seat(draft, seat)

    def holders(self, table: Table) -> list[Seat]:
        """Return the seats that hold cards in the current deal, in ascending order.

        A seat that dropped out, resigned or was not dealt in holds no cards.
        """
        return [Seat(seat) for seat, own in enumerate(table.seats) if own.cards_left]

    # --- views and JSON ---------------------------------------------------------------------------

    def view(self, state: AnyState, seat: Seat | None) -> JsonObject:
        """Return what a seat, or an observer (None), may know (GEN-5, GEN-16).

        Only this method decides what is shown. It uses only open cards, cards that everyone saw
        going into a hand, and the viewer's own cards, and never looks at the face of a hidden card.

        Each seat has the fields `hand` (null unless it is the viewer's), `hand_size`, `known`
        (cards of the hand that everyone has seen), those of `seat_view`, and `resigned` (False if
        the resignation had no effect, GEN-7). The table has `pile`, `gone` (visible cards that left
        the game), `gone_hidden` (the number of others), `stock_size`, `stock` (null while the game
        is running), the fields of `phase_json`, `to_act`, `ply`, `deal` (from 1), `deals`,
        `dealer`, `results` (finished deals), `over` and `seat` (the viewer's). After the end
        everything is visible to everyone (GEN-15).
        """
        course = state.course
        is_over = state.reason is not None
        seats: list[JsonValue] = [
            {
                "hand": list(own.hand) if is_over or index == seat else None,
                "hand_size": len(own.hand),
                "known": list(own.known),
                **self.seat_view(own, is_own=index == seat, is_over=is_over),
                "resigned": self.has_left(state, Seat(index)),
            }
            for index, own in enumerate(state.seats)
        ]
        gone = course.removed + course.left_seen
        return {
            "seat": seat,
            "seats": seats,
            "pile": list(state.pile),
            "gone": list(gone + course.left_unseen if is_over else gone),
            "gone_hidden": 0 if is_over else len(course.left_unseen),
            "stock_size": len(state.stock),
            "stock": list(state.stock) if is_over else None,
            **self.phase_json(state),
            "to_act": list(self.to_act(state)),
            "ply": state.ply,
            "deal": course.deal + 1,
            "deals": state.setup.number("deals"),
            "dealer": course.dealer,
            "results": [fields_json(result, result._fields) for result in course.results],
            "over": is_over,
        }

    def state_json(self, state: AnyState) -> JsonObject:
        """Return the state as JSON, without its setup.

        Digests are computed from the result, so the format is frozen (GEN-1). `deal` counts from 0
        here, like the shuffles. `gone` contains the cards that were removed with a pile, followed
        by the cards of resigned seats: `left_seen` the face-up cards and `left_unseen` the others.
        `turn` and `turns` are sums of 1 (contained a standby ply), 2 (a chosen ply) and 4 (a forced
        ply).
        """
        course = state.course
        seats: list[JsonValue] = [
            {
                "hand": list(own.hand),
                "known": list(own.known),
                **fields_json(own, own._fields[2:]),
                "resigned": index in state.resigned,
            }
            for index, own in enumerate(state.seats)
        ]
        return {
            "to_act": list(self.to_act(state)),
            "ply": state.ply,
            "seats": seats,
            **fields_json(state, ("stock", "pile")),
            "gone": list(course.removed + course.left_seen + course.left_unseen),
            "left_seen": len(course.left_seen),
            "left_unseen": len(course.left_unseen),
            **self.phase_json(state),
            "deal": course.deal,
            "deal_ply": state.deal_ply,
            **fields_json(course, ("dealer", "dealt_in")),
            "turn": state.turn,
            "turns": lists(state.turns),
            "resigned": list(state.resigned),
            "results": [fields_json(result, result._fields) for result in course.results],
            "reason": state.reason,
        }

    def state_from_json(self, setup: Setup, data: JsonObject) -> AnyState:
        """Restore a state from the result of `state_json`. Raises: ReplayError."""
        return read_back(
            self.title, data, lambda data: self._read(setup, data), self.state_json, self._checks
        )

    def _read(self, setup: Setup, data: Mapping[str, Any]) -> AnyState:
        gone = read_texts(data["gone"])
        unseen_from = len(gone) - data["left_unseen"]
        seen_from = unseen_from - data["left_seen"]
        others = self.nothing._fields[2:]
        seats = []
        for own in data["seats"]:
            hand = read_texts(own["hand"])
            private = without(hand, read_texts(own["known"]))
            seats.append(type(self.nothing)(hand, private, **read_fields(own, others, card)))
        result_fields = self.result_class._fields
        is_turn = data["to_act"] and not data.get("choosing")
        return State(
            setup=setup,
            course=Course(
                **read_fields(data, ("deal", "dealer", "dealt_in"), card),
                first_ply=data["ply"] - data["deal_ply"],
                removed=gone[:seen_from],
                left_seen=gone[seen_from:unseen_from],
                left_unseen=gone[unseen_from:],
                results=tuple(
                    self.result_class(**read_fields(row, result_fields, card))
                    for row in data["results"]
                ),
            ),
            seats=tuple(seats),
            to_act=Seat(data["to_act"][0]) if is_turn else None,
            turns=read_turns(data["turns"]),
            **read_fields(data, _FIELDS, card),
        )

    def _checks(self, state: AnyState) -> Checks:
        course = state.course
        marks = chain.from_iterable(state.turns)
        common = impossible(
            state.setup.players,
            by_seat=(state.seats, state.turns),
            counts=(course.deal, state.deal_ply, state.ply, state.turn, *marks),
            seats=(*course.dealt_in, *state.resigned, course.dealer),
            to_act=self.to_act(state),
            reason=state.reason,
        )
        wrong_pack = sorted(all_cards(state)) != sorted(PACK)
        return {**common, "not the 52 cards of one pack": wrong_pack, **self.seat_checks(state)}


def all_cards(state: AnyState) -> list[Card]:
    """Return all cards of the position. In a valid state they are exactly one pack."""
    course = state.course
    gone = course.removed + course.left_seen + course.left_unseen
    return [
        *state.stock,
        *state.pile,
        *gone,
        *(c for own in state.seats for c in own.seen + own.unseen),
    ]

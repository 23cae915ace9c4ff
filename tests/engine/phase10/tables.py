"""Create positions of Phase 10 for tests.

`table(seat("R5 G5"), seat("W"), pile="Y1")` is a complete state at the start of a turn. All other
cards are at the bottom of the stock. If `stock="…"` is given, they belong to a resigned player.
"""

from dataclasses import dataclass, field

from engine.api import Seat, Setup, Source, Step
from engine.phase10.cards import PACK, Card, Cards, card, less, sort_cards, without
from engine.phase10.groups import PHASES, Group, Kind, arrange, make_group
from engine.phase10.rules import FAMILY, OFFICIAL
from engine.phase10.state import SeatState, State
from engine.silence import NO_TURNS

SEED = bytes(range(32))


def cards(text: str) -> Cards:
    return tuple(card(word) for word in text.split())


def laid(phase: int, text: str) -> tuple[Group, ...]:
    return arrange(phase, [cards(part) for part in text.split("/")])


def seat(hand: str = "", *, known: str = "", phase: int = 1, **fields) -> SeatState:
    return SeatState(
        phase=phase, hand=sort_cards(cards(hand)), known=sort_cards(cards(known)), **fields
    )


def done(hand: str = "", *, phase: int = 1, **fields) -> SeatState:
    """Create a seat that has laid down its phase."""
    return seat(hand, phase=phase, laid=True, **{"completed": phase, **fields})


def setup(players: int, rules=OFFICIAL, **options) -> Setup:
    return Setup(players, SEED, rules.check_options(players, options))


def table(
    *seats: SeatState,
    groups: dict[int, tuple[Group, ...]] | None = None,
    pile: str = "Y1",
    stock: str | None = None,
    drawn: bool = False,
    to_act: int = 0,
    rules=OFFICIAL,
    options: dict | None = None,
    **fields,
) -> State:
    players = len(seats)
    lying = tuple((groups or {}).get(who, ()) for who in range(players))
    named: list[Card] = [*cards(pile)]
    for own in seats:
        named += own.hand
    for of_one in lying:
        for group in of_one:
            named += group.cards
    rest = without(PACK, named)
    if stock is None:
        top, gone = rest, ()
    else:
        top = cards(stock)
        gone = without(rest, top)
    values = {
        "deal": 0,
        "dealer": Seat(players - 1),
        "dealt_in": tuple(map(Seat, range(players))),
        "seats": tuple(seats),
        "groups": lying,
        "stock": top,
        "pile": cards(pile),
        "left_seen": (),
        "left_unseen": gone,
        "to_act": Seat(to_act),
        "has_drawn": drawn,
        "ply": 0,
        "shuffles": 1,
        "turn": 0,
        "turns": (NO_TURNS,) * players,
        "resigned": (),
        "tied": (),
        "results": (),
    }
    return State(
        setup=setup(players, rules, **(options or {})),
        is_family=rules.is_family,
        **{**values, **fields},
    )


def rules_of(state: State):
    return FAMILY if state.is_family else OFFICIAL


@dataclass
class Game:
    """A position in which tests play orders, with the steps that followed."""

    state: State
    steps: list[Step] = field(default_factory=list)

    @property
    def rules(self):
        return rules_of(self.state)

    def play(self, *orders: str, source: Source = Source.CHOSEN) -> "Game":
        """Play orders one after another, each by the seat to act."""
        for order in orders:
            who = self.state.to_act
            move = self.rules.parse_order(self.state, who, order)
            self._take(self.rules.apply(self.state, who, move, source))
        return self

    def resign(self, who: int) -> "Game":
        self._take(self.rules.resign(self.state, Seat(who)))
        return self

    def standby(self, times: int = 1) -> "Game":
        for _ in range(times):
            who = self.state.to_act
            move = self.rules.standby_move(self.state, who)
            self._take(self.rules.apply(self.state, who, move, Source.STANDBY))
        return self

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.state

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the public facts of the last step."""
        return [fact.kind for fact in self.steps[-1].facts if fact.audience is None]

    def fact(self, kind: str) -> dict:
        """Return the data of the only public fact of this kind in the last step."""
        (data,) = (f.data for f in self.steps[-1].facts if f.kind == kind and f.audience is None)
        return data

    @property
    def result(self):
        return self.rules.outcome(self.state)


def orders_of(state: State) -> list[str]:
    """Return the orders of the legal moves of the seat to act."""
    rules, who = rules_of(state), state.to_act
    return [rules.format_move(state, who, move) for move in rules.legal_moves(state, who)]


__all__ = [
    "FAMILY", "OFFICIAL", "PHASES", "Game", "Group", "Kind", "cards", "done", "laid", "less",
    "make_group", "orders_of", "rules_of", "seat", "setup", "table",
]  # fmt: skip

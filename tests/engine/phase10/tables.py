"""Create positions of Phase 10 for tests.

`table(seat("R5 G5"), seat("W"), pile="Y1")` is a complete state at the start of a turn. All other
cards are at the bottom of the stock. If `stock="…"` is given, they belong to a resigned player.
"""

from engine.api import Seat, Setup
from engine.phase10.cards import PACK, Card, Cards, card, less, sort_cards, without
from engine.phase10.groups import PHASES, Group, Kind, arrange, make_group
from engine.phase10.rules import FAMILY, OFFICIAL
from engine.phase10.state import SeatState, State
from engine.silence import NO_TURNS
from tests.engine import playing
from tests.engine.playing import Position

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


class Game(Position):
    """A position of Phase 10 in which tests play orders."""

    @property
    def rules(self):
        return rules_of(self.state)


def orders_of(state: State) -> list[str]:
    return playing.orders_of(rules_of(state), state)


__all__ = [
    "FAMILY", "OFFICIAL", "PHASES", "Game", "Group", "Kind", "cards", "done", "laid", "less",
    "make_group", "orders_of", "rules_of", "seat", "setup", "table",
]  # fmt: skip

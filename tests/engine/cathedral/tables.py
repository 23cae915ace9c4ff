"""Create positions of Cathedral for tests.

`table(seat("7c 7d"), seat("8h"), pile="5c")` is a complete state in which seat 0 must play. All
other cards of the pack have been cleared.
"""

from engine import registry
from engine.api import Seat, Setup
from engine.cards import PACK, Card, card, sort_cards
from engine.cathedral.moves import SeatCards
from engine.plays import Cards
from engine.shedding import Course, State
from engine.silence import CHOSEN, NO_TURNS
from tests.engine import playing
from tests.engine.playing import Position

RULES = registry.find("cathedral", 1)
SEED = bytes(range(32))


def cards(text: str) -> Cards:
    return tuple(card(word) for word in text.split())


def seat(
    hand: str = "", reserve: str = "", *, known: str = "", choice: str = "", mark: int = CHOSEN
) -> SeatCards:
    return SeatCards(
        hand=sort_cards(cards(hand)),
        private=sort_cards(c for c in cards(hand) if c not in cards(known)),
        reserve=sort_cards(cards(reserve)),
        choice=sort_cards(cards(choice)) if choice else None,
        choice_mark=mark if choice else 0,
    )


def setup(players: int, **options) -> Setup:
    return Setup(players, SEED, RULES.check_options(players, options))


def table(
    *seats: SeatCards,
    pile: str = "",
    stock: str = "",
    to_act: int | None = 0,
    dealer: int | None = None,
    resigned: tuple[int, ...] = (),
    dealt_in: tuple[int, ...] | None = None,
    options: dict | None = None,
    is_choosing: bool = False,
    **fields,
) -> State:
    players = len(seats)
    named: list[Card] = [*cards(pile), *cards(stock)]
    for own in seats:
        named += [*own.hand, *own.reserve]
    assert len(named) == len(set(named)), "a card lies in two places"
    course = {
        "deal": 0,
        "dealer": Seat(players - 1 if dealer is None else dealer),
        "dealt_in": tuple(map(Seat, range(players) if dealt_in is None else dealt_in)),
        "removed": tuple(c for c in PACK if c not in named),
    }
    values = {
        "resigned": tuple(map(Seat, resigned)),
        "seats": tuple(seats),
        "stock": cards(stock),
        "pile": cards(pile),
        "to_act": None if is_choosing or to_act is None else Seat(to_act),
        "ply": 0,
        "turn": 0,
        "turns": (NO_TURNS,) * players,
    }
    course["first_ply"] = fields.get("ply", 0) - fields.pop("deal_ply", 0)
    for name, value in fields.items():
        (course if name in Course._fields else values)[name] = value
    return State(setup=setup(players, **(options or {})), course=Course(**course), **values)


def choosing(*seats: SeatCards, **fields) -> State:
    """Create a state in which seats set cards aside. The stock contains all cards not named."""
    named = [c for own in seats for c in own.hand]
    stock = " ".join(c for c in PACK if c not in named)
    return table(*seats, stock=stock, is_choosing=True, **fields)


SIX = (
    seat("2c 3c 4c 5c 6c 7c"),
    seat("2d 3d 4d 5d 6d 7d"),
    seat("2h 3h 4h 5h 6h 7h"),
)
"""Three dealt hands of six."""


class Game(Position):
    """A position of Cathedral in which tests play orders."""

    rules = RULES


def orders_of(state: State, who: int | None = None) -> list[str]:
    return playing.orders_of(RULES, state, who)

"""Create positions of Phyliss for tests.

`table(seat("7c 7d"), seat("8h"), pile="5c")` is a complete state. All other cards of the pack have
been destroyed.
"""

from engine import registry
from engine.api import Seat, Setup
from engine.cards import PACK, Card, card, sort_cards
from engine.phyliss.moves import SeatCards
from engine.plays import Cards
from engine.shedding import Course, State
from engine.silence import NO_TURNS
from tests.engine import playing
from tests.engine.playing import Position

RULES = registry.find("phyliss", 1)
SEED = bytes(range(32))


def cards(text: str) -> Cards:
    return tuple(card(word) for word in text.split())


def seat(
    hand: str = "", up: str = "", blind: str = "", *, known: str = "", numbers=None, out=None
) -> SeatCards:
    hidden = cards(blind)
    return SeatCards(
        hand=sort_cards(cards(hand)),
        private=sort_cards(c for c in cards(hand) if c not in cards(known)),
        up=cards(up),
        blind=hidden,
        blind_numbers=tuple(numbers or range(1, len(hidden) + 1)),
        out=out,
    )


def setup(players: int, **options) -> Setup:
    return Setup(players, SEED, RULES.check_options(players, options))


def table(
    *seats: SeatCards,
    pile: str = "",
    stock: str = "",
    to_act: int = 0,
    dealer: int | None = None,
    resigned: tuple[int, ...] = (),
    dealt_in: tuple[int, ...] | None = None,
    options: dict | None = None,
    **fields,
) -> State:
    players = len(seats)
    named: list[Card] = [*cards(pile), *cards(stock)]
    for own in seats:
        named += [*own.hand, *own.up, *own.blind]
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
        "to_act": Seat(to_act),
        "ply": 0,
        "turn": 0,
        "turns": (NO_TURNS,) * players,
    }
    course["first_ply"] = fields.get("ply", 0) - fields.pop("deal_ply", 0)
    for name, value in fields.items():
        (course if name in Course._fields else values)[name] = value
    return State(setup=setup(players, **(options or {})), course=Course(**course), **values)


class Game(Position):
    """A position of Phyliss in which tests play orders."""

    rules = RULES


def orders_of(state: State) -> list[str]:
    return playing.orders_of(RULES, state)

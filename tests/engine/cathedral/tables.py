"""Create positions of Cathedral for tests.

`table(seat("7c 7d"), seat("8h"), pile="5c")` is a complete state in which seat 0 must play. All
other cards of the pack have been cleared.
"""

from dataclasses import dataclass, field

from engine import registry
from engine.api import Seat, Setup, Source, Step
from engine.cards import PACK, Card, card, sort_cards
from engine.cathedral.moves import SeatCards
from engine.plays import Cards
from engine.shedding import Course, State
from engine.silence import CHOSEN, NO_TURNS

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


@dataclass
class Game:
    """A position in which tests play orders, with the steps that followed."""

    state: State
    steps: list[Step] = field(default_factory=list)

    def play(self, *orders: str, source: Source = Source.CHOSEN) -> "Game":
        """Play orders one after another, each by the seat to act."""
        for order in orders:
            self.say(RULES.to_act(self.state)[0], order, source)
        return self

    def say(self, who: int, order: str, source: Source = Source.CHOSEN) -> "Game":
        """Play an order of a seat."""
        move = RULES.parse_order(self.state, Seat(who), order)
        self._take(RULES.apply(self.state, Seat(who), move, source))
        return self

    def resign(self, who: int) -> "Game":
        self._take(RULES.resign(self.state, Seat(who)))
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

    def told(self, who: int) -> list[str]:
        """Return the kinds of the last step's facts that only this seat gets."""
        return [fact.kind for fact in self.steps[-1].facts if fact.audience == who]

    @property
    def result(self):
        return RULES.outcome(self.state)


def orders_of(state: State, who: int | None = None) -> list[str]:
    """Return the orders of the legal moves of a seat, by default of the first seat to act."""
    who = RULES.to_act(state)[0] if who is None else Seat(who)
    return [RULES.format_move(state, who, move) for move in RULES.legal_moves(state, who)]

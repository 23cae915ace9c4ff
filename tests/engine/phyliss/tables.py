"""Create positions of Phyliss for tests.

`table(seat("7c 7d"), seat("8h"), pile="5c")` is a complete state. All other cards of the pack have
been destroyed.
"""

from dataclasses import dataclass, field

from engine import registry
from engine.api import Seat, Setup, Source, Step
from engine.cards import PACK, Card, card, sort_cards
from engine.phyliss.moves import SeatCards
from engine.plays import Cards
from engine.shedding import Course, State
from engine.silence import NO_TURNS

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


@dataclass
class Game:
    """A position in which tests play orders, with the steps that followed."""

    state: State
    steps: list[Step] = field(default_factory=list)

    def play(self, *orders: str, source: Source = Source.CHOSEN) -> "Game":
        """Play orders one after another, each by the seat to act."""
        for order in orders:
            who = self.state.to_act
            move = RULES.parse_order(self.state, who, order)
            self._take(RULES.apply(self.state, who, move, source))
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

    @property
    def result(self):
        return RULES.outcome(self.state)


def orders_of(state: State) -> list[str]:
    """Return the orders of the legal moves of the seat to act."""
    who = state.to_act
    return [RULES.format_move(state, who, move) for move in RULES.legal_moves(state, who)]

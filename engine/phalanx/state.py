"""The state of a game of Phalanx, without rules.

Reserves are stored bottom to top, so the top card is the last element. A zone is a list of cards in
order of arrival, each with its owner. Hidden cards are omitted from `repr`, so that they never
appear in tracebacks or log lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from engine.api import Note, Seat, Setup, without_in_repr
from engine.cards import PACK, Card
from engine.position import MAX_PLAYERS, BaseDraft, new_tuple, with_item
from engine.sentences import Sentence, joined, sentence
from engine.shuffle import Shuffled
from engine.silence import Turns

Cards = tuple[Card, ...]

Reserve = Cards | Shuffled[Card]
"""A reserve. A shuffled reserve computes the order of its cards only as far as they are drawn."""

HAND_SIZE: Final = 7
"""Number of cards in a hand at the start of a battle (PLX-6)."""

CENTER: Final = 0
"""Number of the center zone. The side zone to the left of seat s has number s + 1 (PLX-3)."""

CHOOSING: Final = "choosing"
PLAYING: Final = "playing"
BETTING: Final = "betting"
OVER: Final = "over"
"""Phases of a game: the secret opening, playing cards, a betting window, the end."""


class TableCard(NamedTuple):
    """A card in a zone."""

    seat: Seat
    """The owner of the card (PLX-5)."""
    card: Card
    up: bool = True
    """False for a face-down card, which has no effect but is won with the zone (PLX-15)."""


LYING: Final[tuple[dict[Card, TableCard], ...]] = tuple(
    {card: TableCard(Seat(seat), card) for card in PACK} for seat in range(MAX_PLAYERS)
)
"""Face-up table cards, by seat and card."""

LYING_DOWN: Final[tuple[dict[Card, TableCard], ...]] = tuple(
    {card: lying._replace(up=False) for card, lying in by_card.items()} for by_card in LYING
)
"""Face-down table cards, by seat and card."""

Zone = tuple[TableCard, ...]


Pots = tuple[tuple[int, ...], ...]


class Elimination(NamedTuple):
    """The elimination of a seat at the start of a battle (PLX-24)."""

    battle: int
    """Number of the battle that the seat could not begin, from 0."""
    cards: int
    """Number of the seat's remaining cards."""


@without_in_repr("hand", "reserve", "choice", "aside")
class SeatState(NamedTuple):
    """The values of one seat, one from each column of a `State`, in the order of `COLUMNS`."""

    hand: Cards = ()
    """Hand in canonical order (rank 2 … A, then suit), including a chosen opening card."""
    reserve: Reserve = ()
    """Reserve, bottom to top. No player knows its order."""
    choice: Card | None = None
    """The opening card that was chosen but not yet revealed (GEN-6)."""
    choice_mark: int = 0
    """Source of the choice as a turn mark, or 0 without a choice."""
    aside: Cards = ()
    """Cards set aside face down while the seat was closed out (PLX-V5)."""
    chips: int = 0
    """Chips of the seat, excluding those in pots. 0 in games without chips."""
    out: Elimination | None = None


COLUMNS = ("hands", "reserves", "choices", "choice_marks", "asides", "chips", "outs")
"""Names of the `State` fields that contain one item per seat."""


def columns(seats: Iterable[SeatState]) -> dict[str, Any]:
    """Convert seats into the column fields of a `State`. `State.seats` is the inverse."""
    rows = tuple(seats)
    return {name: tuple([own[index] for own in rows]) for index, name in enumerate(COLUMNS)}


class Window(NamedTuple):
    """An open betting window (PLX-V5)."""

    bettor: Seat
    """The seat whose turn it is to bet."""
    acted: tuple[Seat, ...] = ()
    """Seats that have acted in this window, in ascending order."""
    raises: tuple[int, ...] = ()
    """Number of raises in this window, by zone number."""
    unanswered: tuple[tuple[Seat, ...], ...] = ()
    """Seats that have not answered the last raise in a zone, by zone number, in ascending order."""


@without_in_repr("hands", "reserves", "choices", "asides", "spoils_unseen")
class State(NamedTuple):
    """One complete position of a game.

    The values of seats are stored by column, since most plies change one item of one column. Fields
    that change at most plies come first (see `with_first`).
    """

    hands: tuple[Cards, ...]
    zones: tuple[Zone, ...]
    """Cards by zone number. Side zones of seats outside the ring are empty."""
    player: Seat | None
    """The seat that plays the next card, now or after the betting window."""
    turns: Turns
    """Record of turns. Every ply and every secret choice is a separate turn (GEN-7)."""
    ply: int
    chips: tuple[int, ...]
    pots: Pots
    """Chips in the pots, by zone number and seat."""
    window: Window | None
    choices: tuple[Card | None, ...]
    choice_marks: tuple[int, ...]
    reserves: tuple[Reserve, ...]
    asides: tuple[Cards, ...]
    outs: tuple[Elimination | None, ...]
    setup: Setup
    battle: int
    """Number of the current (or last) battle, from 0."""
    ring: tuple[Seat, ...]
    """Seats of this battle in ascending order, including those that resigned in it (PLX-26)."""
    spoils_seen: Cards
    """Spoils that everyone has seen (PLX-29)."""
    spoils_unseen: Cards
    """Spoils not everyone has seen: leftover cards, antes, and cards of seats that left the game."""
    phase: str
    first: Seat | None
    """The seat that opened highest and plays first (PLX-8), or None while openings are chosen."""
    window_size: int
    """Hand size at the last window of this battle, or `NO_WINDOW` if there was none."""
    shuffles: int
    """Number of shuffles so far, which is also the number of the next shuffle (GEN-2)."""
    resigned: tuple[Seat, ...]
    """Resigned seats, in the order of resignation."""
    reason: str | None = None
    """Reason for the end of the game, or None while it is running."""

    @property
    def seats(self) -> tuple[SeatState, ...]:
        """Return the state by seat."""
        return tuple(map(SeatState, *(getattr(self, name) for name in COLUMNS)))

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Return the seats that must act, in ascending order. Several must act during the opening."""
        if self.phase == CHOOSING:
            return tuple([seat for seat in active(self) if self.choices[seat] is None])
        bettor = None if self.window is None else self.window.bettor
        seat = self.player if self.phase == PLAYING else bettor
        return () if seat is None else (seat,)


def with_first(state: State, fields: tuple[Any, ...]) -> State:
    """Return a copy of a state with new values for its first fields, faster than `_replace`."""
    after: State = new_tuple(State, fields + state[len(fields) :])
    return after


class Draft(BaseDraft[State]):
    """A mutable copy of a state. Fields that change often are lists by seat or zone."""

    __slots__ = State._fields

    def __init__(self, state: State, facts: Sequence[Note] = ()) -> None:
        self.facts = list(facts)
        self.opened = []
        (
            hands,
            zones,
            self.player,
            self.turns,
            self.ply,
            chips,
            self.pots,
            self.window,
            self.choices,
            self.choice_marks,
            reserves,
            self.asides,
            self.outs,
            self.setup,
            self.battle,
            self.ring,
            self.spoils_seen,
            self.spoils_unseen,
            self.phase,
            self.first,
            self.window_size,
            self.shuffles,
            self.resigned,
            self.reason,
        ) = state
        self.hands = list(hands)
        self.zones = list(zones)
        self.chips = list(chips)
        self.reserves = list(reserves)

    def freeze(self) -> State:
        """Return the current contents as an immutable state."""
        fields = (
            tuple(self.hands),
            tuple(self.zones),
            self.player,
            self.turns,
            self.ply,
            tuple(self.chips),
            self.pots,
            self.window,
            self.choices,
            self.choice_marks,
            tuple(self.reserves),
            self.asides,
            self.outs,
            self.setup,
            self.battle,
            self.ring,
            self.spoils_seen,
            self.spoils_unseen,
            self.phase,
            self.first,
            self.window_size,
            self.shuffles,
            self.resigned,
            self.reason,
        )
        state: State = new_tuple(State, fields)
        return state


def unordered(reserve: Reserve) -> Cards:
    """Return the cards of a reserve in an order that does not reveal the shuffled order."""
    return reserve.unordered if isinstance(reserve, Shuffled) else reserve


Table = State | Draft


def active(table: Table) -> Sequence[Seat]:
    """Return the seats of the ring that have not resigned, in ascending order."""
    if not table.resigned:
        return table.ring
    return [seat for seat in table.ring if seat not in table.resigned]


def with_stake(pots: Pots, zone: int, seat: Seat, chips: int) -> Pots:
    """Return the pots after a seat adds chips to one zone."""
    pot = pots[zone]
    return with_item(pots, zone, with_item(pot, seat, pot[seat] + chips))


def is_gambling(table: Table) -> bool:
    """True in games with chips, where cards always return to their owners (PLX-V5, PLX-V6)."""
    return table.setup.options["stakes"] != "cards"


def has_windows(table: Table) -> bool:
    """True in games with antes, betting windows and closed zones (PLX-V5)."""
    return table.setup.options["stakes"] == "zones"


def has_left(table: Table, seat: Seat) -> bool:
    """True if a seat counts as resigned. An eliminated seat keeps its rank."""
    return seat in table.resigned and table.outs[seat] is None


def cards_of_seat(table: Table, seat: Seat) -> list[Card]:
    """Return all cards of a seat: hand, reserve, cards set aside and in zones, but not spoils."""
    hand, reserve, aside = table.hands[seat], table.reserves[seat], table.asides[seat]
    lying = [lying.card for zone in table.zones for lying in zone if lying.seat == seat]
    return [*hand, *reserve, *aside, *lying]


def cards_left(table: Table, seat: Seat) -> int:
    """Return the number of a seat's cards. For an eliminated seat, return its last number."""
    out = table.outs[seat]
    return len(cards_of_seat(table, seat)) if out is None else out.cards


def chips_of(table: Table, seat: Seat) -> int:
    """Return the number of a seat's chips, including its stakes in the pots."""
    return table.chips[seat] + sum(pot[seat] for pot in table.pots)


PLACES: Final[tuple[str, ...]] = ("left", "center", "right")
"""A seat's names for its own zones, in the order of lists and ties (PLX-27)."""

SOME_PLACES: Final[tuple[tuple[str, ...], ...]] = tuple(
    places for count in range(len(PLACES) + 1) for places in combinations(PLACES, count)
)
"""All subsets of a seat's zones. Each subset is in the order of `PLACES`."""


_NAMES = ("center", *(f"side:{seat}" for seat in range(MAX_PLAYERS)))


def zone_name(zone: int) -> str:
    """Return the public name of a zone: `center`, or `side:S` to the left of seat S."""
    return _NAMES[zone]


def own_zones(seat: Seat, ring: Sequence[Seat]) -> tuple[int, int, int]:
    """Return the three zones of a seat: left, center, right (PLX-3)."""
    return (seat + 1, CENTER, ring[ring.index(seat) - 1] + 1)


def all_zones(ring: Sequence[Seat]) -> tuple[int, ...]:
    """Return the zone numbers of a ring: the center, then the sides clockwise from the lowest seat."""
    return (CENTER, *(seat + 1 for seat in ring))


def sharers(zone: int, ring: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats that share a zone, in ascending order (PLX-3)."""
    if zone == CENTER:
        return tuple(ring)
    index = ring.index(Seat(zone - 1))
    pair = (ring[index], ring[(index + 1) % len(ring)])
    return pair if pair[0] < pair[1] else (pair[1], pair[0])


def neighbours(zone: int, seat: Seat, ring: Sequence[Seat]) -> tuple[int, ...]:
    """Return the zones of a seat that are adjacent to one of its zones (PLX-4)."""
    if zone != CENTER:
        return (CENTER,)
    left, _, right = own_zones(seat, ring)
    return (left, right)


def next_seat(seats: Sequence[Seat], seat: Seat) -> Seat:
    """Return the first of several ascending seats that follows `seat` clockwise."""
    return clockwise_from(seats, seat + 1)[0]


def clockwise_from(seats: Sequence[Seat], start: int) -> list[Seat]:
    """Return ascending seats in clockwise order, starting with `start` or the next seat after it."""
    for index, seat in enumerate(seats):
        if seat >= start:
            return [*seats[index:], *seats[:index]]
    return [*seats]


class Site(NamedTuple):
    """A zone of a ring, with precomputed properties."""

    zone: int
    sharers: tuple[Seat, ...]
    neighbours: tuple[tuple[int, ...], ...]
    """For each sharer, the zones of that seat that are adjacent to this zone."""


class Place(NamedTuple):
    """A seat of a ring, with precomputed properties."""

    zones: Mapping[str, int]
    """Zone numbers by name, in the order left, center, right."""
    following: Seat
    """The next seat clockwise."""
    others: Mapping[int, tuple[Seat, ...]]
    """For each of the seat's zones, the other seats that share it, in ascending order."""


def _places(ring: tuple[Seat, ...]) -> dict[Seat, Place]:
    return {
        seat: Place(
            dict(zip(PLACES, own_zones(seat, ring), strict=True)),
            next_seat(ring, seat),
            {
                zone: tuple([other for other in sharers(zone, ring) if other != seat])
                for zone in own_zones(seat, ring)
            },
        )
        for seat in ring
    }


def _site(zone: int, ring: tuple[Seat, ...]) -> Site:
    seats = sharers(zone, ring)
    return Site(zone, seats, tuple(neighbours(zone, seat, ring) for seat in seats))


_RINGS = [
    ring
    for size in range(2, MAX_PLAYERS + 1)
    for ring in combinations(map(Seat, range(MAX_PLAYERS)), size)
]

SITES: Final[Mapping[tuple[Seat, ...], tuple[Site, ...]]] = {
    ring: tuple(_site(zone, ring) for zone in all_zones(ring)) for ring in _RINGS
}
"""Precomputed zones of each ring, in the order of `all_zones`."""

SEAT_PLACES: Final[Mapping[tuple[Seat, ...], Mapping[Seat, Place]]] = {
    ring: _places(ring) for ring in _RINGS
}
"""Precomputed seats of each ring."""


# --- words for sentences --------------------------------------------------------------------------

_ZONES = {
    "left": sentence("left zone"),
    "center": sentence("center zone"),
    "right": sentence("right zone"),
}
_PLACES = {"left": sentence("left"), "center": sentence("center"), "right": sentence("right")}


def zone_words(place: str) -> Sentence:
    """Return the name of a zone, such as `left zone`, for use after "your"."""
    return _ZONES[place]


def places_words(places: Sequence[str]) -> Sentence:
    """Return zone names as a list, such as `left, right`, in the notation of orders."""
    return joined([_PLACES[place] for place in places], ", ")

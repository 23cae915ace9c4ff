"""The layout of the zones: owners, sharers, neighbours (PLX-3, PLX-4).

The ring is the tuple of the battle's seats, ascending, which is clockwise. With two seats it gives
two side zones and the center by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from engine.api import Seat
from engine.phalanx.state import CENTER, MOST_SEATS
from engine.sentences import Sentence, joined, sentence

PLACES: Final[tuple[str, ...]] = ("left", "center", "right")
"""The own zones as their seat calls them, in the order of lists and ties (PLX-27)."""

SOME_PLACES: Final[tuple[tuple[str, ...], ...]] = tuple(
    places for count in range(len(PLACES) + 1) for places in combinations(PLACES, count)
)
"""Every choice of own zones, each in that order."""


_NAMES = ("center", *(f"side:{seat}" for seat in range(MOST_SEATS)))


def zone_name(zone: int) -> str:
    """Return the public name of a zone: `center`, or `side:S` to the left of seat S."""
    return _NAMES[zone]


def zone_number(place: str, seat: Seat, ring: Sequence[Seat]) -> int:
    """Return the number of the zone that a seat calls by this word (PLX-3)."""
    if place == "center":
        return CENTER
    if place == "left":
        return seat + 1
    return ring[ring.index(seat) - 1] + 1


def own_zones(seat: Seat, ring: Sequence[Seat]) -> tuple[int, int, int]:
    """Return the three zones of a seat: left, center, right (PLX-3)."""
    return (seat + 1, CENTER, ring[ring.index(seat) - 1] + 1)


def all_zones(ring: Sequence[Seat]) -> tuple[int, ...]:
    """Return the zones: the center, then the sides clockwise from the lowest seat."""
    return (CENTER, *(seat + 1 for seat in ring))


def sharers(zone: int, ring: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats that share a zone, ascending (PLX-3)."""
    if zone == CENTER:
        return tuple(ring)
    at = ring.index(Seat(zone - 1))
    pair = (ring[at], ring[(at + 1) % len(ring)])
    return pair if pair[0] < pair[1] else (pair[1], pair[0])


def neighbours(zone: int, seat: Seat, ring: Sequence[Seat]) -> tuple[int, ...]:
    """Return the zones of a seat that are adjacent to one of its zones (PLX-4)."""
    if zone != CENTER:
        return (CENTER,)
    left, _, right = own_zones(seat, ring)
    return (left, right)


def next_seat(seats: Sequence[Seat], seat: Seat) -> Seat:
    """Return the next of some ascending seats, clockwise from any seat."""
    for other in seats:
        if other > seat:
            return other
    return seats[0]


def clockwise_from(seats: Sequence[Seat], start: int) -> list[Seat]:
    """Return ascending seats clockwise, beginning with `start` or the next one."""
    for at, seat in enumerate(seats):
        if seat >= start:
            return [*seats[at:], *seats[:at]]
    return [*seats]


class Site(NamedTuple):
    """A zone of some ring with all that depends on nothing else."""

    zone: int
    sharers: tuple[Seat, ...]
    neighbours: tuple[tuple[int, ...], ...]
    """Per sharer, the zones of that seat that are adjacent."""


class Place(NamedTuple):
    """A seat of some ring with all that depends on nothing else."""

    zones: Mapping[str, int]
    """By the word of the seat, in the order left, center, right."""
    following: Seat
    """The next seat clockwise."""
    others: Mapping[int, tuple[Seat, ...]]
    """By number of an own zone, who else shares it, ascending."""


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


def _sites(ring: tuple[Seat, ...]) -> tuple[Site, ...]:
    sites = []
    for zone in all_zones(ring):
        seats = sharers(zone, ring)
        sites.append(Site(zone, seats, tuple(neighbours(zone, seat, ring) for seat in seats)))
    return tuple(sites)


_RINGS = [
    ring
    for size in range(2, MOST_SEATS + 1)
    for ring in combinations(map(Seat, range(MOST_SEATS)), size)
]

SITES: Final[Mapping[tuple[Seat, ...], tuple[Site, ...]]] = {ring: _sites(ring) for ring in _RINGS}
"""By ring its zones, in the order of `all_zones`."""

SEAT_PLACES: Final[Mapping[tuple[Seat, ...], Mapping[Seat, Place]]] = {
    ring: _places(ring) for ring in _RINGS
}
"""By ring and seat."""


# --- in sentences ---------------------------------------------------------------------------------

_ZONES = {
    "left": sentence("left zone"),
    "center": sentence("center zone"),
    "right": sentence("right zone"),
}
_PLACES = {"left": sentence("left"), "center": sentence("center"), "right": sentence("right")}


def zone_words(place: str) -> Sentence:
    """`left zone`, as it follows "your"."""
    return _ZONES[place]


def places_words(places: Sequence[str]) -> Sentence:
    """`left, right`: as orders name them."""
    return joined([_PLACES[place] for place in places], ", ")

"""Compare the tables of zones with rings written out by hand (PLX-3, PLX-4).

They are made when the module is imported; what is written here was taken from the rule book.
"""

from itertools import combinations

import pytest

from engine.phalanx.state import SEAT_PLACES, SITES

# Per ring: seat -> (left, right, next clockwise); zone 0 is the center, zone S + 1 the left of seat S.
RINGS = {
    (0, 1): {0: (1, 2, 1), 1: (2, 1, 0)},
    (2, 5): {2: (3, 6, 5), 5: (6, 3, 2)},
    (0, 1, 2): {0: (1, 3, 1), 1: (2, 1, 2), 2: (3, 2, 0)},
    (0, 2, 3, 5): {0: (1, 6, 2), 2: (3, 1, 3), 3: (4, 3, 5), 5: (6, 4, 0)},
    (1, 2, 3, 4, 5): {1: (2, 6, 2), 2: (3, 2, 3), 3: (4, 3, 4), 4: (5, 4, 5), 5: (6, 5, 1)},
    (0, 1, 2, 3, 4, 5): {
        0: (1, 6, 1), 1: (2, 1, 2), 2: (3, 2, 3), 3: (4, 3, 4), 4: (5, 4, 5), 5: (6, 5, 0),
    },
}  # fmt: skip

# Per ring: side zone -> who shares it.
SIDES = {
    (0, 1): {1: (0, 1), 2: (0, 1)},
    (2, 5): {3: (2, 5), 6: (2, 5)},
    (0, 1, 2): {1: (0, 1), 2: (1, 2), 3: (0, 2)},
    (0, 2, 3, 5): {1: (0, 2), 3: (2, 3), 4: (3, 5), 6: (0, 5)},
    (1, 2, 3, 4, 5): {2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5), 6: (1, 5)},
    (0, 1, 2, 3, 4, 5): {1: (0, 1), 2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5), 6: (0, 5)},
}


@pytest.mark.rule("PLX-3")
@pytest.mark.parametrize("ring", RINGS)
def test_the_places_of_every_seat(ring):
    """Its zones by word, who plays next, and with whom it shares each zone."""
    assert list(SEAT_PLACES[ring]) == list(ring)
    for seat, (left, right, following) in RINGS[ring].items():
        place = SEAT_PLACES[ring][seat]
        assert list(place.zones.items()) == [("left", left), ("center", 0), ("right", right)]
        assert place.following == following
        assert place.others == {
            left: tuple(other for other in SIDES[ring][left] if other != seat),
            0: tuple(other for other in ring if other != seat),
            right: tuple(other for other in SIDES[ring][right] if other != seat),
        }
        assert list(place.others) == [left, 0, right]


@pytest.mark.rule("PLX-3", "PLX-4")
@pytest.mark.parametrize("ring", RINGS)
def test_the_sites_of_every_zone(ring):
    """The center first, then the sides from the lowest seat: sharers, and what each may flank."""
    center = (0, ring, tuple(RINGS[ring][seat][:2] for seat in ring))
    sides = [(zone, pair, ((0,), (0,))) for zone, pair in SIDES[ring].items()]
    assert [tuple(site) for site in SITES[ring]] == [center, *sides]


@pytest.mark.rule("PLX-1", "PLX-3")
def test_every_ring_of_two_to_six_has_its_tables():
    rings = [ring for size in range(2, 7) for ring in combinations(range(6), size)]
    assert list(SITES) == list(SEAT_PLACES) == rings

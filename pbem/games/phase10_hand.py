"""How near a hand of Phase 10 is to its phase, and which cards fit; for bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

WILD, SKIP = "W", "S"
NUMBERS = range(1, 13)
COLOURS = "RBGY"
NATURALS = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)

SETS = {1: (3, 3), 2: (3,), 3: (4,), 7: (4, 4), 9: (5, 2), 10: (5, 3)}
"""Sizes of the sets of a phase (P10-8)."""
RUNS = {2: 4, 3: 4, 4: 7, 5: 8, 6: 9}
"""Size of the run of a phase."""
COLOUR_PHASE, COLOUR_SIZE = 8, 7


def missing(cards: Sequence[str], phase: int) -> int:
    """Return how many cards of a phase are still missing, with wilds as substitutes.

    A run is filled before a set takes the rest. This sometimes returns one card too many.
    """
    naturals = [card for card in cards if card not in (WILD, SKIP)]
    wilds = len([card for card in cards if card == WILD])
    if phase == COLOUR_PHASE:
        colours = Counter(card[0] for card in naturals)
        return max(0, COLOUR_SIZE - max(colours.values(), default=0) - wilds)
    counts = Counter(int(card[1:]) for card in naturals)
    sets, run = SETS.get(phase, ()), RUNS.get(phase, 0)
    if not run:
        return max(0, sum(sets) - _in_sets(counts, sets) - wilds)
    best = 0
    for low in range(1, len(NUMBERS) - run + 2):
        used = [number for number in range(low, low + run) if counts[number]]
        best = max(best, len(used) + _in_sets(counts - Counter(used), sets))
    return max(0, run + sum(sets) - best - wilds)


def _in_sets(counts: Counter[int], sizes: Sequence[int]) -> int:
    """Return the largest number of cards that fit into sets of these sizes."""
    if not sizes:
        return 0
    if len(sizes) == 1:
        return min(sizes[0], max(counts.values(), default=0))
    first, second = sizes
    return max(
        (
            min(first, held) + _in_sets(counts - Counter({number: min(first, held)}), (second,))
            for number, held in counts.items()
        ),
        default=0,
    )


def helpers(cards: Sequence[str], phase: int) -> int:
    """Return how many kinds of number cards bring a hand nearer to its phase."""
    now = missing(cards, phase)
    if phase == COLOUR_PHASE:
        kinds = [f"{colour}1" for colour in COLOURS]
    else:
        kinds = [f"R{number}" for number in NUMBERS]
    return sum(missing([*cards, kind], phase) < now for kind in kinds)


def fits(card: str, groups: Sequence[Sequence[Any]]) -> bool:
    """True if a card can be hit onto a group on the table (P10-15).

    Args:
        card: the card; a skip never fits.
        groups: groups by seat, as in a view.
    """
    return any(fits_one(card, group) for laid in groups for group in laid)


def fits_one(card: str, group: Mapping[str, Any]) -> bool:
    """True if a card can be hit onto one group, as a view has it."""
    kind, cards = group["kind"], group["cards"]
    at, natural = next((at, each) for at, each in enumerate(cards) if each != WILD)
    if kind == "run":
        low = int(natural[1:]) - at
        ends = {low - 1, low + len(cards)} & set(NUMBERS)
        return bool(ends) if card == WILD else card != SKIP and int(card[1:]) in ends
    if card in (WILD, SKIP):
        return card == WILD
    return bool(card[0] == natural[0] if kind == "colour" else card[1:] == natural[1:])

"""Rank seats by score, with ties (GEN-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeAlias

from engine.api import Seat

Groups: TypeAlias = tuple[tuple[Seat, ...], ...]
"""Seats grouped by rank, best first. Tied seats are in ascending order."""


def rank_by(seats: Iterable[Seat], score: Callable[[Seat], Any]) -> Groups:
    """Group seats by score, lowest score first."""
    return tuple(tuple(group) for _, group in groupby(sorted(sorted(seats), key=score), key=score))


def places(groups: Groups) -> dict[Seat, int]:
    """Assign rank numbers. Ties share a rank and skip the next ranks: 1, 2, 2, 4 (GEN-17)."""
    numbered: dict[Seat, int] = {}
    for group in groups:
        numbered |= dict.fromkeys(group, len(numbered) + 1)
    return numbered

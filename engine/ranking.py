"""Places by score, with ties (GEN-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeAlias

from engine.api import Seat

Groups: TypeAlias = tuple[tuple[Seat, ...], ...]
"""Seats by place, best first. Tied seats are together, ascending."""


def rank_by(seats: Iterable[Seat], score: Callable[[Seat], Any]) -> Groups:
    """Group seats by their score, the lowest first."""
    return tuple(tuple(group) for _, group in groupby(sorted(sorted(seats), key=score), key=score))


def places(groups: Groups) -> dict[Seat, int]:
    """Number the places. Tied seats use up their number of places: 1, 2, 2, 4 (GEN-17)."""
    numbered: dict[Seat, int] = {}
    for group in groups:
        numbered |= dict.fromkeys(group, len(numbered) + 1)
    return numbered

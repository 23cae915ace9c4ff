"""When a move is due, and when its player is reminded: instants in UTC, nothing local."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

LATE_DELIVERY = timedelta(seconds=60)
"""A turn mail that left later than this after the decision moves the deadline : no delivery costs a deadline."""


def plan(
    starts_at: datetime, time_per_move: int, percents: Iterable[int]
) -> tuple[datetime, tuple[datetime, ...]]:
    """Give the deadline and the instants of the reminders, ascending.

    Args:
        starts_at: when the clock starts.
        time_per_move: seconds.
        percents: shares of the time that have passed at a reminder, each 1 to 99.
    """
    time = timedelta(seconds=time_per_move)
    reminders = tuple(starts_at + time * percent / 100 for percent in sorted(percents))
    return starts_at + time, reminders


def is_late(starts_at: datetime, sent_at: datetime, time_per_move: int) -> bool:
    """Say whether the turn mail left so late that its player would lose noticeable time."""
    tolerance = max(LATE_DELIVERY, timedelta(seconds=time_per_move) / 100)
    return sent_at - starts_at > tolerance

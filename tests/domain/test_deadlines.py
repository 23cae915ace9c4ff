"""When a move is due, and when its player is reminded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.deadlines import is_late, plan

NOW = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)


def test_plan_counts_elapsed_time() -> None:
    """Three days are 72 hours, also where clocks are changed in between; reminders ascend."""
    due, reminders = plan(NOW, 3 * 86400, (90, 50))
    assert due == NOW + timedelta(hours=72)
    assert reminders == (NOW + timedelta(hours=36), NOW + timedelta(hours=64.8))


@given(
    st.integers(1, 400 * 86400),
    st.lists(st.integers(1, 99), unique=True, max_size=5),
)
def test_reminders_lie_between_start_and_deadline(seconds: int, percents: list[int]) -> None:
    """Ascending, never at the start, never at or after the deadline."""
    due, reminders = plan(NOW, seconds, percents)
    assert list(reminders) == sorted(reminders)
    assert all(NOW < at < due for at in reminders)
    assert len(reminders) == len(percents)


@pytest.mark.parametrize(
    ("seconds", "delay", "late"),
    [
        (86400, 60, False),
        (86400, 864, False),
        (86400, 865, True),
        (600, 60, False),
        (600, 61, True),
        (3 * 86400, 2592, False),
        (3 * 86400, 2593, True),
        (45, 30, False),
    ],
)
def test_late_is_more_than_a_minute_and_more_than_a_hundredth(
    seconds: int, delay: int, late: bool
) -> None:
    """Small delays change nothing; noticeable ones move the deadline."""
    assert is_late(NOW, NOW + timedelta(seconds=delay), seconds) is late

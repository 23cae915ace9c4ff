"""Test the times of deadlines and reminders."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.clock.deadlines import Span, is_late, plan
from pbem.domain.terms.timing import Timing
from tests.domain.samples import started

NOW = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)


def planned(timing: Timing, zones: dict[int, str] | None = None) -> Span:
    game = started(timing=timing).game
    return plan(game, [int(seat) for seat in game.to_act], NOW, zones or {})


def test_plan_counts_elapsed_time() -> None:
    """Three days are 72 hours, also where clocks are changed in between; reminders ascend."""
    span = planned(Timing(3 * 86400, reminders=(50, 90)), {0: "Europe/Berlin", 1: "Europe/Berlin"})
    assert span.due_at == span.base_at == span.fires_at == NOW + timedelta(hours=72)
    assert span.reminders == (NOW + timedelta(hours=36), NOW + timedelta(hours=64.8))


def test_bank_and_grace_come_after_the_time_per_move() -> None:
    """The deadline includes the remaining bank, and the grace is not announced."""
    span = planned(Timing(86400, bank=7200, grace=600))
    assert span.base_at == NOW + timedelta(days=1)
    assert span.due_at == NOW + timedelta(hours=26)
    assert span.fires_at == NOW + timedelta(hours=26, minutes=10)


def test_nobody_is_reminded_at_night() -> None:
    """A reminder waits for the end of the quiet hours, and falls away behind the deadline."""
    timing = Timing(86400, quiet=(22, 8), reminders=(10, 50, 99))
    span = planned(timing, {0: "UTC", 1: "UTC"})
    morning = datetime(2026, 10, 25, 8, tzinfo=UTC)
    assert span.due_at == datetime(2026, 10, 26, 8, tzinfo=UTC)
    assert span.reminders == (morning, NOW + (span.due_at - NOW) / 2)[: len(span.reminders)]


@given(
    st.integers(1, 90 * 86400),
    st.lists(st.integers(1, 99), unique=True, max_size=5),
)
def test_reminders_lie_between_start_and_deadline(seconds: int, percents: list[int]) -> None:
    """Ascending, never at the start, never at or after the deadline."""
    span = planned(Timing(seconds, reminders=tuple(sorted(percents))))
    assert list(span.reminders) == sorted(span.reminders)
    assert all(NOW < at < span.due_at for at in span.reminders)
    assert len(span.reminders) == len(percents)


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

"""Test deadlines in days of the player's time zone."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.terms.calendar import (
    CalendarError,
    Days,
    Hours,
    Vacation,
    after_gap,
    daily,
    due,
    passed,
)

TABLE = Path(__file__).parents[3] / "docs" / "time.md"
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
UNITS = {"d": "days", "h": "hours"}


def examples(columns: int):
    rows = [line.strip("| ").split(" | ") for line in TABLE.read_text().splitlines()]
    return [row for row in rows if len(row) == columns and "/" in row[0]]


def calendar(zone: str, weekends: str, falls_at: str, quiet: str, off: str) -> Days:
    return Days(
        zone,
        weekends_off=weekends == "yes",
        falls_at=None if falls_at == "–" else int(falls_at),
        quiet=None if quiet == "–" else Hours(*map(int, quiet.split("–"))),
        vacations=vacation(off),
    )


def instant(text: str, zone: str) -> datetime:
    local = datetime.strptime(text, "%a %Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone), fold=1)
    return local.astimezone(UTC)


def vacation(text: str) -> tuple[Vacation, ...]:
    return () if text == "–" else (Vacation(*map(date.fromisoformat, text.split(" to "))),)


@pytest.mark.parametrize("row", examples(8), ids=" ".join)
def test_the_examples_of_the_documentation(row):
    zone, begins, time, *options, expected = row
    days = calendar(zone, *options)
    allowed = timedelta(**{UNITS[time[-1]]: int(time[:-1])})
    assert due(instant(begins, zone), allowed, days) == instant(expected, zone)


@pytest.mark.parametrize("row", examples(9), ids=" ".join)
def test_the_examples_of_outages(row):
    """A deadline that was moved by a gap falls where the game lets one fall."""
    zone, was_due, begin, end, *options, expected = row
    instants = (instant(text, zone) for text in (was_due, begin, end))
    assert after_gap(*instants, calendar(zone, *options)) == instant(expected, zone)


BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
INSTANTS = st.integers(0, 3 * 365 * 86_400).map(lambda seconds: BEGIN + timedelta(seconds=seconds))
TIMES = st.timedeltas(timedelta(minutes=1), timedelta(days=14))
VACATIONS = st.lists(
    st.builds(
        lambda first, length: Vacation(first, first + timedelta(days=length)),
        st.dates(date(2025, 1, 1), date(2028, 1, 1)),
        st.integers(0, 20),
    ),
    max_size=3,
).map(tuple)
DAYS = st.builds(
    Days,
    zone=st.sampled_from(ZONES),
    weekends_off=st.booleans(),
    falls_at=st.none() | st.integers(0, 23),
    quiet=st.none() | st.builds(Hours, st.integers(0, 23), st.integers(0, 23)),
    vacations=VACATIONS,
)


@given(INSTANTS, TIMES, DAYS)
def test_no_player_gets_less_than_the_time_agreed(starts_at, allowed, days):
    found = due(starts_at, allowed, days)
    assert passed(starts_at, found, days) >= allowed
    assert found - starts_at >= allowed


@given(INSTANTS, TIMES, DAYS)
def test_deadlines_fall_where_they_may(starts_at, allowed, days):
    found = due(starts_at, allowed, days)
    local = found.astimezone(ZoneInfo(days.zone))
    # At the very end of the last day that counts it is already the next one.
    just_before = (found - timedelta(microseconds=1)).astimezone(ZoneInfo(days.zone))
    assert days.counts(local.date()) or days.counts(just_before.date())
    if days.falls_at is None and days.quiet is not None and days.quiet.begin != days.quiet.end:
        assert not days.quiet.holds(local.hour)


@given(INSTANTS, TIMES, TIMES, st.timedeltas(timedelta(0), timedelta(days=4)), DAYS)
def test_an_outage_costs_no_time(starts_at, allowed, until_gap, gap, days):
    """Without the gap the player had what was agreed on; with it no less, and no earlier."""
    was_due = due(starts_at, allowed, days)
    begin = min(starts_at + until_gap, was_due)
    found = after_gap(was_due, begin, begin + gap, days)
    assert found - was_due >= gap
    had = passed(starts_at, begin, days) + passed(begin + gap, found, days)
    assert had >= allowed
    zone = ZoneInfo(days.zone)
    just_before = (found - timedelta(microseconds=1)).astimezone(zone)
    assert days.counts(found.astimezone(zone).date()) or days.counts(just_before.date())


@given(INSTANTS, TIMES, DAYS)
def test_a_day_more_of_vacation_never_makes_it_earlier(starts_at, allowed, days):
    zone = ZoneInfo(days.zone)
    first = starts_at.astimezone(zone).date() + timedelta(days=1)
    longer = Days(
        days.zone,
        days.weekends_off,
        days.falls_at,
        days.quiet,
        (*days.vacations, Vacation(first, first)),
    )
    assert due(starts_at, allowed, longer) >= due(starts_at, allowed, days)


def test_an_endless_vacation_is_refused():
    days = Days(vacations=(Vacation(date(2026, 1, 1), date(2030, 1, 1)),))
    with pytest.raises(CalendarError):
        due(datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=1), days)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-11-21 12:00", "2026-11-21 17:00"),
        ("2026-11-21 17:00", "2026-11-22 17:00"),
        ("2026-03-28 17:30", "2026-03-29 16:00"),  # the night of the change to summer time
        ("2026-10-24 16:30", "2026-10-25 17:00"),
    ],
)
def test_an_hour_of_the_day_is_that_of_the_zone(now: str, expected: str) -> None:
    """18:00 in Berlin, in summer and in winter."""
    instant, then = (datetime.fromisoformat(f"{text}+00:00") for text in (now, expected))
    assert daily(instant, 18, "Europe/Berlin") == then

"""Compute deadlines in the calendar of each player.

This module contains all arithmetic with time zones: days, weekends and nights. Results are UTC
times. The log stores them, so later changes of time zone rules do not move deadlines.

The rules are:

1. Time starts at the given time and runs on counting days: all days, or all except Saturdays and
   Sundays with `weekends_off`, but never vacation days. Days are those of the player's zone. An hour
   always has 60 minutes, even when daylight saving time starts or ends.
2. The end is then moved later, never earlier: with `falls_at` to the next such hour of the player's
   day, otherwise out of the quiet hours. The result is always on a counting day.

A local time that daylight saving time skips becomes the first time after the gap. If a local time
occurs twice, the later one is used, in favour of the player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
LONGEST_WAIT = timedelta(days=800)
"""Upper limit of time, weekends and vacations together. Far beyond what options allow."""


class CalendarError(ValueError):
    """Raised when the days off leave no time for a move."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Quiet hours of a day, e.g. `22` to `8`: `begin` is included, `end` is not.

    They may cross midnight.
    """

    begin: int
    end: int

    def holds(self, hour: int) -> bool:
        """True if an hour of the day is within these hours."""
        if self.begin <= self.end:
            return self.begin <= hour < self.end
        return hour >= self.begin or hour < self.end


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which a player's time does not run, from `first` to `last` inclusive."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        """True if a day is within the vacation."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class Days:
    """The days and hours that count for one player in one game.

    Attributes:
        zone: IANA name.
        weekends_off: True if Saturdays and Sundays do not count.
        falls_at: hour (0 to 23) at which deadlines fall. None means any time.
        quiet: hours in which no deadline falls.
        vacations: in any order. They may overlap.
    """

    zone: str = "UTC"
    weekends_off: bool = False
    falls_at: int | None = None
    quiet: Hours | None = None
    vacations: tuple[Vacation, ...] = ()

    def counts(self, day: date) -> bool:
        """True if time runs on this day."""
        is_weekend = self.weekends_off and day.weekday() >= SATURDAY
        return not is_weekend and not any(off.holds(day) for off in self.vacations)


def due(starts_at: datetime, allowed: timedelta, days: Days) -> datetime:
    """Return the UTC time at which the allowed time ends.

    Raises:
        CalendarError: days off leave no time.
    """
    zone = ZoneInfo(days.zone)
    left = allowed
    for begin, end in _counting(starts_at, zone, days):
        if end - begin >= left:
            return fair(begin + left, days)
        left -= end - begin
    raise CalendarError("there is no end: too many days do not count")


def passed(starts_at: datetime, until: datetime, days: Days) -> timedelta:
    """Return the counting time between two times, or 0 if `until` is earlier."""
    total = timedelta()
    for begin, end in _counting(starts_at, ZoneInfo(days.zone), days):
        if begin >= until:
            break
        total += min(end, until) - begin
    return total


def fair(instant: datetime, days: Days) -> datetime:
    """Return the first time at or after `instant` at which a deadline may fall."""
    zone = ZoneInfo(days.zone)
    local = instant.astimezone(zone)
    if days.falls_at is not None:
        return _next_at(instant, days.falls_at, zone, days)
    if days.quiet is not None and days.quiet.holds(local.hour):
        return _next_at(instant, days.quiet.end, zone, days)
    if not days.counts(local.date()):
        return _next_at(instant, 0, zone, days)
    return instant


def daily(after: datetime, hour: int, zone: str) -> datetime:
    """Return the first time after `after` at which it is `hour` o'clock in the zone."""
    return fair(after + timedelta(seconds=1), Days(zone, falls_at=hour))


def after_gap(instant: datetime, begin: datetime, end: datetime, days: Days) -> datetime:
    """Return the new time of a deadline after an outage of the service.

    It moves by at least the length of the outage. The player gets back all counting time in it.
    """
    moved = fair(instant + (end - begin), days)
    return max(moved, due(instant, passed(begin, end, days), days))


def awake(instant: datetime, days: Days) -> datetime:
    """Return the time itself, or the end of the quiet hours if it falls within them."""
    zone = ZoneInfo(days.zone)
    local = instant.astimezone(zone)
    if days.quiet is None or not days.quiet.holds(local.hour):
        return instant
    end = datetime.combine(local.date(), time(days.quiet.end))
    found = _instant(end, zone)
    return found if found > instant else _instant(end + timedelta(days=1), zone)


def _counting(
    starts_at: datetime, zone: ZoneInfo, days: Days
) -> Iterator[tuple[datetime, datetime]]:
    """Yield the periods (UTC) in which time runs, from a time on."""
    day = starts_at.astimezone(zone).date()
    begin = starts_at.astimezone(UTC)
    while begin - starts_at < LONGEST_WAIT:
        tomorrow = day + timedelta(days=1)
        end = _instant(datetime.combine(tomorrow, time()), zone)
        if days.counts(day):
            yield begin, end
        day, begin = tomorrow, end


def _next_at(instant: datetime, hour: int, zone: ZoneInfo, days: Days) -> datetime:
    """Return the first time at or after `instant` with this hour on a counting day."""
    day = instant.astimezone(zone).date()
    while True:
        found = _instant(datetime.combine(day, time(hour)), zone)
        if found >= instant and days.counts(day):
            return found
        day += timedelta(days=1)
        if found - instant > LONGEST_WAIT:
            raise CalendarError("there is no end: too many days do not count")


def _instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Convert a local time to UTC.

    Of a skipped hour it is the end, of a repeated hour the later time.
    """
    earlier, later = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if earlier > later:  # skipped by daylight saving time: both candidates are off by about an hour
        return _change(later, earlier, zone)
    return later


def _change(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """Return the time (to the minute) at which the UTC offset of the zone changes."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(second=0, microsecond=0)

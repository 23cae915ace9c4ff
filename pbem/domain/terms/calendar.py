"""Computes when a move is due, in the player's own days, from a game's clock.

All arithmetic that depends on a zone is here: days, weekends, nights. The results are instants in
UTC. The log stores them, so a later change of a zone's rules moves no deadline.

How the time runs:

1. It starts at the given instant and runs on the days that count: all of them, or without Saturdays
   and Sundays (`weekends_off`), and never on vacation days. Days are those of the player's zone.
   An hour is always 60 minutes, even in the night when the clocks change.
2. The end is moved later, never earlier: with `falls_at` to the next such hour of the player's day,
   else from the quiet hours to their end. Either must be on a day that counts.

If a change of the clocks skips a local time, the first instant after the gap replaces it. If a
local time occurs twice, the later one counts: nobody loses time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
LONGEST_WAIT = timedelta(days=800)
"""Longest sum of time, weekends and vacations: a guard, far beyond the options."""


class CalendarError(ValueError):
    """The days off leave no time for a move."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Quiet hours of a day, `22` to `8`: the first is included, the second is not.

    They can cross midnight.
    """

    begin: int
    end: int

    def holds(self, local: datetime) -> bool:
        """True if a local time is in these hours."""
        if self.begin <= self.end:
            return self.begin <= local.hour < self.end
        return local.hour >= self.begin or local.hour < self.end


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which a player's time does not run, from `first` to `last` inclusive."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        """True if a day belongs to the vacation."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class Days:
    """Which days and hours count for one player in one game.

    Attributes:
        zone: IANA name.
        weekends_off: Saturdays and Sundays do not count.
        falls_at: hour, 0 to 23, at which deadlines fall; None = any time.
        quiet: hours in which no deadline falls.
        vacations: in any order; they can overlap.
    """

    zone: str = "UTC"
    weekends_off: bool = False
    falls_at: int | None = None
    quiet: Hours | None = None
    vacations: tuple[Vacation, ...] = ()

    def counts(self, day: date) -> bool:
        """True if time runs on a day."""
        is_weekend = self.weekends_off and day.weekday() >= SATURDAY
        return not is_weekend and not any(off.holds(day) for off in self.vacations)


def due(starts_at: datetime, allowed: timedelta, days: Days) -> datetime:
    """Return the instant, in UTC, at which the allowed time is over.

    Raises: CalendarError if the days off leave no time.
    """
    zone = ZoneInfo(days.zone)
    left = allowed
    for begin, end in _counting(starts_at, zone, days):
        if end - begin >= left:
            return fair(begin + left, days)
        left -= end - begin
    raise CalendarError("there is no end: too many days do not count")


def passed(starts_at: datetime, until: datetime, days: Days) -> timedelta:
    """Return how much time counts between two instants; 0 if the second is earlier."""
    total = timedelta()
    for begin, end in _counting(starts_at, ZoneInfo(days.zone), days):
        if begin >= until:
            break
        total += min(end, until) - begin
    return total


def fair(instant: datetime, days: Days) -> datetime:
    """Return the instant if a deadline can fall then, else the next such instant."""
    zone = ZoneInfo(days.zone)
    local = instant.astimezone(zone)
    if days.falls_at is not None:
        return _next_at(instant, days.falls_at, zone, days)
    if days.quiet is not None and days.quiet.holds(local):
        return _next_at(instant, days.quiet.end, zone, days)
    if not days.counts(local.date()):
        return _next_at(instant, 0, zone, days)
    return instant


def daily(after: datetime, hour: int, zone: str) -> datetime:
    """Return the next instant after this one at which a day in the zone comes to that hour."""
    return fair(after + timedelta(seconds=1), Days(zone, falls_at=hour))


def after_gap(instant: datetime, begin: datetime, end: datetime, days: Days) -> datetime:
    """Return the new instant of a deadline after a gap in the service.

    It is later by the whole gap. The player gets back all time in the gap that counted.
    """
    moved = fair(instant + (end - begin), days)
    return max(moved, due(instant, passed(begin, end, days), days))


def awake(instant: datetime, days: Days) -> datetime:
    """Return the instant, or the end of the quiet hours that it is in."""
    zone = ZoneInfo(days.zone)
    local = instant.astimezone(zone)
    if days.quiet is None or not days.quiet.holds(local):
        return instant
    end = datetime.combine(local.date(), time(days.quiet.end))
    found = _instant(end, zone)
    return found if found > instant else _instant(end + timedelta(days=1), zone)


def _counting(
    starts_at: datetime, zone: ZoneInfo, days: Days
) -> Iterator[tuple[datetime, datetime]]:
    """Yield the periods, in UTC, in which time runs from an instant on."""
    day = starts_at.astimezone(zone).date()
    begin = starts_at.astimezone(UTC)
    while begin - starts_at < LONGEST_WAIT:
        tomorrow = day + timedelta(days=1)
        end = _instant(datetime.combine(tomorrow, time()), zone)
        if days.counts(day):
            yield begin, end
        day, begin = tomorrow, end


def _next_at(instant: datetime, hour: int, zone: ZoneInfo, days: Days) -> datetime:
    """Return the first instant from the given one at this hour of a day that counts."""
    day = instant.astimezone(zone).date()
    while True:
        found = _instant(datetime.combine(day, time(hour)), zone)
        if found >= instant and days.counts(day):
            return found
        day += timedelta(days=1)
        if found - instant > LONGEST_WAIT:
            raise CalendarError("there is no end: too many days do not count")


def _instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time: after a gap, or the later of two."""
    earlier, later = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if earlier > later:  # a gap: both readings miss the change by about an hour
        return _change(later, earlier, zone)
    return later


def _change(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant, to the minute, at which the zone's offset changes."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(second=0, microsecond=0)

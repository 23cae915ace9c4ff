"""From an instant and a game's clock to the instant a move is due, in the player's own days.

All arithmetic that depends on a zone is here: days, weekends, nights. What comes out are instants in
UTC; they are what the log keeps, so that a later change of a zone's rules moves no deadline.

How the time runs:

1. It starts at the given instant and runs on the days that count: all of them, or without Saturdays
   and Sundays (`weekends_off`), and never on days of a vacation. Days are those of the player's zone.
   An hour is always 60 minutes, also in the night in which the clocks change.
2. Where it runs out is moved later, never earlier: with `falls_at` to the next such hour of the
   player's day, else out of the quiet hours to their end. Either on a day that counts.

Where a local time is skipped by a change of the clocks the first instant after the gap stands for it;
where it comes twice, the later one: nobody loses time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
LONGEST_WAIT = timedelta(days=800)
"""No sum of time, weekends and vacations may last longer; a guard, far beyond what options allow."""


class CalendarError(ValueError):
    """The days off leave no time for a move."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Quiet hours of a day, `22` to `8`: from the first hour up to the second, over midnight or not."""

    begin: int
    end: int

    def holds(self, local: datetime) -> bool:
        """True if a local time lies in them."""
        if self.begin <= self.end:
            return self.begin <= local.hour < self.end
        return local.hour >= self.begin or local.hour < self.end


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days on which the time of one player stands still, both ends included."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        """True if a day belongs to it."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class Days:
    """Which days and hours count for one player in one game.

    Attributes:
        zone: IANA name.
        weekends_off: Saturdays and Sundays do not count.
        falls_at: hour, 0 to 23, at which deadlines fall; None = whenever.
        quiet: hours in which no deadline falls.
        vacations: in no order; they may overlap.
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
    """Return the instant, in UTC, at which a time is over that began at an instant.

    Raises: CalendarError if the days off swallow all time.
    """
    zone = ZoneInfo(days.zone)
    left = allowed
    for begin, end in _counting(starts_at, zone, days):
        if end - begin >= left:
            return fair(begin + left, days)
        left -= end - begin
    raise CalendarError("there is no end: too many days do not count")


def passed(starts_at: datetime, until: datetime, days: Days) -> timedelta:
    """Return how much counting time lies between two instants; 0 if the second is the earlier."""
    total = timedelta()
    for begin, end in _counting(starts_at, ZoneInfo(days.zone), days):
        if begin >= until:
            break
        total += min(end, until) - begin
    return total


def fair(instant: datetime, days: Days) -> datetime:
    """Return an instant, or the next one at which a deadline may fall."""
    zone = ZoneInfo(days.zone)
    local = instant.astimezone(zone)
    if days.falls_at is not None:
        return _next_at(instant, days.falls_at, zone, days)
    if days.quiet is not None and days.quiet.holds(local):
        return _next_at(instant, days.quiet.end, zone, days)
    if not days.counts(local.date()):
        return _next_at(instant, 0, zone, days)
    return instant


def after_gap(instant: datetime, begin: datetime, end: datetime, days: Days) -> datetime:
    """Return the instant to which a deadline moves because nobody was served between two others.

    It is later by the whole gap, and the player gets back all of the time in it that counted.
    """
    moved = fair(instant + (end - begin), days)
    return max(moved, due(instant, passed(begin, end, days), days))


def awake(instant: datetime, days: Days) -> datetime:
    """Return the instant, or the end of the quiet hours in which it lies."""
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
    """Yield the stretches in which time runs, in UTC, from an instant on."""
    day = starts_at.astimezone(zone).date()
    begin = starts_at.astimezone(UTC)
    while begin - starts_at < LONGEST_WAIT:
        tomorrow = day + timedelta(days=1)
        end = _instant(datetime.combine(tomorrow, time()), zone)
        if days.counts(day):
            yield begin, end
        day, begin = tomorrow, end


def _next_at(instant: datetime, hour: int, zone: ZoneInfo, days: Days) -> datetime:
    """Return the first instant, not before the given one, at this hour of a day that counts."""
    day = instant.astimezone(zone).date()
    while True:
        found = _instant(datetime.combine(day, time(hour)), zone)
        if found >= instant and days.counts(day):
            return found
        day += timedelta(days=1)
        if found - instant > LONGEST_WAIT:
            raise CalendarError("there is no end: too many days do not count")


def _instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time: after a gap, and the later of two."""
    earlier, later = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if earlier > later:  # a gap: both readings are an hour or so off, around the change
        return _change(later, earlier, zone)
    return later


def _change(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant between two at which the zone's offset changes, to the minute."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(second=0, microsecond=0)

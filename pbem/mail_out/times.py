"""Days, times and durations as translatable sentences."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.sentences import Sentence, all_of, plural, sentence
from pbem.plain import clean

SHORT_DAYS = (
    sentence("Mon"),
    sentence("Tue"),
    sentence("Wed"),
    sentence("Thu"),
    sentence("Fri"),
    sentence("Sat"),
    sentence("Sun"),
)
SHORT_MONTHS = (
    sentence("Jan"),
    sentence("Feb"),
    sentence("Mar"),
    sentence("Apr"),
    sentence("May"),
    sentence("Jun"),
    sentence("Jul"),
    sentence("Aug"),
    sentence("Sep"),
    sentence("Oct"),
    sentence("Nov"),
    sentence("Dec"),
)
_UTC = frozenset({"UTC", "Etc/UTC"})
DAYS = (
    sentence("Monday"),
    sentence("Tuesday"),
    sentence("Wednesday"),
    sentence("Thursday"),
    sentence("Friday"),
    sentence("Saturday"),
    sentence("Sunday"),
)
MONTHS = (
    sentence("January"),
    sentence("February"),
    sentence("March"),
    sentence("April"),
    sentence("May"),
    sentence("June"),
    sentence("July"),
    sentence("August"),
    sentence("September"),
    sentence("October"),
    sentence("November"),
    sentence("December"),
)


def day_text(day: object) -> str:
    """Format an ISO date, e.g. `2026-12-20` as `20 December 2026`. Other texts stay unchanged."""
    try:
        date_ = date.fromisoformat(str(day))
    except ValueError:
        return clean(day)
    return _date(date_)


def _date(day: date) -> Sentence:
    month = MONTHS[day.month - 1]
    return sentence("{day} {month} {year}", day=day.day, month=month, year=day.year)


def _local(moment: datetime, zone: str) -> tuple[datetime, str]:
    """Convert a time to a time zone. Returns the time and the zone's name, or UTC if unknown."""
    try:
        tz, city = ZoneInfo(zone), clean(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        tz, city = ZoneInfo("UTC"), "UTC"
    return moment.astimezone(UTC).astimezone(tz), city


def when_text(moment: datetime, zone: str) -> Sentence:
    """Format a time in the reader's zone with its UTC offset. An unknown zone is shown as UTC."""
    local, city = _local(moment, zone)
    offset = local.strftime("%z")
    return sentence(
        "{weekday}, {date}, {clock} ({zone})",
        weekday=DAYS[local.weekday()],
        date=_date(local.date()),
        clock=f"{local:%H:%M}",
        zone="UTC" if city in _UTC else f"UTC{offset[:3]}:{offset[3:5]}, {city}",
    )


def short_text(moment: datetime, zone: str) -> Sentence:
    """Format a time as `Tue 24 Nov, 13:00` in the reader's time zone.

    UTC is named explicitly, because the reader did not choose it.
    """
    local, city = _local(moment, zone)
    values = {
        "weekday": SHORT_DAYS[local.weekday()],
        "day": local.day,
        "month": SHORT_MONTHS[local.month - 1],
        "clock": f"{local:%H:%M}",
    }
    if city in _UTC:
        return sentence("{weekday} {day} {month}, {clock} UTC", **values)
    return sentence("{weekday} {day} {month}, {clock}", **values)


def past_time_text(moment: datetime, zone: str) -> Sentence:
    """Format a past time as `Saturday, 21 November, 13:05` in the reader's zone."""
    local, _ = _local(moment, zone)
    return sentence("{day}, {clock}", day=date_text(moment, zone), clock=f"{local:%H:%M}")


def date_text(moment: datetime, zone: str) -> Sentence:
    """Format a date as `Saturday, 21 November` in the reader's zone."""
    local, _ = _local(moment, zone)
    return sentence(
        "{weekday}, {day} {month}",
        weekday=DAYS[local.weekday()],
        day=local.day,
        month=MONTHS[local.month - 1],
    )


def left_text(seconds: int) -> Sentence:
    """Format a duration in its two largest units, e.g. `4 hours and 35 minutes`."""
    days, rest = divmod(seconds, 86_400)
    hours, minutes = rest // 3_600, rest % 3_600 // 60
    parts = [
        (days, plural("{count} day", "{count} days", days)),
        (hours, plural("{count} hour", "{count} hours", hours)),
        (minutes, plural("{count} minute", "{count} minutes", minutes)),
    ]
    words = [text for count, text in parts if count]
    return all_of(words[:2]) if words else sentence("less than a minute")


def short_left_text(seconds: int) -> Sentence:
    """Format a duration in its two largest units, in short form, e.g. `5 h 30 min`."""
    days, rest = divmod(seconds, 86_400)
    hours, minutes = rest // 3_600, rest % 3_600 // 60
    if days:
        text = plural("{count} day", "{count} days", days)
        return sentence("{days} {hours} h", days=text, hours=hours) if hours else text
    if hours and minutes:
        return sentence("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return (
        sentence("{hours} h", hours=hours) if hours else sentence("{minutes} min", minutes=minutes)
    )


def ahead_text(seconds: int) -> Sentence:
    """Format an approximate time from now, e.g. `in 3 days`, or `in 36 hours` below 48 hours."""
    if seconds >= 2 * 86_400:
        return plural("in {count} day", "in {count} days", round(seconds / 86_400))
    hours = seconds // 3_600
    if hours:
        return plural("in {count} hour", "in {count} hours", hours)
    return plural("in {count} minute", "in {count} minutes", max(1, seconds // 60))


def about_text(seconds: int) -> Sentence:
    """Format an approximate duration, e.g. `40 minutes`, `7 hours` or `3 days`."""
    if seconds >= 2 * 86_400:
        return plural("{count} day", "{count} days", round(seconds / 86_400))
    if seconds >= 2 * 3_600:
        return plural("{count} hour", "{count} hours", round(seconds / 3_600))
    return plural("{count} minute", "{count} minutes", max(1, round(seconds / 60)))

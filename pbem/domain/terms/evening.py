"""A fast evening: a few minutes for each move until a set hour, then the usual time again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.sentences import sentence
from pbem.errors import Refusal

FAST = 300
"""Seconds for a move in a fast evening."""
LONGEST = timedelta(hours=12)
"""Maximum length of a fast evening."""
_USUAL = timedelta(hours=4)


def end_of(hour: str | None, now: datetime, zone: str) -> datetime:
    """Return the end of a fast evening that starts now.

    Args:
        hour: time of day such as `23` or `23:30`. None ends it after four hours, rounded to the
            hour.
        zone: IANA time zone of the person who asks.

    Raises:
        Refusal: the time of day does not occur within 12 hours.
    """
    local = now.astimezone(ZoneInfo(zone))
    if hour is None:
        later = local + _USUAL
        whole = later.replace(minute=0, second=0, microsecond=0)
        return (whole if whole == later else whole + timedelta(hours=1)).astimezone(UTC)
    hours, _, minutes = hour.partition(":")
    if int(hours) <= 23 and int(minutes or 0) <= 59:  # noqa: PLR2004  (a time of day)
        end = local.replace(hour=int(hours), minute=int(minutes or 0), second=0, microsecond=0)
        end = (end if end > local else end + timedelta(days=1)).astimezone(UTC)
        if end - now <= LONGEST:
            return end
    raise Refusal(
        "fast",
        sentence("A fast evening ends at a time of day within the next 12 hours."),
        suggestions=(sentence("tempo fast until 23"), sentence("tempo fast")),
    )

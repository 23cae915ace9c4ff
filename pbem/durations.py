"""Parse and format durations: `3d`, `36h`, `P3D`, `3 days`."""

from __future__ import annotations

import re
from datetime import timedelta

from engine.sentences import Sentence, plural, sentence

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_PART = r"(\d{1,6})\s*([wdhms])"
_LONG_UNIT = re.compile(r"\b(?<=[\d ])(w|d|h|m|s)(?:eek|ay|our|inute|econd)s?\b")
_SHORT = re.compile(rf"{_PART}(?:\s*{_PART})*")
_ISO = re.compile(
    r"p(?:(\d{1,4})w)?(?:(\d{1,6})d)?(?:t(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?)?"
)
_ISO_UNITS = ("w", "d", "h", "m", "s")
HOW = sentence('write a time as "3d", "36h", "90m", "1d 12h" or "P3D"')


def parse_duration(text: object) -> timedelta:
    """Parse `45s`, `90m`, `36h`, `2w`, `1d 12h`, `3 days`, or ISO 8601 `P3D`, `PT36H`.

    Raises: ValueError, whose message shows the valid forms, also for a zero duration.
    """
    words = text.strip().lower() if isinstance(text, str) else ""
    words = _LONG_UNIT.sub(lambda found: found[1], words)
    if _SHORT.fullmatch(words):
        seconds = sum(int(count) * _SECONDS[unit] for count, unit in re.findall(_PART, words))
    elif iso := _ISO.fullmatch(words):
        parts = zip(_ISO_UNITS, iso.groups(), strict=True)
        seconds = sum(int(count) * _SECONDS[unit] for unit, count in parts if count)
    else:
        seconds = 0
    if seconds == 0:
        raise ValueError(HOW)
    return timedelta(seconds=seconds)


def duration_words(seconds: int) -> Sentence:
    """Return a duration in the largest unit that divides it: `3 days`, `36 hours`."""
    count, unit = _exactly(seconds)
    match unit:
        case "d":
            return plural("{count} day", "{count} days", count)
        case "h":
            return plural("{count} hour", "{count} hours", count)
        case "m":
            return plural("{count} minute", "{count} minutes", count)
        case _:
            return plural("{count} second", "{count} seconds", count)


def in_short(seconds: int) -> str:
    """Format a duration so that `parse_duration` can read it: `3d`, `36h`."""
    count, unit = _exactly(seconds)
    return f"{count}{unit}"


def _exactly(seconds: int) -> tuple[int, str]:
    for unit in ("d", "h", "m"):
        if seconds % _SECONDS[unit] == 0:
            return seconds // _SECONDS[unit], unit
    return seconds, "s"

"""The clock settings that a game's players agreed on, their text form, and fast evenings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo

from engine.api import JsonObject
from engine.sentences import Sentence, joined, one_of, sentence
from pbem.domain.terms.calendar import Days, Hours, Vacation
from pbem.durations import in_short, parse_duration
from pbem.errors import Refusal
from pbem.sections import Observers, OnTimeout, Unreachable

LONGEST_TIME = 90 * 86_400
"""Limit in seconds for a move, bank or grace period. Longer absences are vacations."""
DAY = 86_400
CHALLENGE = {
    "time_per_move": 3 * DAY,
    "choosing": 3 * DAY,
    "bank": 7 * DAY,
    "increment": DAY,
    "grace": DAY,
}
"""Limits in seconds for the clock of a ladder challenge."""
HOURS, ALL = 24, 100
DROP = 3
"""Default number of consecutive missed turns after which a player can be voted out."""

_TIME = (0, LONGEST_TIME, sentence("a time up to {most}, or 0", most=in_short(LONGEST_TIME)))
_DAYS = (0, 366, sentence("a number of days from 0 to 366"))
_UP_TO_99 = (0, 99, sentence("a number from 0 to 99"))
_RANGES = {
    "time_per_move": (
        1,
        LONGEST_TIME,
        sentence("a time from 1s to {most}", most=in_short(LONGEST_TIME)),
    ),
    "bank": _TIME,
    "increment": _TIME,
    "choosing": _TIME,
    "grace": _TIME,
    "falls_at": (-1, HOURS - 1, sentence("an hour from 0 to 23, or none")),
    "max_vacation": _DAYS,
    "vacation_moves": _DAYS,
    "misses": _UP_TO_99,
    "drop": _UP_TO_99,
    "fast": _TIME,
    "fast_until": (0, 2**40, sentence("a Unix time")),
}
_CHOICES = {
    "on_timeout": get_args(OnTimeout),
    "unreachable": get_args(Unreachable),
    "observers": get_args(Observers),
}


@dataclass(frozen=True, slots=True)
class Timing:
    """Clock settings of a game. Times are in seconds. Days and hours are each player's own.

    Attributes:
        time_per_move: time for every decision.
        bank: extra time of a seat for the whole game.
        increment: amount added to the bank with each of the seat's moves, at most up to `bank`.
        choosing: time for a secret choice of all players (GEN-6). 0 means `time_per_move`.
        grace: time after the deadline in which an answer still counts.
        reminders: percentages of the time after which reminders are sent, ascending.
        weekends_off: True if Saturdays and Sundays do not count.
        falls_at: hour at which deadlines fall. -1 means any time.
        quiet: hours in which no deadline falls. (22, 8) means from 22:00 to 8:00. Empty means none.
        max_vacation: vacation days that a seat can take in the game.
        vacation_moves: days by which a vacation can move a deadline that is already running.
        on_timeout: `standby` plays a cautious move (GEN-7) · `bot` lets a bot take over at once ·
            `ask` asks the admin · `forfeit` resigns the seat · `wait` does nothing.
        misses: consecutive missed turns after which a bot takes over the seat. 0 means never.
        excused: (2, 10) excuses two missed turns within any ten turns of the player. Empty means
            none.
        drop: consecutive missed turns after which the others can vote a player out. 0 means never.
        unreachable: effect on the clock if a seat's messages bounce.
        ics: True if messages contain the deadline as a calendar file.
        observers: who can watch: `ask` lets the table vote · `open` allows any registered player ·
            `off` allows nobody.
        hints: True if players may ask a bot for advice. Always False in leagues and challenges.
        fast: time for a decision in a fast evening. 0 without one.
        fast_until: when it ends, as Unix time.
    """

    time_per_move: int
    bank: int = 0
    increment: int = 0
    choosing: int = 0
    grace: int = 0
    reminders: tuple[int, ...] = (50, 90)
    weekends_off: bool = False
    falls_at: int = -1
    quiet: tuple[int, ...] = ()
    max_vacation: int = 14
    vacation_moves: int = 3
    on_timeout: OnTimeout = "standby"
    misses: int = 2
    excused: tuple[int, ...] = ()
    drop: int = DROP
    unreachable: Unreachable = "run"
    ics: bool = False
    observers: Observers = "ask"
    hints: bool = True
    fast: int = 0
    fast_until: int = 0

    def is_fast(self, at: datetime) -> bool:
        """True if the fast time limit applies to a decision that starts at `at`.

        The usual limit applies if the fast one would end after the evening.
        """
        return bool(self.fast) and at.timestamp() + self.fast <= self.fast_until

    @property
    def evening_ends(self) -> datetime:
        """Return the end of the fast evening."""
        return datetime.fromtimestamp(self.fast_until, UTC)

    def days(self, zone: str, vacations: tuple[Vacation, ...] = ()) -> Days:
        """Return the calendar of a player in this game."""
        return Days(
            zone=zone,
            weekends_off=self.weekends_off,
            falls_at=None if self.falls_at < 0 else self.falls_at,
            quiet=Hours(*self.quiet) if self.quiet else None,
            vacations=vacations,
        )

    def allowed(self, *, choosing: bool) -> timedelta:
        """Return the time for a decision, without the bank."""
        return timedelta(seconds=(choosing and self.choosing) or self.time_per_move)

    @property
    def counts_misses(self) -> bool:
        """True if timeouts have an automatic effect, so that a missed turn has a cost."""
        return self.on_timeout not in ("ask", "wait")


def for_challenge(timing: Timing) -> Timing:
    """Return the timing limited for a challenge: no long waits, and none for an admin."""
    limited = {name: min(getattr(timing, name), longest) for name, longest in CHALLENGE.items()}
    return replace(
        timing,
        **limited,
        on_timeout=timing.on_timeout if timing.counts_misses else "standby",
        unreachable="run",
    )


def to_json(timing: Timing) -> JsonObject:
    """Return the fields as JSON. Fields added later are omitted if default, so old logs stay valid."""
    values: dict[str, Any] = {f.name: getattr(timing, f.name) for f in fields(timing)}
    values = {n: value for n, value in values.items() if value != _CAME_LATER.get(n, _NOTHING)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def from_json(data: Mapping[str, Any]) -> Timing:
    """Parse the result of `to_json`. Raises: ValueError for anything else."""
    known = {f.name: f for f in fields(Timing)}
    if data.keys() | _CAME_LATER.keys() != known.keys():
        raise ValueError("a clock with other fields than are known")
    values: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in data.items()
    }
    timing = Timing(**values)
    plain = Timing(1)
    # `type(…) is`, because true and false are not numbers in a log.
    if problems(timing) or not all(type(v) is type(getattr(plain, n)) for n, v in values.items()):
        raise ValueError("a clock that cannot be")
    return timing


def problems(timing: Timing) -> list[Sentence]:
    """Describe the errors in a timing. Empty if it is valid."""
    result = [
        sentence("{option} is {what}", option=name, what=what)
        for name, (shortest, longest, what) in _RANGES.items()
        if not shortest <= getattr(timing, name) <= longest
    ]
    result += [
        sentence("{option} is one of {allowed}", option=name, allowed=", ".join(allowed))
        for name, allowed in _CHOICES.items()
        if getattr(timing, name) not in allowed
    ]
    if timing.increment and not timing.bank:
        result.append(sentence("increment needs a bank that it can fill"))
    percents = list(timing.reminders)
    if percents != sorted(set(percents)) or not all(0 < percent < ALL for percent in percents):
        result.append(sentence("reminders are percentages from 1 to 99, ascending, each once"))
    if timing.quiet:
        result += _problems_of_quiet(timing)
    if timing.excused and not _is_excuse(timing.excused):
        result.append(sentence("excused is like 2 per 10 moves, with numbers up to 99, or none"))
    return result


def _is_excuse(numbers: tuple[int, ...]) -> bool:
    if len(numbers) != len(("of", "moves")):
        return False
    of, moves = numbers
    return 1 <= of < moves < ALL


def _problems_of_quiet(timing: Timing) -> list[Sentence]:
    if len(timing.quiet) != len(("begin", "end")) or not all(0 <= h < HOURS for h in timing.quiet):
        return [sentence("quiet is two hours like 22-8, or none")]
    if timing.quiet[0] == timing.quiet[1]:
        return [sentence("quiet is two different hours, or none")]
    is_quiet = timing.falls_at >= 0 and Hours(*timing.quiet).holds(timing.falls_at)
    return [sentence("falls_at is within the quiet hours")] if is_quiet else []


# --- from words -----------------------------------------------------------------------------------


def with_words(base: Timing, given: Mapping[str, str]) -> Timing:
    """Return a copy of a timing changed by `name=value` texts, as in `--clock bank=3d`.

    Raises:
        Refusal: with the code `setup` and a list of the valid options.
    """
    changes: dict[str, Any] = {}
    for name, text in given.items():
        key = name.strip().lower().replace("-", "_").replace(" ", "_")
        if key == "misses" and _PER.search(text):  # `misses 2 per 10` sets `excused`
            key = "excused"
        if key not in _READERS:
            raise _unknown(name, key, text)
        try:
            changes[key] = _READERS[key](text.strip().lower())
        except ValueError as error:
            why = error.args[0]
            raise Refusal("setup", sentence("{option}: {why}.", option=key, why=why)) from None
    timing = replace(base, **changes)
    wrong = problems(timing)
    if wrong:
        raise impossible(wrong)
    return timing


def _unknown(name: str, key: str, text: str) -> Refusal:
    """Create the refusal of an unknown clock option, with similar options as suggestions."""
    near = difflib.get_close_matches(key, _READERS, n=3)
    message = sentence(
        'The clock of a game has no "{option}"; it has {options}.',
        option=name,
        options=", ".join(_READERS),
    )
    if near:
        message = sentence(
            'The clock of a game has no "{option}". Did you mean {names}?',
            option=name,
            names=one_of(near),
        )
    return Refusal("setup", message, suggestions=tuple(f"{option}={text}" for option in near))


def impossible(wrong: Sequence[Sentence]) -> Refusal:
    """Create the refusal of a timing with these problems."""
    return Refusal("setup", sentence("Such a clock cannot be: {why}.", why=joined(wrong, "; ")))


def _seconds(text: str) -> int:
    return 0 if text in _NONE else int(parse_duration(text).total_seconds())


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(sentence("write a whole number"))
    return int(text[:6])


def _flag(text: str) -> bool:
    if text not in _FLAGS:
        raise ValueError(sentence("write yes or no"))
    return _FLAGS[text]


def _hour(text: str) -> int:
    return -1 if text in _NONE else _number(text.removesuffix(":00"))


def _hours(text: str) -> tuple[int, ...]:
    if text in _NONE:
        return ()
    begin, dash, end = text.replace("–", "-").replace(" to ", "-").partition("-")
    if not dash:
        raise ValueError(sentence("write two hours like 22-8, or none"))
    return _hour(begin.strip()), _hour(end.strip())


def _percents(text: str) -> tuple[int, ...]:
    if text in _NONE:
        return ()
    parts = text.strip("[]").replace("%", " ").replace(",", " ").split()
    return tuple(_number(percent) for percent in parts)


def _excuse(text: str) -> tuple[int, ...]:
    if text in _NONE:
        return ()
    of, *moves = _PER.split(text.removesuffix("moves").removesuffix("turns"))
    if len(moves) != 1:
        raise ValueError(sentence("write it like 2 per 10 moves, or none"))
    return _number(of.strip()), _number(moves[0].strip())


_PER = re.compile(r"\b(?:per|in)\b", re.IGNORECASE)
_NOTHING = object()
_CAME_LATER: Mapping[str, object] = {
    "excused": (),
    "drop": DROP,
    "hints": True,
    "fast": 0,
    "fast_until": 0,
}
"""Options that older logs do not have, with the values that apply there."""
_NONE = ("none", "off", "0", "no", "")
_FLAGS = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
_READERS: dict[str, Callable[[str], Any]] = {
    "time_per_move": _seconds,
    "bank": _seconds,
    "increment": _seconds,
    "choosing": _seconds,
    "grace": _seconds,
    "reminders": _percents,
    "weekends_off": _flag,
    "falls_at": _hour,
    "quiet": _hours,
    "max_vacation": _number,
    "vacation_moves": _number,
    "on_timeout": str,
    "misses": _number,
    "excused": _excuse,
    "drop": _number,
    "unreachable": str,
    "ics": _flag,
    "observers": str,
    "hints": _flag,
}
NAMES = tuple(_READERS)
"""All clock options, in the order of the documentation."""


# --- a fast evening -------------------------------------------------------------------------------

FAST = 300
"""Seconds for a move in a fast evening."""
LONGEST_EVENING = timedelta(hours=12)
"""Maximum length of a fast evening."""
_USUAL_EVENING = timedelta(hours=4)


def evening_end(hour: str | None, now: datetime, zone: str) -> datetime:
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
        later = local + _USUAL_EVENING
        whole = later.replace(minute=0, second=0, microsecond=0)
        return (whole if whole == later else whole + timedelta(hours=1)).astimezone(UTC)
    hours, _, minutes = hour.partition(":")
    if int(hours) <= 23 and int(minutes or 0) <= 59:  # noqa: PLR2004  (a time of day)
        end = local.replace(hour=int(hours), minute=int(minutes or 0), second=0, microsecond=0)
        end = (end if end > local else end + timedelta(days=1)).astimezone(UTC)
        if end - now <= LONGEST_EVENING:
            return end
    raise Refusal(
        "fast",
        sentence("A fast evening ends at a time of day within the next 12 hours."),
        suggestions=(sentence("tempo fast until 23"), sentence("tempo fast")),
    )

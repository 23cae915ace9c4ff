"""Parser of dates and date ranges: `20 Dec to 2 Jan`, `5 days`, `until Friday`.

Parsing takes two steps. The form alone decides whether a line is an order. The date of the message
then determines the meaning of `Friday` and of dates without a year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

MAX_DAYS = 366

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NUMBERS = {
    name: number for names in (_MONTHS, _FULL_MONTHS) for number, name in enumerate(names, 1)
} | {"sept": 9}
_WEEKDAY_NUMBERS = {
    name: number for names in (_WEEKDAYS, _FULL_WEEKDAYS) for number, name in enumerate(names)
} | {"tues": 1, "thur": 3, "thurs": 3}

_MONTH = rf"({'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\.?"
_DAY = r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,?\s*(\d{4}))?"
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_MONTH = re.compile(rf"{_DAY}\s*(?:of\s+)?{_MONTH}{_YEAR}")
_MONTH_DAY = re.compile(rf"{_MONTH}\s*{_DAY}{_YEAR}")
_DOTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.?\s?(\d{4})?")
_COUNT = re.compile(r"(?:for\s+)?(\d{1,3}|[a-z]+)\s*(days?|weeks?)")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1
    )
}
_NUMBERS |= {"one": 1, "an": 1}
_TO = r"(?:until|till?|to|through)"
_UNTIL = re.compile(rf"{_TO}\s+(.+)")
_RANGE = re.compile(rf"(?:from\s+)?(.+?)(?:\s+{_TO}\s+|\s+[-–—]\s+|[–—])(.+)")
_DAY_ALONE = re.compile(_DAY)
_LAST_ALONE = re.compile(r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|\.)")
_TIGHT = re.compile(r"(?:from\s+)?([^-]+)-([^-]+)")
WORDS = frozenset(
    (
        *_MONTH_NUMBERS,
        *_WEEKDAY_NUMBERS,
        *_NUMBERS,
        *("from", "to", "until", "till", "til", "through", "for", "of", "on", "next"),
        *("day", "days", "week", "weeks", "today", "tomorrow"),
        *("st", "nd", "rd", "th", "the", "and"),
    )
)
"""Words that can occur in a date or a date range."""


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written, or None for missing parts.

    A day without a month is the next day with this number.

    Attributes:
        ahead: days from today, for `today` and `tomorrow`.
        weekday: 0 is Monday.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    ahead: int | None = None


@dataclass(frozen=True, slots=True)
class DateWords:
    """A range of days as written.

    Attributes:
        first: None means from today.
        count: the number of days, or 0 if `last` is given.
    """

    first: Day | None
    last: Day | None
    count: int = 0


def read_days(text: str) -> DateWords | None:
    """Parse a date range without checking whether it exists. Return None for other texts."""
    words = " ".join(text.strip().lower().rstrip("!").split())
    count = _COUNT.fullmatch(words)
    if count is not None and (count[1].isdigit() or count[1] in _NUMBERS):
        number = int(count[1]) if count[1].isdigit() else _NUMBERS[count[1]]
        return DateWords(None, None, number * (7 if count[2].startswith("week") else 1))
    until = _UNTIL.fullmatch(words)
    if until is not None:
        alone = _LAST_ALONE.fullmatch(until[1].strip())
        last = _day(until[1]) if alone is None else Day(day=int(alone[1]))
        return None if last is None else DateWords(None, last)
    day = _day(words.removeprefix("on "))
    if day is not None:
        return DateWords(day, day)
    for form in (_RANGE, _TIGHT):
        match = form.fullmatch(words)
        first, last = (_day(match[1]), _day(match[2])) if match else (None, None)
        alone = _DAY_ALONE.fullmatch(match[1].strip()) if match else None
        if alone is not None and last is not None and last.month is not None:
            first = Day(last.year, last.month, int(alone[1]))  # "20. to 27. December"
        if first is not None and last is not None:
            return DateWords(first, last)
    return None


def sounds_like_days(text: str) -> bool:
    """True if a text consists only of numbers and date words, valid or not."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return any(letter.isdigit() for letter in text) and all(word in WORDS for word in words)


def place_days(days: DateWords, today: date) -> tuple[date, date]:
    """Return the first and the last day of the range.

    Without years, the last day is the next matching date, and the first day is the latest matching
    date before it.

    Raises: ValueError if there is no such day, or if the number of days is zero or too large.
    """
    if days.last is None:
        if not 0 < days.count <= MAX_DAYS:
            raise ValueError(f"from 1 to {MAX_DAYS} days")
        return today, today + timedelta(days=days.count - 1)
    if days.first is not None and days.first.year is not None and days.last.year is None:
        first = _on_or_after(days.first, today)
        last = _on_or_after(days.last, max(first, today))
    else:
        last = _on_or_after(days.last, today)
        first = today if days.first is None else _before(days.first, last, today)
    if (last - first).days >= MAX_DAYS:
        raise ValueError(f"from 1 to {MAX_DAYS} days")
    return first, last


def _day(text: str) -> Day | None:
    words = text.strip().rstrip(",").strip()
    if words in ("today", "tomorrow"):
        return Day(ahead=int(words == "tomorrow"))
    weekday = words.removeprefix("next ").rstrip(".")
    if weekday in _WEEKDAY_NUMBERS:
        return Day(weekday=_WEEKDAY_NUMBERS[weekday])
    if iso := _ISO.fullmatch(words):
        return Day(int(iso[1]), int(iso[2]), int(iso[3]))
    if match := _DAY_MONTH.fullmatch(words):
        return Day(_year(match[3]), _MONTH_NUMBERS[match[2]], int(match[1]))
    if match := _MONTH_DAY.fullmatch(words):
        return Day(_year(match[3]), _MONTH_NUMBERS[match[1]], int(match[2]))
    if match := _DOTS.fullmatch(words):
        return Day(_year(match[3]), int(match[2]), int(match[1]))
    return None


def _year(text: str | None) -> int | None:
    return None if text is None else int(text)


def _on_or_after(day: Day, earliest: date) -> date:
    """Return the first matching day at or after `earliest`. An explicit year is kept."""
    if day.ahead is not None:
        return earliest + timedelta(days=day.ahead)
    if day.weekday is not None:
        return earliest + timedelta(days=(day.weekday - earliest.weekday()) % 7)
    if day.year is not None:
        return date(day.year, day.month or 0, day.day or 0)
    months = range(1, 13) if day.month is None else (day.month,)
    for year in range(earliest.year, earliest.year + 9):  # 29 February may be eight years away
        for month in months:
            result = _in_year(replace(day, month=month), year)
            if result is not None and result >= earliest:
                return result
    raise ValueError("there is no such day")


def _before(day: Day, last: date, today: date) -> date:
    """Return the latest matching day at or before `last`."""
    if day.ahead is not None:
        return today + timedelta(days=day.ahead)
    if day.weekday is not None:
        return last - timedelta(days=(last.weekday() - day.weekday) % 7)
    if day.year is not None:
        return date(day.year, day.month or 0, day.day or 0)
    for year in range(last.year, last.year - 9, -1):
        result = _in_year(day, year)
        if result is not None and result <= last:
            return result
    raise ValueError("there is no such day")


def _in_year(day: Day, year: int) -> date | None:
    try:
        return date(year, day.month or 0, day.day or 0)
    except ValueError:
        return None

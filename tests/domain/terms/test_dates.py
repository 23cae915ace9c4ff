"""Test the parser of dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.terms.dates import DateWords, place_days, read_days

TODAY = date(2026, 11, 21)  # a Saturday
TURN_OF_THE_YEAR = (date(2026, 12, 20), date(2027, 1, 3))


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-20 to 2027-01-03",
        "20 Dec to 3 Jan",
        "from 20 December until January 3rd",
        "Dec 20 - Jan 3",
        "Dec 20-Jan 3",
        "20 Dec – 3 Jan",
        "20.12.-3.1.",
        "20.12. - 3.1.",
        "20.12.2026 to 3.1.2027",
        "20th of December to 3rd of January 2027",
        "20 Dec 2026 to 3 Jan",
    ],
)
def test_forms_of_one_vacation(text: str) -> None:
    """With years and without, in words and in numbers: the next one of that name."""
    days = read_days(text)
    assert days is not None
    assert place_days(days, TODAY) == TURN_OF_THE_YEAR


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("5 days", (11, 21), (11, 25)),
        ("for 1 week", (11, 21), (11, 27)),
        ("until Friday", (11, 21), (11, 27)),
        ("until Saturday", (11, 21), (11, 21)),
        ("til Friday", (11, 21), (11, 27)),
        ("until the 30th", (11, 21), (11, 30)),
        ("till 5th", (11, 21), (12, 5)),
        ("until 31.", (11, 21), (12, 31)),
        ("tomorrow", (11, 22), (11, 22)),
        ("tomorrow to Wed", (11, 22), (11, 25)),
        ("10 Nov to 25 Nov", (11, 10), (11, 25)),
        ("24.11.", (11, 24), (11, 24)),
        ("Mon to Wed", (11, 23), (11, 25)),
    ],
)
def test_days_counted_from_today(text: str, first: tuple, last: tuple) -> None:
    """What is named without a year, or by a weekday, is meant from the day of the mail on."""
    days = read_days(text)
    assert days is not None
    assert place_days(days, TODAY) == (date(2026, *first), date(2026, *last))


@pytest.mark.parametrize(
    "text", ["was great", "20 to 27", "", "soon", "5 dogs", "until whenever", "until 8"]
)
def test_what_names_no_days(text: str) -> None:
    assert read_days(text) is None


@pytest.mark.parametrize("text", ["31 Feb", "2026-13-01", "0 days", "400 days", "30.2.2027"])
def test_days_that_are_none(text: str) -> None:
    """The form is right, the days do not exist."""
    days = read_days(text)
    assert days is not None
    with pytest.raises(ValueError):  # noqa: PT011  (any of them)
        place_days(days, TODAY)


@given(st.dates(date(2024, 1, 1), date(2090, 1, 1)), st.integers(0, 360), st.integers(0, 4))
def test_a_range_without_years_is_read_back(today: date, ahead: int, form: int) -> None:
    """Any days within a year ahead, in any form."""
    last = date.fromordinal(today.toordinal() + ahead)
    first = date.fromordinal(today.toordinal() + ahead // 2)
    write = [
        lambda d: d.isoformat(),
        lambda d: f"{d.day}.{d.month}.",
        lambda d: f"{d:%d %B}",
        lambda d: f"{d:%b %d}",
        lambda d: f"{d:%d. %b %Y}",
    ][form]
    days = read_days(f"{write(first)} to {write(last)}")
    assert days is not None
    assert place_days(days, today) == (first, last)


@given(st.text(max_size=60))
def test_any_text_ends_in_days_or_none(text: str) -> None:
    assert _length(read_days(text)) < 366


def _length(days: DateWords | None) -> int:
    """Return how many days come after the first one; 0 without any."""
    try:
        first, last = (TODAY, TODAY) if days is None else place_days(days, TODAY)
    except (ValueError, OverflowError):
        return 0
    return (last - first).days

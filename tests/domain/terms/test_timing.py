"""Test parsing and formatting the timing of a game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.terms.timing import NAMES, Timing, from_json, problems, to_json, with_words
from pbem.errors import Refusal
from pbem.language import translate

PLAIN = Timing(86400)


@pytest.mark.parametrize(
    ("words", "timing"),
    [
        ({"time_per_move": "P2D"}, replace(PLAIN, time_per_move=172800)),
        ({"time per move": "36h"}, replace(PLAIN, time_per_move=129600)),
        ({"bank": "3d", "increment": "1h"}, replace(PLAIN, bank=259200, increment=3600)),
        ({"choosing": "12h", "grace": "10m"}, replace(PLAIN, choosing=43200, grace=600)),
        ({"reminders": "25, 75%"}, replace(PLAIN, reminders=(25, 75))),
        ({"reminders": "none"}, replace(PLAIN, reminders=())),
        ({"Weekends-Off": "YES"}, replace(PLAIN, weekends_off=True)),
        ({"falls_at": "20:00"}, replace(PLAIN, falls_at=20)),
        ({"falls_at": "none"}, PLAIN),
        ({"quiet": "22–8"}, replace(PLAIN, quiet=(22, 8))),
        ({"quiet": "22:00 to 8:00"}, replace(PLAIN, quiet=(22, 8))),
        (
            {"max_vacation": "30", "vacation_moves": "0"},
            replace(PLAIN, max_vacation=30, vacation_moves=0),
        ),
        ({"on_timeout": "Bot", "misses": "3"}, replace(PLAIN, on_timeout="bot", misses=3)),
        ({"unreachable": "wait"}, replace(PLAIN, unreachable="wait")),
        ({"ics": "on"}, replace(PLAIN, ics=True)),
        ({"excused": "2 per 10 moves"}, replace(PLAIN, excused=(2, 10))),
        ({"excused": "1 in 5"}, replace(PLAIN, excused=(1, 5))),
        ({"excused": "none"}, PLAIN),
        ({"misses": "2 per 10 moves"}, replace(PLAIN, excused=(2, 10))),
        ({"misses": "2 per 10 moves", "excused": "none"}, PLAIN),
        ({}, PLAIN),
    ],
)
def test_words(words: dict[str, str], timing: Timing) -> None:
    """As people write them."""
    assert with_words(PLAIN, words) == timing


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"bonk": "3d"}, 'has no "bonk"'),
        ({"bank": "much"}, "bank: write a time as"),
        ({"bank": "91d"}, "bank is a time up to 90d"),
        ({"time_per_move": "none"}, "time_per_move is a time from 1s"),
        ({"increment": "1h"}, "needs a bank"),
        ({"reminders": "90, 50"}, "ascending"),
        ({"reminders": "100"}, "from 1 to 99"),
        ({"weekends_off": "maybe"}, "write yes or no"),
        ({"falls_at": "24"}, "an hour from 0 to 23"),
        ({"falls_at": "noon"}, "write a whole number"),
        ({"quiet": "22"}, "two hours like 22-8"),
        ({"quiet": "22-22"}, "two different hours"),
        ({"quiet": "22-8", "falls_at": "23"}, "is within the quiet hours"),
        ({"quiet": "8-12", "falls_at": "9"}, "is within the quiet hours"),
        ({"max_vacation": "1000"}, "from 0 to 366"),
        ({"on_timeout": "explode"}, "one of standby, bot, ask, forfeit, wait"),
        ({"misses": "100"}, "from 0 to 99"),
        ({"unreachable": "die"}, "one of run, wait"),
        ({"excused": "2"}, "excused: write it like 2 per 10 moves, or none"),
        ({"excused": "0 per 10"}, "excused is like 2 per 10 moves"),
        ({"excused": "10 per 10"}, "excused is like 2 per 10 moves"),
        ({"misses": "few per 10"}, "excused: write a whole number"),
    ],
)
def test_what_cannot_be_says_what_would_be_right(words: dict[str, str], message: str) -> None:
    """Nothing is half taken over."""
    with pytest.raises(Refusal, match=message):
        with_words(PLAIN, words)


def test_a_misspelt_name_is_suggested() -> None:
    """With the value that was given."""
    with pytest.raises(Refusal) as caught:
        with_words(PLAIN, {"time_per_mvoe": "2d"})
    assert caught.value.suggestions[0] == "time_per_move=2d"


TIMINGS = st.builds(
    Timing,
    time_per_move=st.integers(1, 10**6),
    bank=st.integers(1, 10**6),
    increment=st.integers(0, 10**5),
    reminders=st.lists(st.integers(1, 99), unique=True, max_size=4).map(
        lambda some: tuple(sorted(some))
    ),
    weekends_off=st.booleans(),
    quiet=st.just(()) | st.just((22, 8)),
    on_timeout=st.sampled_from(["standby", "wait"]),
    excused=st.just(()) | st.just((2, 10)),
    fast=st.integers(0, 600),
    fast_until=st.integers(0, 2**33),
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"bank": "soon"}, "bank: schreib eine Zeit als"),
        ({"bnak": "2d"}, "Die Uhr einer Partie hat kein „bnak“. Meintest du bank?"),
        ({"quiet": "8"}, "quiet: schreib zwei Stunden wie 22-8"),
        ({"misses": "many"}, "misses: schreib eine ganze Zahl"),
        ({"misses": "100"}, "So eine Uhr kann es nicht geben: misses ist eine Zahl von 0 bis 99."),
        (
            {"bank": "91d", "on_timeout": "x"},
            "bank ist eine Zeit bis 90d, oder 0; on_timeout ist eins",
        ),
    ],
)
def test_what_cannot_be_is_said_in_german(given: dict[str, str], said: str) -> None:
    with pytest.raises(Refusal) as refused:
        with_words(PLAIN, given)
    assert said in translate(refused.value.message, "de")


@given(TIMINGS)
def test_a_clock_comes_back_from_the_log(timing: Timing) -> None:
    """All fields, types included."""
    assert not problems(timing)
    assert from_json(to_json(timing)) == timing
    assert {*to_json(timing), "excused", "drop", "hints"} - {"fast", "fast_until"} == set(NAMES)


def test_a_clock_without_excused_misses_is_written_as_before_there_were_any() -> None:
    """So that older programs read the logs of games that do not use them."""
    assert {"excused", "drop", "hints", "fast", "fast_until"}.isdisjoint(to_json(PLAIN))
    assert from_json(to_json(replace(PLAIN, drop=0))).drop == 0


@pytest.mark.parametrize(
    "change",
    [
        {"bank": -1},
        {"bank": True},
        {"extra": 1},
        {"quiet": [1]},
        {"excused": [9, 2]},
        {"on_timeout": "x"},
    ],
)
def test_a_clock_that_cannot_be_is_no_clock(change: dict[str, object]) -> None:
    """A log that says so is refused."""
    with pytest.raises(ValueError, match="a clock"):
        from_json({**to_json(PLAIN), **change})

"""Test the parser of `new league …` in both languages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.league.order import read_league_order
from pbem.errors import Refusal

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    "text",
    [
        "phyliss, 5 rounds, tables of 4, 2d per move, 21d per round, sign-up 5d, called winter, bots fill",
        "phyliss, 2d per move; bots fill tables, tables of 4\n5 rounds, sign up 5 days, 3w a round, named Winter",
        "phyliss, 5 runden, tische zu 4, 2 tage pro zug, 3 wochen pro runde\nanmeldung 5 tage, bots füllen auf,namens winter",
    ],
)
def test_all_of_a_league_is_read(text: str) -> None:
    time = "2 d" if "zug" in text else "2d"
    read = read_league_order(text)
    assert (read.game.ruleset, read.game.clock) == ("phyliss", {"time_per_move": time})
    assert (read.name, read.rounds, read.table_size, read.with_bots) == ("winter", 5, 4, True)
    assert (read.sign_up, read.time_of_a_round(1)) == (5 * DAY, 21 * DAY)


def test_what_is_not_said_is_as_usual() -> None:
    read = read_league_order("phase 10, 2 phases")
    assert (read.game.ruleset, read.game.options) == ("phase10", {"phases_to_win": 2})
    assert (read.name, read.rounds, read.table_size, read.with_bots) == ("", 5, None, False)
    assert (read.sign_up, read.time_of_a_round(3600)) == (7 * DAY, 14 * DAY)
    assert read.time_of_a_round(2 * 86_400) == 20 * DAY


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5 rounds", "Write the game"),
        ("phyliss with bob@example.org", "Nobody is invited"),
        ("phyliss open 4 players", "Nobody is invited"),
        ("phyliss, anonymous talk", "as usual"),
        ("fyliss, 5 rounds", "Did you mean phyliss"),
        ("phyliss, 5 rooms", "I do not understand"),
        ("phyliss, sign-up 0d", "at most 180 days"),
        ("phyliss, sign-up 99999d", "at most 180 days"),
        ("phyliss, anmeldung 0 wochen", "at most 180 days"),
        ("phyliss, 0w per round", "at most 180 days"),
    ],
)
def test_what_cannot_be_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        read_league_order(text)

"""Test that `verify`, `import` and replays refuse events that no server can have written."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.domain.log.events import EVENT_TYPES
from pbem.domain.terms.timing import Timing
from pbem.errors import LogError
from pbem.service.admin import acts
from pbem.service.lobby import making as lobby
from pbem.service.logbook.event_words import WORDS
from pbem.service.logbook.verify import verify_file
from tests.service.conftest import Table
from tests.service.forging import forged
from tests.service.logbook.hostile import HOSTILE, NOW, of, rich_games
from tests.service.logbook.test_outside_verifier import outside


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return rich_games(tmp_path_factory.mktemp("rich"), ["phyliss"])


def test_every_event_has_words_for_readers() -> None:
    assert set(WORDS) == set(EVENT_TYPES)


def test_the_event_is_named(games: dict[str, bytes]) -> None:
    data = forged(games["phyliss"], HOSTILE["code"])
    last = len([line for line in data.splitlines() if b'"hash"' in line])
    with pytest.raises(LogError, match=rf"event {last} .*invalid value - at `\$\.code`"):
        verify_file(data, now=NOW)


def test_the_time_of_the_check_counts(games: dict[str, bytes]) -> None:
    """A day of tolerance: clocks differ, and zones are mistaken for each other."""
    data = games["phyliss"]
    at = datetime.fromisoformat(max(re.findall(rb'"recorded_at":"([^"]+)"', data)).decode())
    verify_file(data, now=at - timedelta(hours=23))
    with pytest.raises(LogError, match="is of the future"):
        verify_file(data, now=at - timedelta(hours=25))


def test_a_clock_that_was_set_back(table: Table) -> None:
    """The log goes forward all the same, and verifies."""
    game = table.started(2)
    table.clock.forward(hours=-5)
    table.move(game)
    table.clock.forward(days=-2)
    table.answer(0, "say What time is it?")
    table.verify(game)
    times = [item.recorded_at for item in table.log(game)]
    assert times == sorted(times)


@pytest.mark.parametrize("value", [False, 1, "true", None])
def test_a_challenge_says_so_or_nothing(table: Table, value: object) -> None:
    """Of a game of two: it holds as it is, and with no other value, nor as a game of a league."""
    timing, plan = Timing(86400), lobby.GamePlan("phyliss", challenge=True)
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in ("Anna", "Bob")]
    plan = replace(plan, timing=timing)
    game = lobby.create_game(table.service, people, plan)
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    verifier = outside()
    verify_file(data, now=NOW)
    list(verifier.check(data, now=NOW))
    for change in (of("GameCreated", challenge=value), in_a_league):
        with pytest.raises(LogError):
            verify_file(forged(data, change), now=NOW)
        with pytest.raises(verifier.VerifyError):
            list(verifier.check(forged(data, change), now=NOW))


def in_a_league(events: list[dict[str, Any]]) -> None:
    events[0]["public"]["league"] = "abcdefghij:1"

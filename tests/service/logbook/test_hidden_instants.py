"""Test that the stored times of private events are only exact to the day."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.domain.log.chain import format_time
from pbem.domain.log.events import Hidden
from pbem.domain.table.game import Game
from pbem.errors import LogError, UpcastError
from pbem.service.admin import acts
from pbem.service.logbook.verify import verify_file
from tests.service.conftest import Table
from tests.service.forging import forged
from tests.service.logbook.hostile import of

VERIFIER = Path(__file__).parents[3] / "docs" / "verify.py"
TODAY = "2026-11-21T00:00:00.000000Z"


def events_of(data: bytes) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in data.splitlines()[1:]]
    return [line for line in lines if "hash" in line]


@pytest.fixture
def choosing(table: Table) -> tuple[Table, Game]:
    """Return a game with secret choices, at a time that is easy to find."""
    game = table.started(3, ruleset="phalanx", max_battles=1)
    table.clock.instant += timedelta(hours=1, minutes=37, seconds=21, microseconds=123456)
    return table, game


def act_in_private(table: Table, game: Game) -> str:
    """Choose a move and talk in private as seat 0. Return the time of both events."""
    seat, move = table.standby(game)
    assert game.is_choosing
    table.answer(seat, move)
    table.answer(0, "say to bob: psst")
    return format_time(table.clock.now())


def test_the_log_tells_the_day_of_what_is_private(choosing: tuple[Table, Game]) -> None:
    """The export gives only the day of private events, and the time of public ones."""
    table, game = choosing
    instant = act_in_private(table, game)
    data = table.export(game.id)
    hidden = [event for event in events_of(data) if event["type"] == "Hidden"]
    assert [event["recorded_at"] for event in hidden] == [TODAY, TODAY]
    assert instant.encode() not in data
    table.answer(1, "say hello")
    assert events_of(table.export(game.id))[-1]["recorded_at"] == instant


def test_who_has_the_keys_reads_the_instant(choosing: tuple[Table, Game]) -> None:
    """The secret of the event contains the time, which the fold and the final export use."""
    table, game = choosing
    instant = act_in_private(table, game)
    found = [item for item in table.log(game) if isinstance(item.event, Hidden)]
    assert [format_time(item.recorded_at) for item in found] == [instant, instant]
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    choice, words = [event for event in events_of(data) if event["type"] == "Hidden"]
    assert choice["secret"]["payload"]["at"] == instant
    assert (choice["recorded_at"], words["secret"]) == (TODAY, None)
    assert verify_file(data).complete


@pytest.mark.parametrize("day", ["2026-11-21T13:37:21.123456Z", "2026-11-20T00:00:00.000000Z"])
def test_a_log_that_tells_more_or_another_day(choosing: tuple[Table, Game], day: str) -> None:
    """No server writes such a log, so it does not verify."""
    table, game = choosing
    act_in_private(table, game)
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    first = next(event for event in events_of(data) if event["type"] == "Hidden")
    tampered = forged(data, of("Hidden", recorded_at=day))
    with pytest.raises((LogError, UpcastError), match=f"event {first['version']}"):
        verify_file(tampered)
    outside = subprocess.run(
        [sys.executable, "-I", VERIFIER, "/dev/stdin"],
        input=tampered,
        capture_output=True,
        check=False,
    )
    assert outside.returncode == 1
    assert f"event {first['version']}".encode() in outside.stdout


def test_the_database_does_not_tell_a_choice_from_talk(choosing: tuple[Table, Game]) -> None:
    """Without keys, no column or length shows which events open with the game."""
    table, game = choosing
    act_in_private(table, game)
    table.answer(1, "mute carol")
    with table.service.store.reading() as uow:
        rows = uow.connection.exec_driver_sql(
            "SELECT s.* FROM event_secret s JOIN event e ON e.game_id = s.game_id"
            " AND e.version = s.version WHERE e.type = 'Hidden'"
        )
        names, found = list(rows.keys()), [dict(row._mapping) for row in rows]
    assert set(names) == {"game_id", "version", "salt", "payload"}
    assert len(found) == 3
    for name in ("salt", "payload"):
        assert len({len(row[name]) for row in found}) == 1

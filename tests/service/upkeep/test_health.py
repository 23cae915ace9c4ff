"""What a monitor is told: how much waits, which games stand still, how much room there is."""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import Any

import pytest

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.errors import LogError, StoreError
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.upkeep import health
from pbem.service.upkeep.health import Health, look, look_or_say
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import INBOX, OUTBOX
from tests.service.conftest import START, Table


def test_figures_have_no_end(table: Table) -> None:
    """More than a thousand mails wait, and the old ones are not the newest."""
    long_ago, now = table.clock.now() - timedelta(days=1), table.clock.now()
    out = {"kind": "turn", "params": "{}", "status": "pending", "attempts": 0, "failures": 0}
    out["bound"] = ""
    into = {"raw": "", "raw_sha256": "", "attempts": 0, "transport": "smtp", "status": "new"}
    into["bound"] = ""
    with table.service.store.unit_of_work() as uow:
        for number in range(1200):
            at = long_ago if number < 100 else now
            times = {"not_before": at, "created_at": at}
            row = out | times | {"key": f"k{number}", "message_id": f"m{number}@x"}
            uow.connection.execute(OUTBOX.insert(), row)
            uow.connection.execute(INBOX.insert(), into | {"key": f"k{number}", "arrived_at": at})
    found = look(table.service)
    assert (found.unsent, found.stuck, found.unread) == (1200, 100, 1200)
    said = "100 mails came in and were not handled for minutes. The log of the program says why."
    assert said in found.problems


def test_a_game_that_stands_still_by_a_fault_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Again and again, by its id, while the others go on; repaired, it is told no more."""
    game, other = table.started(2, seed=1), table.started(2, seed=2)
    real = games.load

    def load(uow: UnitOfWork, game_id: GameId, *rest: Any) -> Game:
        if game_id == game.id:
            raise LogError("a hash is wrong")
        return real(uow, game_id, *rest)

    assert look(table.service).stopped == 0
    table.clock.forward(days=4)
    with monkeypatch.context() as patch:
        patch.setattr(games, "load", load)
        for _ in range(3):
            table.run()
            found = look(table.service)
            assert (found.stopped, found.late) == (1, 0)
            (told,) = [problem for problem in found.problems if "stands still" in problem]
            assert game.id in told
            assert other.id not in told
            table.clock.forward(hours=1, seconds=1)
    table.run()
    table.clock.forward(minutes=10)
    found = look(table.service)
    assert found.stopped == 0
    assert not any("stands still" in problem for problem in found.problems)


def test_each_check_is_one_row_that_somebody_hears() -> None:
    """Its name is its own; it says nothing of a service that is well; else there is a remedy."""
    hearers = {health.DOCTOR, health.HEALTH, health.ADMINS}
    well = Health(heartbeat=START, is_served=True)
    assert len({check.name for check in health.CHECKS}) == len(health.CHECKS)
    for check in health.CHECKS:
        assert check.remedy
        assert check.hears
        assert check.hears <= hearers
        assert check.says(well) is None
        assert bool(check.well) is (health.DOCTOR in check.hears)


@pytest.mark.parametrize(
    ("free", "total", "is_short"),
    [
        (1.5e8, 1e9, True),
        (2.5e8, 1e9, False),
        (9e8, 2e10, True),
        (1.1e9, 4e12, False),
        (9e8, 4e12, True),
    ],
)
def test_a_disk_that_is_nearly_full_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, free: float, total: float, is_short: bool
) -> None:
    """A share of a small one, so many bytes of a large one; also where the database is away."""
    usage = type(shutil.disk_usage("/"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(int(total), 0, int(free)))

    def is_told(found: Health) -> bool:
        assert found.disk_free == free
        return any("the disk is nearly full" in problem for problem in found.problems)

    assert is_told(look(table.service)) is is_short
    monkeypatch.setattr(health, "look", _away)
    assert is_told(look_or_say(table.service)) is is_short


def _away(_service: Service) -> Health:
    raise StoreError("the database is away")

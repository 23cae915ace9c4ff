"""Test the health report: waiting messages, stopped games and disk space."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.errors import LogError, StoreError
from pbem.service.clock import downtime, heartbeats
from pbem.service.core import games
from pbem.service.upkeep import doctor, health, metrics
from pbem.service.upkeep.health import (
    WARN,
    Figure,
    Finding,
    Health,
    Look,
    check_safely,
    look,
    troubles,
)
from pbem.store.db.uow import UnitOfWork
from tests.service.conftest import Table, failing


def test_a_game_that_stands_still_by_a_fault_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report its id until it is repaired, while other games go on."""
    game, other = table.started(2, seed=1), table.started(2, seed=2)
    real = games.load

    def load(uow: UnitOfWork, game_id: GameId, *rest: Any) -> Game:
        if game_id == game.id:
            raise LogError("a hash is wrong")
        return real(uow, game_id, *rest)

    assert look(table.service).figures["stopped"] == 0
    table.clock.forward(days=4)
    with monkeypatch.context() as patch:
        patch.setattr(games, "load", load)
        for _ in range(3):
            table.run()
            found = look(table.service)
            assert (found.figures["stopped"], found.figures["late"]) == (1, 0)
            (told,) = [problem for problem in found.problems if "stands still" in problem]
            assert game.id in told
            assert other.id not in told
            table.clock.forward(hours=1, seconds=1)
    table.run()
    table.clock.forward(minutes=10)
    found = look(table.service)
    assert found.figures["stopped"] == 0
    assert not any("stands still" in problem for problem in found.problems)


def test_a_service_that_is_well_has_no_trouble(table: Table) -> None:
    """The doctor prints one line for each of its checks."""
    downtime.beat(table.service)
    heartbeats.note_delivery(table.service)
    with table.service.store.reading() as uow:
        seen = Look(table.service, uow)
        for hearer in (health.DOCTOR, health.HEALTH, health.ADMINS):
            assert list(troubles(seen, hearer)) == []
        lines = [
            finding
            for check in health.CHECKS
            if health.DOCTOR in check.hears
            for finding in check.look(seen)
        ]
    assert {finding.status for finding in lines} == {health.OK}
    assert len({finding.name for finding in lines}) == len(lines) > 4


def test_a_figure_is_a_row_and_a_check_is_another(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Follow the row "health check" of docs/dev/architecture.md: health, doctor, alerts and metrics print the two rows."""
    rows = {"tables": Figure(lambda look: len(look.uow.projections.games(None)), metric="Tables.")}
    check = health.sentence_check(
        "tables",
        health.count_of("tables", "tables are too many"),
        "Stop some.",
        frozenset({health.DOCTOR, health.HEALTH, health.ADMINS}),
    )
    monkeypatch.setattr(health, "FIGURES", health.FIGURES | rows)
    monkeypatch.setattr(health, "CHECKS", (*health.CHECKS, check))
    table.started(2)
    table.started(2)
    found = look(table.service)
    assert found.figures["tables"] == 2
    assert "2 tables are too many. Stop some." in found.problems
    assert "pbem_tables 2.0" in generate_latest(metrics.registry(table.service)).decode()
    assert health.alert(table.service, since=table.clock.now())
    assert any("2 tables are too many. Stop some." in str(row.params) for row in table.outbox())
    file = tmp_path / "pbem.toml"
    file.touch()
    assert Finding("tables", WARN, "2 tables are too many", "Stop some.") in [
        *doctor.examine(table.service, file)
    ]


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
    """Compare with a share of small disks and a fixed size of large ones, also without a database."""
    usage = type(shutil.disk_usage("/"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(int(total), 0, int(free)))

    def is_told(found: Health) -> bool:
        assert found.figures["disk_free"] == free
        return any("the disk is nearly full" in problem for problem in found.problems)

    assert is_told(look(table.service)) is is_short
    monkeypatch.setattr(health, "look", failing(StoreError("the database is away")))
    assert is_told(check_safely(table.service)) is is_short

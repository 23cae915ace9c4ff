"""Test the health report, and alerts to admins, at most one a day for each cause."""

from __future__ import annotations

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.errors import LogError, StoreError, TransientDeliveryError
from pbem.service.clock import downtime, heartbeats
from pbem.service.core import games
from pbem.service.intake import handle_mail, shunted
from pbem.service.runner import Runner
from pbem.service.upkeep import doctor, health, metrics
from pbem.service.upkeep.health import (
    WARN,
    Figure,
    Finding,
    Health,
    Look,
    check_safely,
    compute_health,
    troubles,
)
from pbem.service.upkeep.health import alert as look_for_trouble
from pbem.store.db.uow import UnitOfWork
from tests.service.conftest import Table, configured, failing
from tests.service.core.test_faults import a_fault


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

    assert compute_health(table.service).figures["stopped"] == 0
    table.clock.forward(days=4)
    with monkeypatch.context() as patch:
        patch.setattr(games, "load", load)
        for _ in range(3):
            table.run()
            found = compute_health(table.service)
            assert (found.figures["stopped"], found.figures["late"]) == (1, 0)
            (told,) = [problem for problem in found.problems if "stands still" in problem]
            assert game.id in told
            assert other.id not in told
            table.clock.forward(hours=1, seconds=1)
    table.run()
    table.clock.forward(minutes=10)
    found = compute_health(table.service)
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
    found = compute_health(table.service)
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

    assert is_told(compute_health(table.service)) is is_short
    monkeypatch.setattr(health, "compute_health", failing(StoreError("the database is away")))
    assert is_told(check_safely(table.service)) is is_short


AWAY = TransientDeliveryError("the next server is away", scope="server")


def tick(table: Table, **later: float) -> None:
    """Let time pass, then let the service look at everything once."""
    table.clock.forward(**later)
    asyncio.run(Runner(table.service, table.delivery, lambda _: None).run_once())


def test_a_stuck_outbox_is_told_once_a_day(table: Table) -> None:
    """Alert after an hour, and show it in the health report."""
    table.delivery.error = AWAY
    table.new_game(2)
    tick(table, minutes=50)
    assert (table.alerts()) == []
    for _ in range(5):
        tick(table, minutes=30)
    (told,) = table.alerts()
    assert "2 mails have waited to be handed on for an hour or longer" in told
    assert compute_health(table.service).figures["stuck"] >= 2
    tick(table, hours=24)
    assert len(table.alerts()) == 2
    table.delivery.error = None
    tick(table, minutes=30)
    assert [mail.rcpt_to for mail in table.delivery.mails].count("root@example.org") == 2
    tick(table, hours=24)
    assert len(table.alerts()) == 2, "nothing is stuck any more"


def test_mails_that_were_given_up_are_told_together(table: Table) -> None:
    """One alert for all of a day, and a line of `pbem health` for a day."""
    table.delivery.error = TransientDeliveryError("greylisted", scope="mail")
    table.new_game(3)
    with table.service.store.unit_of_work() as uow:
        for mail in uow.outbox.list("pending"):
            for _ in range(70):
                uow.outbox.retry_at(mail.id, table.clock.now(), "greylisted")
    tick(table, days=6)
    assert [row.status for row in table.outbox()][:3] == ["failed"] * 3
    (told,) = [words for words in (table.alerts()) if "given up after days" in words]
    assert "outbox list --status failed" in told
    found = compute_health(table.service)
    assert found.figures["given_up"] == 3
    assert any(problem.startswith("3 mails were given up") for problem in found.problems)
    table.clock.forward(days=2)
    assert compute_health(table.service).figures["given_up"] == 0


@pytest.mark.usefixtures("game")
def test_mails_that_are_set_aside_are_told_once_a_day(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alert contains nothing of the messages."""
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        for seat in (0, 1):
            table.answer(seat, "board")
    tick(table, seconds=1)
    tick(table, minutes=5)
    (told,) = table.alerts()
    assert "2 mails are set aside" in told
    assert "pbem mail shunted retry NUMBER" in told
    assert "no deadline of that seat fires" in told
    for secret in ("7c", "anna", "example.org"):
        assert secret not in told
    tick(table, days=1)
    assert len(table.alerts()) == 2
    for mail in table.inbox():
        if mail.status == "shunted":
            shunted.drop(table.service, mail.id, "for the test")
    tick(table, days=1)
    assert len(table.alerts()) == 2


@pytest.mark.parametrize("name", ["imap", "maildir", "listener"])
def test_a_way_in_that_is_dead_is_told_after_an_hour(table: Table, name: str) -> None:
    """Do not count time in which the service itself was down."""
    waits = ((name, timedelta(minutes=5)), ("delivery", timedelta(minutes=5)))
    service = configured(table.service, heartbeats=waits)
    began = table.clock.now()

    def told(**later: float) -> list[str]:
        table.clock.forward(**later)
        downtime.beat(service)
        look_for_trouble(service, since=began)
        return table.alerts()

    assert told(minutes=1) == []
    for _ in range(6):
        assert told(minutes=9) == []
    (never,) = told(minutes=10)
    assert "has never worked yet" in never
    assert ("no deadline fires" in never) is (name != "listener")
    heartbeats.note(service, {name: table.clock.now()})
    assert len(told(days=1)) == 1, "we were away: nobody could have looked"
    at = table.clock.now()
    heartbeats.note(service, {name: at})
    for _ in range(6):
        assert len(told(minutes=10)) == 1
    assert f"has not worked since {at:%Y-%m-%d %H:%M} UTC" in told(minutes=10)[-1]
    assert len(told(minutes=10)) == 2

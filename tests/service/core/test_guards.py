"""Test that missing, disabled or altered triggers of the log are noticed, reported and repaired."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from pbem.errors import StoreError
from pbem.service.runner import Runner
from pbem.service.upkeep import backup, maintenance
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table

SQLITE = ("event_no_delete", "event_no_replace", "event_no_update")
SOFT = """CREATE OR REPLACE FUNCTION event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RETURN NULL; END $$"""
SOME_COLUMNS = """CREATE TRIGGER event_append_only BEFORE UPDATE OF actor OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_append_only()"""
WITHOUT_TRUNCATE = """CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_append_only()"""
ANOTHER_FUNCTION = """CREATE FUNCTION soft() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RETURN NULL; END $$"""
BY_ANOTHER_FUNCTION = """CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION soft()"""
DROPPED = "DROP TRIGGER event_append_only ON event"
ATTACKS = {
    "sqlite": {
        "dropped": [f"DROP TRIGGER {name}" for name in SQLITE],
        "one dropped": ["DROP TRIGGER event_no_update"],
        "hollow": [
            "DROP TRIGGER event_no_update",
            "CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT 1; END",
        ],
        "on another table": [
            "DROP TRIGGER event_no_delete",
            """CREATE TRIGGER event_no_delete BEFORE DELETE ON game
            BEGIN SELECT RAISE(ABORT, 'the log is append-only: no DELETE'); END""",
        ],
    },
    "postgresql": {
        "dropped": [DROPPED],
        "dropped with its function": [DROPPED, "DROP FUNCTION event_is_append_only()"],
        "off": ["ALTER TABLE event DISABLE TRIGGER event_append_only"],
        "off but for replicas": ["ALTER TABLE event ENABLE REPLICA TRIGGER event_append_only"],
        "hollow": [SOFT],
        "for some columns": [DROPPED, SOME_COLUMNS],
        "not for TRUNCATE": [DROPPED, WITHOUT_TRUNCATE],
        "by another function": [DROPPED, ANOTHER_FUNCTION, BY_ANOTHER_FUNCTION],
    },
}
CHANGE = "UPDATE event SET actor = actor"


def attack(table: Table, name: str) -> None:
    """Drop, disable or alter the triggers, like an attacker with all rights on the database."""
    store = table.service.store
    with store.db_engine.begin() as connection:
        for statement in ATTACKS[store.db_engine.dialect.name][name]:
            connection.exec_driver_sql(statement)


@pytest.fixture(
    params=[(kind, name) for kind, attacks in ATTACKS.items() for name in attacks],
    ids=lambda param: f"{param[0]}-{param[1].replace(' ', '_')}",
)
def attacked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A running game in a database whose guards are gone, off or hollow."""
    kind, name = request.param
    opened: Any = (
        sqlite_store(tmp_path) if kind == "sqlite" else request.getfixturevalue("server").store()
    )
    with opened as store:
        table = make_table(store)
        table.started(2)
        attack(table, name)
        yield table


def test_a_check_names_them_and_an_upgrade_puts_them_back(attacked: Table) -> None:
    """`db check` reports the triggers. `db upgrade` restores them and notifies the admins once."""
    service = attacked.service
    (problem,) = maintenance.check(service, lambda _: None)
    assert "guards of the log" in problem
    assert "event_" in problem
    assert "pbem db upgrade" in problem
    assert maintenance.upgrade(service, lambda _: None)[1] is None
    assert maintenance.check(service, lambda _: None) == []
    with (
        pytest.raises(DBAPIError, match="append-only"),
        service.store.db_engine.begin() as connection,
    ):
        connection.exec_driver_sql(CHANGE)
    (told,) = attacked.alerts()
    assert "event_" in told
    assert "pbem verify" in told
    maintenance.upgrade(service, lambda _: None)
    maintenance.rebuild(service, lambda _: None)
    assert len(attacked.alerts()) == 1, "they were in order"


ONE_OF_EACH = pytest.mark.parametrize(
    "attacked",
    [("sqlite", "hollow"), ("postgresql", "off")],
    indirect=True,
    ids=["sqlite", "postgresql"],
)
"""What a check finds, these two find: they ask it."""


@ONE_OF_EACH
def test_a_running_service_tells_the_admins(attacked: Table) -> None:
    """Report them at the start and once a day, and do not change them."""
    runner = Runner(attacked.service, attacked.delivery, lambda _: None)
    for _ in range(3):
        asyncio.run(runner.run_once())
        attacked.clock.forward(minutes=2)
    (told,) = attacked.alerts()
    assert "event_" in told
    assert "pbem db upgrade" in told
    assert attacked.check() != []
    attacked.clock.forward(days=1)
    asyncio.run(runner.run_once())
    assert len(attacked.alerts()) == 2


@pytest.mark.usefixtures("game")
def test_a_backup_has_them(table: Table, tmp_path: Path) -> None:
    """A copy also refuses changes. A copy without triggers is rejected."""
    backup.take(table.service, tmp_path / "good.sqlite3", lambda _: None)
    with (
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
        sqlite3.connect(tmp_path / "good.sqlite3") as connection,
    ):
        connection.execute(CHANGE)
    attack(table, "one dropped")
    with pytest.raises(StoreError, match="event_no_update"):
        backup.take(table.service, tmp_path / "bad.sqlite3", lambda _: None)

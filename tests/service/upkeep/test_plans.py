"""Nothing that the way of a mail asks the database goes through a table that grows."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import event

from pbem.service.upkeep import health
from pbem.store.db.uow import Store
from tests.databases import sqlite_store
from tests.service.conftest import Table

SMALL = frozenset(
    [
        "alembic_version",
        "heartbeat",
        "outage",
        "own_key",
        "pause",
        "sqlite_master",
        "CONSTANT",
        "(subquery-1)",
    ]
)
"""What may be read from end to end: tables whose rows do not grow with the games, and no table at all."""


def scans(store: Store, statements: set[str]) -> list[str]:
    """Return the statements for which SQLite reads a growing table from end to end."""
    found = []
    with store.db_engine.connect() as connection:
        for statement in sorted(statements):
            plan = connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", (None,) * statement.count("?")
            )
            steps = [row[3].split() for row in plan]
            if any(step[0] == "SCAN" and step[1] not in SMALL for step in steps):
                found.append(statement)
    return found


def test_no_step_of_a_mail_scans_a_table(table: Table) -> None:
    """Taken in, handled, time looked at, answers and turn mails rendered and sent."""
    game = table.started(3)
    said: set[str] = set()
    event.listen(
        table.service.store.db_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_rest: said.add(statement),
    )
    for _ in range(3):
        seat, order = table.standby(game)
        table.answer(seat, order)
        game = table.game(game.id)
    asked = {one for one in said if one.startswith(("SELECT", "UPDATE", "DELETE", "WITH"))}
    assert len(asked) > 20
    assert scans(table.service.store, asked) == []


def test_what_a_monitor_asks_scans_no_table(table: Table) -> None:
    """`pbem health` is asked every few minutes, and more often where much waits."""
    table.started(2)
    said: set[str] = set()
    event.listen(
        table.service.store.db_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_rest: said.add(statement),
    )
    assert health.look(table.service).problems
    assert not health.alert(table.service, since=table.clock.now())
    asked = {one for one in said if one.startswith("SELECT")}
    assert len(asked) > 6
    assert scans(table.service.store, asked) == []


def test_a_scan_is_seen(tmp_path: Path) -> None:
    with sqlite_store(tmp_path) as store:
        bad = "SELECT id FROM outbox WHERE last_error = ?"
        assert scans(store, {bad, "SELECT id FROM outbox WHERE id = ?"}) == [bad]

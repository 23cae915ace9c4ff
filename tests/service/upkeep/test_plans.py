"""Test that no query for handling a message scans a growing table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from sqlalchemy import event

from pbem.service.upkeep import health
from pbem.store.db.uow import Store
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


ENDED = frozenset(["sent", "superseded", "done", "ignored"])
"""What most mails are: to look for these by status alone is to go through all mails."""
Asked: TypeAlias = dict[str, tuple[Any, ...]]
"""Statements with values they came with."""


@contextmanager
def recorded(store: Store) -> Iterator[Asked]:
    """Record the statements that are sent to the database."""
    statements: Asked = {}

    def record(
        _connection: object, _cursor: object, statement: str, values: Any, *_: object
    ) -> None:
        statements.setdefault(statement, values if isinstance(values, tuple) else values[0])

    event.listen(store.db_engine, "before_cursor_execute", record)
    yield statements
    event.remove(
        store.db_engine, "before_cursor_execute", record
    )  # later tests use the engine, too


def scans(store: Store, asked: Asked) -> list[str]:
    """Return the statements for which SQLite scans a growing table."""
    found = []
    with store.db_engine.connect() as connection:
        for statement, values in sorted(asked.items()):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            steps = [row[3] for row in plan]
            if any(
                (step.split()[0] == "SCAN" and step.split()[1] not in SMALL)
                or (step.endswith("(status=?)") and not ENDED.isdisjoint(values))
                for step in steps
            ):
                found.append(statement)
    return found


def test_no_step_of_a_mail_scans_a_table(table: Table) -> None:
    """Check all statements from receipt to sending."""
    game = table.started(3)
    with recorded(table.service.store) as statements:
        for _ in range(3):
            table.move(game)
            game = table.game(game.id)
    verbs = ("SELECT", "UPDATE", "DELETE", "WITH")
    asked = {text: values for text, values in statements.items() if text.startswith(verbs)}
    assert len(asked) > 20
    assert scans(table.service.store, asked) == []


def test_what_a_monitor_asks_scans_no_table(table: Table) -> None:
    """`pbem health` is asked every few minutes, and more often where much waits."""
    table.started(2)
    with recorded(table.service.store) as statements:
        assert health.look(table.service).problems
        assert not health.alert(table.service, since=table.clock.now())
    asked = {text: values for text, values in statements.items() if text.startswith("SELECT")}
    assert len(asked) > 6
    assert scans(table.service.store, asked) == []

"""Test `pbem db check` while a service writes, and that queries scan no growing table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Connection, event

from pbem.domain.clock import clockwork
from pbem.domain.table.game import Game
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.upkeep import health, maintenance
from pbem.store.db import migrating
from pbem.store.db.uow import READING, Store
from pbem.store.tables.projections import Projections
from tests.databases import ring
from tests.service.conftest import Table
from tests.store.revisions import BEFORE, REVISION, with_one_revision_more


def test_nobody_waits_for_a_check(both: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process writes during the comparison, which finds no difference."""
    game = both.started(2)
    url = both.service.store.db_engine.url.render_as_string(hide_password=False)
    unsound, written = Projections.unsound, []

    def write_meanwhile(self: Projections, game: Game) -> list[str]:
        with (
            closing(Store(url, keys=ring, busy_timeout_ms=20)) as other,
            other.unit_of_work() as uow,
        ):
            if not other.is_sqlite:
                uow.connection.exec_driver_sql("SET LOCAL lock_timeout = '20ms'")
            uow.connection.exec_driver_sql("UPDATE game SET status = 'finished'")
            written.append(uow.projections.game(game.id))
        return unsound(self, game)

    with monkeypatch.context() as patched:
        patched.setattr(Projections, "unsound", write_meanwhile)
        assert both.check() == []
    assert len(written) == 1
    assert both.check() == [
        f"the projections differ from the log (tables game of game {game.id}): run `pbem db rebuild`"
    ]
    maintenance.rebuild(both.service, lambda _: None)
    assert both.check() == []


def test_what_happens_during_a_rebuild_is_in_it(
    both: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process stops a clock while the tables are folded: its deadline does not come back."""
    game = both.started(2)
    url = both.service.store.db_engine.url.render_as_string(hide_password=False)
    fold = Projections.rebuild

    def pause() -> None:
        with closing(Store(url, keys=ring)) as other, other.unit_of_work() as uow:
            now = games.load(uow, game.id)
            decision = games.begin(both.service, uow, now, actor="system", cause=None)
            clockwork.pause(decision, "admin")
            Change(both.service, uow, None, decision).record()

    other_one = threading.Thread(target=pause)

    def rebuild(self: Projections, *args: Any) -> int:
        count = fold(self, *args)
        other_one.start()
        other_one.join(0.3)
        return count

    with monkeypatch.context() as patched:
        patched.setattr(Projections, "rebuild", rebuild)
        maintenance.rebuild(both.service, lambda _: None)
    other_one.join()
    assert both.game(game.id).paused_at is not None
    assert both.check() == []


def test_an_upgrade_that_ends_early_changes_nothing(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next attempt migrates tables and projections together."""
    store = table.service.store
    game = table.started(2, ruleset="phyliss")
    table.answer_twice(1, "resign confirm")
    with monkeypatch.context() as newer:
        with_one_revision_more(newer, tmp_path)
        with newer.context() as patched:
            patched.setattr(Projections, "rebuild", lambda *_: 1 // 0)
            with pytest.raises(ZeroDivisionError):
                maintenance.upgrade(table.service, lambda _: None)
        assert store.schema_state().current == BEFORE
        state, count = maintenance.upgrade(table.service, lambda _: None)
        assert (state.current, count) == (REVISION, 1)
        assert maintenance.upgrade(table.service, lambda _: None) == (state, None)
        migrating.downgrade(store, BEFORE)
    assert table.check() == []
    with store.reading() as uow:
        assert uow.standings.rated(None)
        assert uow.projections.game(game.id) is not None


def test_check_takes_no_lock(table: Table) -> None:
    """Every transaction of it only reads, those that look at the schema, too."""
    table.new_game(2)
    began: list[bool] = []

    def note(connection: Connection) -> None:
        began.append(connection.info.get(READING) is True)

    db_engine = table.service.store.db_engine
    event.listen(db_engine, "begin", note)
    assert table.check() == []
    event.remove(db_engine, "begin", note)  # later tests use this engine, too
    assert began
    assert all(began)


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
def record_statements(store: Store) -> Iterator[Asked]:
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


def find_scans(store: Store, asked: Asked) -> list[str]:
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
    with record_statements(table.service.store) as statements:
        for _ in range(3):
            table.move(game)
            game = table.game(game.id)
    verbs = ("SELECT", "UPDATE", "DELETE", "WITH")
    asked = {text: values for text, values in statements.items() if text.startswith(verbs)}
    assert len(asked) > 20
    assert find_scans(table.service.store, asked) == []


@pytest.mark.usefixtures("game")
def test_what_a_monitor_asks_scans_no_table(table: Table) -> None:
    """`pbem health` is asked every few minutes, and more often where much waits."""
    with record_statements(table.service.store) as statements:
        assert health.compute_health(table.service).problems
        assert not health.alert(table.service, since=table.clock.now())
    asked = {text: values for text, values in statements.items() if text.startswith("SELECT")}
    assert len(asked) > 6
    assert find_scans(table.service.store, asked) == []

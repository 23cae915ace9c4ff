"""Test `pbem db check` while a service writes."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from pbem.domain.clock import clockwork
from pbem.domain.table.game import Game
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.upkeep import maintenance
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

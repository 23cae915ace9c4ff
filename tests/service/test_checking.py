"""`pbem db check` beside a service that writes."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import event

from pbem.service import maintenance
from pbem.store.projections import Projections
from pbem.store.uow import Store
from tests.databases import ring
from tests.service.conftest import Table


def silent(_done: int) -> None:
    return None


def test_nobody_waits_for_a_check(both: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """While everything is folded, another process writes to the very tables; it finds no difference."""
    game = both.started(2)
    url = both.service.store.db_engine.url.render_as_string(hide_password=False)
    fold, written = Projections.rebuild, []

    def rebuild(self: Projections, *args: Any) -> int:
        count = fold(self, *args)
        with (
            closing(Store(url, keys=ring, busy_timeout_ms=20)) as other,
            other.unit_of_work() as uow,
        ):
            if not other.is_sqlite:
                uow.connection.exec_driver_sql("SET LOCAL lock_timeout = '20ms'")
            uow.connection.exec_driver_sql("UPDATE game SET status = 'finished'")
            written.append(uow.projections.game(game.id))
        return count

    with monkeypatch.context() as patched:
        patched.setattr(Projections, "rebuild", rebuild)
        assert maintenance.check(both.service, silent) == []
    assert len(written) == 1
    assert maintenance.check(both.service, silent) == [
        "the projections differ from the log: run `pbem db rebuild`"
    ]
    maintenance.rebuild(both.service, silent)
    assert maintenance.check(both.service, silent) == []


def test_check_takes_no_lock(table: Table) -> None:
    """Every transaction of it only reads, those that look at the schema, too."""
    table.new_game(2)
    began: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_: object) -> None:
        began.append(statement)

    event.listen(table.service.store.db_engine, "before_cursor_execute", note)
    assert maintenance.check(table.service, silent) == []
    assert {statement for statement in began if statement.startswith("BEGIN")} == {"BEGIN"}

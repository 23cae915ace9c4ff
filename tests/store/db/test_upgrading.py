"""Test old and new programs on one database during a migration."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from pbem.errors import SchemaError
from pbem.store.db import migrating, schema
from pbem.store.db.uow import Store
from tests.patience import patience
from tests.store.revisions import REVISION, with_one_revision_more
from tests.store.samples import NOW

PATIENCE = 10.0
BREAKING, SIDE_BY_SIDE = "9998", f"9998_works_with_{schema.REVISIONS[-1][:4]}"


@contextmanager
def newer_program(store: Store, revision: str) -> Iterator[Connection]:
    """Migrate as a program does that knows one revision more; what is done inside is its script."""
    with migrating._migrating(store.db_engine) as connection:
        yield connection
        connection.execute(
            text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision}
        )


def beat(store: Store) -> None:
    with store.unit_of_work() as uow:
        uow.outages.note("serve", NOW)


def test_an_old_program_goes_on_beside_a_new_one(store: Store) -> None:
    """A column and a table more, and the revision says that it may: it works on, and starts anew."""
    beat(store)
    with newer_program(store, SIDE_BY_SIDE) as connection:
        connection.execute(text("ALTER TABLE player ADD COLUMN hat TEXT"))
        connection.execute(text("CREATE TABLE hat (id INTEGER PRIMARY KEY)"))
    beat(store)
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
        assert uow.players.get(anna.id) == anna
    state = schema.require_current(store.schema_state())
    assert (state.is_newer, state.is_current) == (True, False)
    assert migrating.upgrade(store) == state
    later = Store(store.db_engine.url.render_as_string(hide_password=False))
    try:
        beat(later)
    finally:
        later.close()


@pytest.mark.parametrize("revision", [f"{REVISION}_works_with_{schema.REVISIONS[-1]}", REVISION])
def test_a_real_migration_under_a_program_at_work(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    """Before it the new program asks for it; after it the old one goes on if the name says so."""
    with store.unit_of_work() as uow:
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
    with monkeypatch.context() as newer:
        with_one_revision_more(newer, tmp_path, revision)
        fresh = Store(store.db_engine.url.render_as_string(hide_password=False))
        with pytest.raises(SchemaError, match="run `pbem db upgrade`"):
            beat(fresh)
        assert migrating.upgrade(fresh).is_current
        beat(fresh)
        fresh.close()
    if revision == REVISION:
        with pytest.raises(SchemaError, match="newer pbem"):
            beat(store)
        return
    with store.unit_of_work() as uow:
        uow.players.add_address(anna.id, "anna@example.org")
        uow.players.add("Bob", "UTC", created_at=NOW)
        assert {player.name for player in uow.players.list()} == {"Anna", "Bob"}


@pytest.mark.parametrize("revision", ["9998_works_with_9997", "9998_works_with", "works_with_0001"])
def test_a_revision_that_does_not_name_one_of_ours(revision: str) -> None:
    assert not schema.SchemaState(revision).is_usable


def test_a_migration_waits_for_units_of_work_and_they_for_it(store: Store) -> None:
    """What an old program began ends before; what it begins meanwhile is refused after it."""
    beat(store)
    began, refused = threading.Event(), threading.Event()
    order: list[str] = []

    def migrate() -> None:
        with newer_program(store, BREAKING):
            order.append("migrated")
            began.set()
            refused.wait(0.2)  # the other one has time to come, and does not get in

    def come() -> None:
        assert began.wait(patience(PATIENCE))
        try:
            beat(store)
        except SchemaError:
            order.append("refused")
            refused.set()

    threads = [threading.Thread(target=work) for work in (migrate, come)]
    with store.unit_of_work() as uow:
        threads[0].start()
        assert not began.wait(0.2)
        uow.outages.note("serve", NOW)
        order.append("written")
    threads[1].start()
    for thread in threads:
        thread.join(patience(PATIENCE))
    assert order == ["written", "migrated", "refused"]

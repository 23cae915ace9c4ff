"""Test several processes on one database: claims and notifications of work."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from pbem.store.db.coordination import Listener, advisory_claim
from pbem.store.db.uow import Store
from tests.databases import PostgresServer
from tests.patience import patience
from tests.store.samples import NOW

PATIENCE = 20


@pytest.fixture
def shared(server: PostgresServer) -> Iterator[Store]:
    with server.store() as store:
        yield store


@contextmanager
def listening(store: Store) -> Iterator[queue.Queue[str]]:
    heard: queue.Queue[str] = queue.Queue()
    listener = Listener(store, lambda: heard.put("work"))
    thread = threading.Thread(target=listener.run)
    thread.start()
    try:
        yield heard
    finally:
        listener.stop()
        thread.join(patience(PATIENCE))
        assert not thread.is_alive()


def write(store: Store) -> None:
    with store.unit_of_work() as uow:
        uow.players.add("Anna", "UTC", created_at=NOW)


def test_one_process_has_a_mailbox_until_it_lets_go(shared: Store) -> None:
    with (
        advisory_claim(shared, "box") as first,
        advisory_claim(shared, "box") as second,
        advisory_claim(shared, "other box") as other,
    ):
        assert (first, second, other) == (True, False, True)
    with advisory_claim(shared, "box") as again:
        assert again


def test_a_process_that_dies_leaves_no_claim(shared: Store) -> None:
    claim = advisory_claim(shared, "box")
    assert claim.__enter__()
    with shared.db_engine.connect() as connection:
        connection.execute(
            text(  # and wait until it has ended
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'"
            )
        )
    with advisory_claim(shared, "box") as after:
        assert after
    claim.__exit__(None, None, None)


def test_a_file_has_one_process(store: Store) -> None:
    """On SQLite every claim holds."""
    with advisory_claim(store, "box") as is_ours:
        assert is_ours


def test_work_that_is_left_is_heard_of(shared: Store) -> None:
    """Listeners are notified after the commit. A process does not notify others of its own work."""
    with listening(shared) as heard:
        assert heard.get(timeout=patience(PATIENCE)) == "work"  # what was there before
        write(shared)
        shared.announces = True
        with pytest.raises(ZeroDivisionError), shared.unit_of_work():
            raise ZeroDivisionError
        assert heard.empty()
        write(shared)
        assert heard.get(timeout=patience(PATIENCE)) == "work"
        assert heard.empty()


def test_listening_goes_on_after_the_connection_broke(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.store.db.coordination.FIRST_PAUSE", 0.01)
    with listening(shared) as heard:
        heard.get(timeout=patience(PATIENCE))
        with shared.db_engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
                    " AND datname = current_database()"
                )
            )
        assert heard.get(timeout=patience(PATIENCE)) == "work"  # it listens again, and looks
        shared.announces = True
        write(shared)
        assert heard.get(timeout=patience(PATIENCE)) == "work"

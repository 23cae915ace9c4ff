"""Writers of one process on SQLite: in the order in which they came."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from pbem.store.db.uow import Store, Turns
from tests.databases import sqlite_file
from tests.patience import patience

PATIENCE = 10.0


def until(turns: Turns, count: int) -> None:
    """Wait until so many threads wait."""
    end = time.monotonic() + patience(PATIENCE)
    while len(turns._waiting) < count:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_first_come_first_served() -> None:
    """Whoever gives a turn back and wants another one stands behind those who wait."""
    turns, order = Turns(), list[str]()
    assert turns.take(0)

    def work(name: str) -> None:
        assert turns.take(patience(PATIENCE))
        order.append(name)
        turns.give_back()

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=work, args=(f"waiting {number}",)))
        threads[-1].start()
        until(turns, number + 1)
    turns.give_back()
    work("back again")
    for thread in threads:
        thread.join(patience(PATIENCE))
    assert order == [*(f"waiting {number}" for number in range(5)), "back again"]
    assert turns.take(0)


def test_who_has_no_patience_left_stands_in_nobodys_way() -> None:
    turns = Turns()
    assert turns.take(0)
    assert not turns.take(0.01)
    turns.give_back()
    assert turns.take(0)


def test_a_busy_writer_does_not_keep_the_others_out(tmp_path: Path) -> None:
    """One writes without a pause; eight others get in long before the database's patience ends."""
    store = Store(f"sqlite:///{sqlite_file(tmp_path)}")
    is_over = threading.Event()

    def write_on() -> None:
        while not is_over.is_set():
            with store.unit_of_work():
                time.sleep(0.01)

    waits: list[float] = []

    def write_once() -> None:
        began = time.monotonic()
        with store.unit_of_work():
            waits.append(time.monotonic() - began)

    busy = threading.Thread(target=write_on)
    busy.start()
    others = [threading.Thread(target=write_once) for _ in range(8)]
    for thread in others:
        thread.start()
    for thread in others:
        thread.join(patience(PATIENCE))
    is_over.set()
    busy.join(patience(PATIENCE))
    store.close()
    assert len(waits) == 8


def test_a_look_at_the_schema_waits_for_no_writer(tmp_path: Path) -> None:
    """Whoever only looks, as `pbem health` does, is kept by none."""
    url = f"sqlite:///{sqlite_file(tmp_path)}"
    store, other = Store(url), Store(url, busy_timeout_ms=1)
    with store.unit_of_work():
        assert other.schema_state().is_usable
    store.close()
    other.close()

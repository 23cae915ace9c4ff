"""Test the fair lock of writers in one process on SQLite."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from pbem.store.db.uow import Store
from pbem.store.db.write_queue import WriteQueue
from tests.databases import sqlite_file
from tests.patience import patience

PATIENCE = 10.0


def until(queue: WriteQueue[None], count: int) -> None:
    """Wait until so many threads wait."""
    end = time.monotonic() + patience(PATIENCE)
    while len(queue._waiting) < count:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_first_come_first_served() -> None:
    """A writer that asks again is queued behind the waiting ones."""
    queue, order = WriteQueue[None](patience(PATIENCE)), list[str]()

    def work(name: str) -> None:
        with queue.turn():
            order.append(name)

    threads = []
    with queue.turn():
        for number in range(5):
            threads.append(threading.Thread(target=work, args=(f"waiting {number}",)))
            threads[-1].start()
            until(queue, number + 1)
    work("back again")
    for thread in threads:
        thread.join(patience(PATIENCE))
    assert order == [*(f"waiting {number}" for number in range(5)), "back again"]


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

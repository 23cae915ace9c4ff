"""Test group commits of several threads: `Store.run_grouped`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event

from pbem.errors import StoreAwayError
from pbem.store.db.uow import Store, UnitOfWork
from tests.databases import sqlite_store
from tests.patience import patience

NOW = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
OTHERS = 5
Step = Callable[[UnitOfWork], Any]


def noting(name: str) -> Step:
    return lambda uow: uow.outages.note(name, NOW)


def noted(store: Store) -> list[str]:
    with store.reading() as uow:
        return uow.outages.noted("", NOW)


def behind_the_first(store: Store, steps: list[Step]) -> tuple[list[Future[Any]], int]:
    """Run steps that come while the transaction of a first one is open; return the number of commits."""
    is_open, may_end = threading.Event(), threading.Event()
    commits: list[Connection] = []
    note = commits.append

    def first(uow: UnitOfWork) -> None:
        uow.outages.note("first", NOW)
        is_open.set()
        may_end.wait(patience(10))

    def durably(step: Step) -> Any:
        given = store.run_grouped(step)
        return given, noted(store)

    event.listen(store.db_engine, "commit", note)
    with ThreadPoolExecutor(OTHERS + 1) as pool:
        begun = pool.submit(store.run_grouped, first)
        assert is_open.wait(patience(10))
        others = [pool.submit(durably, step) for step in steps]
        while len(store._writers._waiting) < len(steps):
            threading.Event().wait(0.01)
        may_end.set()
        begun.result(patience(10))
    event.remove(store.db_engine, "commit", note)
    return others, len(commits) - sum(not one.exception() for one in others)  # each looked once


def test_those_who_wait_share_a_transaction_and_return_after_its_commit(store: Store) -> None:
    names = [f"other {number}" for number in range(OTHERS)]
    others, commits = behind_the_first(store, [noting(name) for name in names])

    assert commits == 2
    for name, one in zip(names, others, strict=True):
        assert name in one.result()[1]
    assert noted(store) == sorted(["first", *names])


def test_nobody_waits_without_end_for_a_disk_that_hangs(tmp_path: Path) -> None:
    goes_on, hangs = threading.Event(), threading.Event()

    def hang(uow: UnitOfWork) -> None:
        uow.outages.note("hanging", NOW)
        hangs.set()
        goes_on.wait(patience(30))

    with sqlite_store(tmp_path) as store, ThreadPoolExecutor(OTHERS + 1) as pool:
        hasty = Store(f"sqlite:///{store.db_engine.url.database}", busy_timeout_ms=50)
        leading = pool.submit(hasty.run_grouped, hang)
        assert hangs.wait(patience(10))
        others = [pool.submit(hasty.run_grouped, noting(f"{number}")) for number in range(OTHERS)]
        errors = [one.exception(patience(10)) for one in others]
        goes_on.set()
        leading.result(patience(10))
        hasty.run_grouped(noting("later"))

        assert [type(error) for error in errors] == [StoreAwayError] * OTHERS
        assert noted(store) == ["hanging", "later"]
        hasty.close()


def test_a_step_that_fails_does_so_alone(store: Store) -> None:
    def fails(uow: UnitOfWork) -> None:
        uow.outages.note("never", NOW)
        raise RuntimeError("no")

    others, _ = behind_the_first(store, [noting("before"), fails, noting("after")])

    assert str(others[1].exception()) == "no"
    assert noted(store) == ["after", "before", "first"]


def test_all_hear_that_the_database_is_away(tmp_path: Path) -> None:
    with sqlite_store(tmp_path) as store:
        url = f"sqlite:///{store.db_engine.url.database}"
        hasty = Store(url, busy_timeout_ms=50)
        with store.unit_of_work() as uow, ThreadPoolExecutor(OTHERS) as pool:
            uow.outages.note("busy", NOW)
            heard = [pool.submit(hasty.run_grouped, noting(f"{n}")) for n in range(OTHERS)]
            errors = [one.exception(patience(20)) for one in heard]
        assert [type(error) for error in errors] == [StoreAwayError] * OTHERS
        hasty.run_grouped(noting("later"))
        assert noted(store) == ["busy", "later"]
        hasty.close()

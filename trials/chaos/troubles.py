"""Inject faults other than kills: in the database, disk, mail server, clock and caches."""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251  (when things go wrong, not what is played)
from typing import TypeVar, get_args

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from pbem.errors import Refusal, StoreError
from pbem.service.core.context import Service
from pbem.service.people import mail_acts
from trials.chaos.office import OfficeTrouble, TroubledOffice
from trials.chaos.processes import ServiceProcess

T = TypeVar("T")

SERVICE_NAME = "pbem-chaos-service"
SMTP_SECONDS = 1.5
"""Timeout of the service for an answer of the mail server."""
BUSY_SECONDS = 6.5
"""Time for which the database is locked, longer than the service waits for another writer."""
CLOCK_SECONDS = 1500.0
"""Error of a wrong clock, so small that no player's time is extended (docs/time.md)."""
LEASE_SECONDS = 1
"""Time after which another service may claim a message."""
AIM_SECONDS = 1.5
OF_DATABASE = frozenset({"frozen", "busy", "disk full", "cut in work", "cut idle", "away"})
"""Database faults. A service that is killed during a fault of these may need several starts."""

TROUBLES = {
    "stall": "mail server stalls before it takes a mail",
    "stall kept": "mail server stalls when it has taken one",
    "later": "mail server says 451 to readers (greylisting)",
    "full": "mail server says 452 to mails",
    "421": "mail server says 421",
    "drop": "mail server hangs up in the middle of a mail",
    "drop kept": "mail server hangs up when it has taken one",
    "gone": "mail server is not there, and comes back",
    "ahead": "clock jumps ahead, and back before all mails have left",
    "behind": "clock jumps back, and ahead before all mails have left",
    "frozen": "service is frozen as a mail leaves, for longer than its lease",
    "busy": "database is held by another writer for too long",
    "disk full": "disk is full",
    "cut in work": "database ends connections in a unit of work",
    "cut idle": "database ends idle connections",
    "away": "database is away, and comes back",
}


async def patiently(read: Callable[[], T], seconds: float = 30.0) -> T:
    """Call in a thread, retrying after database faults. Raises: StoreError if they persist."""
    end = time.monotonic() + seconds
    while True:
        try:
            return await asyncio.to_thread(read)
        except StoreError:
            if time.monotonic() > end:
                raise
        await asyncio.sleep(0.1)


@dataclass(slots=True)
class Troubles:
    """Injects faults one after another until the planned number is reached.

    Attributes:
        processes: the services.
        disk: a small file system that contains the database, or None to fill none.
        done: number of completed faults, by kind.
        begun: number of faults, including failed attempts.
    """

    service: Service
    office: TroubledOffice
    clock_file: Path
    disk: Path | None
    chance: Random
    count: int
    processes: Sequence[ServiceProcess]
    done: Counter[str] = field(default_factory=Counter)
    begun: int = 0
    is_over: bool = False
    _bag: list[str] = field(default_factory=list)
    _database_was_ill: float = 0.0

    def are_there(self) -> bool:
        """True if all services run."""
        return all(process.ready.is_set() for process in self.processes)

    def was_database_ill(self, since: float) -> bool:
        """True if the database had a fault at this time (`time.monotonic`) or later."""
        return self._database_was_ill >= since

    async def another(self) -> None:
        """Wait until the next fault begins, or until no more faults follow."""
        before = self.begun
        while self.begun == before and not self.is_over:  # noqa: ASYNC110  (there is no event to wait for)
            await asyncio.sleep(0.05)

    async def haunt(self) -> None:
        """Inject random faults until the planned number is reached."""
        try:
            while self.done.total() < self.count:
                await asyncio.sleep(self.chance.uniform(0.2, 1.0))
                if not self.are_there():
                    continue
                kind = self._next()
                if await self._make(kind):
                    self.done[kind] += 1
                else:
                    self._bag.insert(0, kind)  # the fault had no target: retry later
        finally:
            self.is_over = True

    async def _make(self, kind: str) -> bool:
        self.begun += 1
        if kind not in OF_DATABASE:
            return await self._makers()[kind]()
        self._database_was_ill = math.inf
        try:
            return await self._makers()[kind]()
        finally:
            self._database_was_ill = time.monotonic()

    def _next(self) -> str:
        """Draw a kind of fault. Each kind occurs once before any occurs again."""
        if not self._bag:
            self._bag = self.chance.sample(list(self._makers()), len(self._makers()))
        return self._bag.pop()

    def _makers(self) -> dict[str, Callable[[], Awaitable[bool]]]:
        makers: dict[str, Callable[[], Awaitable[bool]]] = {
            name: lambda name=name: self._trouble_office(name) for name in get_args(OfficeTrouble)
        }
        makers |= {
            "gone": self._close_office,
            "ahead": lambda: self._set_clock(CLOCK_SECONDS),
            "behind": lambda: self._set_clock(-CLOCK_SECONDS),
            "frozen": self._freeze,
        }
        if self.service.store.is_sqlite:
            makers["busy"] = lambda: asyncio.to_thread(self._hold)
        else:
            makers |= {
                "cut in work": lambda: self._has_cut(in_work=True),
                "cut idle": lambda: self._has_cut(in_work=False),
                "away": self._lock_out,
            }
        if self.disk is not None:
            makers["disk full"] = lambda: asyncio.to_thread(self._fill_disk)
        return makers

    # --- the mail server ----------------------------------------------------------------------

    async def _trouble_office(self, trouble: OfficeTrouble) -> bool:
        """Begin a fault of the mail server, and end it shortly after a conversation met it."""
        before = self.office.met
        self.office.begin(trouble)
        try:
            for _ in range(40):
                await asyncio.sleep(0.1)
                if self.office.met > before:
                    break
            await asyncio.sleep(SMTP_SECONDS + 0.3 if trouble.startswith("stall") else 0.3)
        finally:
            self.office.end()
        return self.office.met > before

    async def _close_office(self) -> bool:
        self.office.close()
        try:
            await asyncio.sleep(self.chance.uniform(0.5, 2))
        finally:
            await self.office.open()
        return True

    async def hurry(self) -> None:
        """Retry messages soon that were postponed because of an error, like an impatient admin."""
        while True:
            await asyncio.sleep(0.5)
            if self.office.trouble is None:
                with suppress(StoreError):
                    await asyncio.to_thread(self._retry_all)

    def _retry_all(self) -> None:
        with self.service.store.reading() as uow:
            put_off = [mail.id for mail in uow.outbox.list("pending") if mail.last_error]
        for mail_id in put_off:
            with suppress(Refusal):
                mail_acts.retry(self.service, mail_id)

    # --- the service --------------------------------------------------------------------------

    async def _freeze(self) -> bool:
        """Suspend a process during a delivery, and resume it after its lease has ended."""
        victim = self.chance.choice(self.processes)
        announced = self.office.on_announced
        is_hit = asyncio.Event()

        def freeze() -> None:
            announced()
            if not is_hit.is_set() and victim.freeze():
                is_hit.set()

        self.office.on_announced = freeze
        try:
            async with asyncio.timeout(AIM_SECONDS):
                await is_hit.wait()
            await asyncio.sleep(LEASE_SECONDS * self.chance.uniform(1.2, 4))
        except TimeoutError:
            return False
        finally:
            self.office.on_announced = announced
            victim.thaw()
        return True

    # --- the clock, the cache -----------------------------------------------------------------

    async def _set_clock(self, seconds: float) -> bool:
        """Set the services' clocks forward, and later back, while messages are waiting."""
        write_whole(self.clock_file, str(seconds))
        try:
            await asyncio.sleep(self.chance.uniform(0.5, 1))
            self.office.close()
            await asyncio.sleep(self.chance.uniform(0.5, 1.5))
        finally:
            write_whole(self.clock_file, "0")
            await self.office.open()
        return True

    # --- the disk -----------------------------------------------------------------------------

    def _fill_disk(self) -> bool:
        """Fill the disk completely for a while."""
        assert self.disk is not None
        ballast = self.disk / "ballast"
        try:
            if self.service.store.is_sqlite:
                self._empty_wal()
            _fill(ballast)
            time.sleep(self.chance.uniform(1, 3))
        finally:
            ballast.unlink(missing_ok=True)
        return True

    def _empty_wal(self) -> None:
        """Truncate the write-ahead log, so that the service must extend it on the full disk."""
        holder = sqlite3.connect(self._file, timeout=30, isolation_level=None)
        try:
            holder.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            holder.close()

    # --- SQLite -------------------------------------------------------------------------------

    def _hold(self) -> bool:
        """Hold SQLite's write lock for longer than the service waits."""
        holder = sqlite3.connect(self._file, timeout=30, isolation_level=None)
        try:
            holder.execute("BEGIN IMMEDIATE")
            time.sleep(BUSY_SECONDS)
            holder.execute("ROLLBACK")
        finally:
            holder.close()
        return True

    @property
    def _file(self) -> str:
        return str(self.service.store.db_engine.url.database)

    # --- PostgreSQL ---------------------------------------------------------------------------

    async def _has_cut(self, *, in_work: bool) -> bool:
        return await self.cut(in_work=in_work) > 0

    async def cut(self, *, in_work: bool) -> int:
        """End one connection of a service in a unit of work, or all idle connections.

        Returns the number of ended connections.
        """
        return await asyncio.to_thread(self._cut_now, in_work=in_work)

    def _cut_now(self, *, in_work: bool) -> int:
        end = time.monotonic() + AIM_SECONDS
        with self._above() as execute:
            while time.monotonic() < end:
                cut = execute(_CUT_IN_WORK if in_work else _CUT_IDLE)
                if cut:
                    return cut
        return 0

    async def _lock_out(self) -> bool:
        """Refuse and drop all connections to the database for a while."""
        name = self.service.store.db_engine.url.database
        try:
            await asyncio.to_thread(self._allow, name, allowed=False)
            await asyncio.sleep(self.chance.uniform(0.5, 2.5))
        finally:
            await asyncio.to_thread(self._allow, name, allowed=True)
        return True

    def _allow(self, name: str | None, *, allowed: bool) -> None:
        with self._above() as execute:
            execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {str(allowed).lower()}")
            if not allowed:
                execute(_CUT_ALL)

    @contextmanager
    def _above(self) -> Iterator[Callable[[str], int]]:
        """Yield a function that runs a statement as the database's admin and returns its row count."""
        url = self.service.store.db_engine.url
        engine = create_engine(
            url.set(database="postgres"), poolclass=NullPool, isolation_level="AUTOCOMMIT"
        )
        values = {"name": SERVICE_NAME, "database": url.database}
        with engine.connect() as connection:
            yield lambda statement: max(connection.execute(text(statement), values).rowcount, 0)


_CUT_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = :database AND pid <> pg_backend_pid()"
)
_OF_SERVICES = f"{_CUT_ALL} AND application_name = :name"
_CUT_IN_WORK = f"{_OF_SERVICES} AND state IN ('active', 'idle in transaction') LIMIT 1"
_CUT_IDLE = f"{_OF_SERVICES} AND state = 'idle'"


def write_whole(file: Path, content: str) -> None:
    """Write a small file atomically."""
    partial = file.with_suffix(".part")
    partial.write_text(content, encoding="ascii")
    partial.replace(file)


def _fill(ballast: Path) -> None:
    """Fill a file system with one file, to the last byte."""
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 16, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(b"x" * size)

"""Sample a long load each minute: latencies, memory and disk, during backups and pruning."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from rich.table import Table

from bench.house import House
from bench.served import Served, with_children
from pbem.clock import Clock
from pbem.service.upkeep import pruning

SAMPLE_SECONDS = 60.0
KEPT = timedelta(minutes=5)
"""Age from which messages are pruned, instead of `[serve] keep_mails`."""


@dataclass(slots=True)
class Minute:
    """The figures of one minute.

    Attributes:
        until: end of the minute.
        replies: number of handled replies.
        latencies: seconds from arrival to the queued messages that follow, at 50, 95 and 99 %.
        memory: memory of all services and their parser processes, in MB, with shared pages divided
            among the processes (PSS).
        resident: the same with shared pages counted in full for each process (RSS).
        files: number of open files of all services, without the parser processes.
        wal: size of the write-ahead log, in MB.
        disk: size of the database file, in MB.
        beside: maintenance done in this minute, such as `backup`.
    """

    until: datetime
    memory: float
    resident: float
    files: int
    wal: float
    disk: float
    beside: str = ""
    replies: int = 0
    latencies: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Later(Clock):
    """A clock that is ahead of another clock."""

    behind: Clock
    ahead: timedelta

    def now(self) -> datetime:
        return self.behind.now() + self.ahead


async def watch(
    house: House,
    services: Sequence[Served],
    care: int,
    minutes: list[Minute],
    config: Path,
    tell: Callable[[str], object],
) -> None:
    """Sample once a minute until cancelled. Back up and prune every `care` minutes (0 = never)."""
    for number in count(1):
        began = time.monotonic()
        done = []
        if care and number % care == 0:
            done.append(await _back_up(house, config))
            done.append(await asyncio.to_thread(_prune, house))
        await asyncio.sleep(max(0.0, SAMPLE_SECONDS - (time.monotonic() - began)))
        minutes.append(await asyncio.to_thread(_look, house, services, ", ".join(done)))
        tell(f"minute {number}: {minutes[-1]}")


async def _back_up(house: House, config: Path) -> str:
    """Back up the database with the command for operators. Raises: RuntimeError."""
    began = time.monotonic()
    target = house.folder / "backup.sqlite3"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pbem", "db", "backup", str(target), "--config", str(config)),
        stdout=asyncio.subprocess.DEVNULL,
        env=os.environ | {"PBEM_SERVICE__KEY": "6b" * 32},
    )
    if code := await process.wait():
        raise RuntimeError(f"pbem db backup ended with {code}")
    target.unlink()
    return f"backup {time.monotonic() - began:.0f} s"


def _prune(house: House) -> str:
    """Prune like `pbem serve`, but already messages older than `KEPT`, in this process."""
    service = house.service
    ahead = service.config.serve.keep_mails - KEPT
    return f"{pruning.tidy(replace(service, clock=_Later(service.clock, ahead)))} pruned"


def _look(house: House, services: Sequence[Served], beside: str) -> Minute:
    sums = {"Pss": 0.0, "Rss": 0.0}
    for service in services:
        for pid in with_children(service.pid):
            with suppress(OSError):
                for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
                    name, value = line.split()[:2]
                    if name[:-1] in sums:
                        sums[name[:-1]] += int(value) / 1024
    file = Path(str(house.service.store.db_engine.url.database))
    sizes = [
        path.stat().st_size / 2**20 if path.exists() else 0.0
        for path in (file, Path(f"{file}-wal"))
    ]
    files = sum(len([*Path(f"/proc/{process.pid}/fd").iterdir()]) for process in services)
    return Minute(house.service.now(), sums["Pss"], sums["Rss"], files, sizes[1], sizes[0], beside)


def fill(minutes: Sequence[Minute], rows: Sequence[Any]) -> None:
    """Fill in replies and latencies from rows of the inbox, which are in the order of `handled_at`."""
    waiting = iter(rows)
    row = next(waiting, None)
    for minute in minutes:
        waits = []
        while row is not None and row.handled_at <= minute.until:
            waits.append((row.handled_at - row.arrived_at).total_seconds())
            row = next(waiting, None)
        minute.replies = len(waits)
        if len(waits) > 1:
            cuts = statistics.quantiles(waits, n=100, method="inclusive")
            minute.latencies = (cuts[49], cuts[94], cuts[98])


def table(minutes: Sequence[Minute], every: int = 1) -> Table:
    """Return a table of every n-th minute."""
    result = Table(
        "minute", "replies", "50 %", "95 %", "99 %", "PSS", "RSS", "files", "WAL", "disk", "beside"
    )
    for number in range(every - 1, len(minutes), every):
        minute = minutes[number]
        shown = [f"{seconds:.2f}" for seconds in minute.latencies] or ["", "", ""]
        sizes = (
            f"{minute.memory:.0f}",
            f"{minute.resident:.0f}",
            str(minute.files),
            f"{minute.wal:.1f}",
            f"{minute.disk:.0f}",
        )
        result.add_row(str(number + 1), str(minute.replies), *shown, *sizes, minute.beside)
    return result

"""Run `pbem serve` in separate processes and measure their processor time and memory."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbem.demo.post_office import free_port

READY_SECONDS = 60.0
STOP_SECONDS = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Served:
    """One running service.

    Attributes:
        port: port of its listener.
    """

    port: int
    process: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        """Return the pid of the service. Its children are the parser processes."""
        return self.process.pid

    async def stop(self) -> None:
        """End the service by SIGTERM. Raises: RuntimeError if it does not end in order."""
        self.process.terminate()
        async with asyncio.timeout(STOP_SECONDS):
            code = await self.process.wait()
        if code:
            raise RuntimeError(f"pbem serve ended with {code}")


UNIT = Path(__file__).parents[1] / "docs" / "systemd" / "pbem.service"
AS_THE_UNIT = dict(re.findall(r"^Environment=(\w+)=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE))
"""Environment variables set by docs/systemd/pbem.service."""


async def start(config: Path, env: dict[str, str], log: Path) -> Served:
    """Start a service and wait until it accepts messages. Raises: RuntimeError."""
    port = free_port()
    with log.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pbem", "serve", "--config", str(config), "--json"),
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
            env=os.environ | AS_THE_UNIT | {"PBEM_LISTEN__PORT": str(port)} | env,
        )
    if process.stdout is None:
        raise RuntimeError("the service has no pipe")
    async with asyncio.timeout(READY_SECONDS):
        line = await process.stdout.readline()
    if not line:
        raise RuntimeError(f"the service did not start, see {log}")
    return Served(port, process)


def with_children(pid: int) -> list[int]:
    """Return the pids of a process and all its descendants."""
    pids = [pid]
    for number in pids:
        try:
            for children in Path(f"/proc/{number}/task").glob("*/children"):
                pids += [int(child) for child in children.read_text().split()]
        except OSError:
            continue
    return pids


def cpu_seconds(pid: int) -> float:
    """Return the processor seconds of a process and its descendants, ended ones included."""
    ticks = 0
    for number in with_children(pid):
        try:
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def reading_seconds() -> float:
    """Return the processor seconds so far of this process's parser processes, with nanosecond precision."""
    nanoseconds = 0
    for number in with_children(os.getpid())[1:]:
        with suppress(OSError):
            if b"pbem.mail_in.sandbox.worker" in Path(f"/proc/{number}/cmdline").read_bytes():
                nanoseconds += int(Path(f"/proc/{number}/schedstat").read_text().split()[0])
    return nanoseconds / 1e9


def megabytes(pid: int) -> float:
    """Return the resident memory that a process and its descendants share with no other process."""
    pages = 0
    for number in with_children(pid):
        try:
            resident, shared = Path(f"/proc/{number}/statm").read_text().split()[1:3]
        except OSError:
            continue
        pages += int(resident) - int(shared)
    return pages * _PAGE / 2**20

"""`pbem serve` in processes of its own, started again whenever it is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.wire import Moments

READY_SECONDS = 90.0
STOP_SECONDS = 30.0


class ServiceError(Exception):
    """The service ended by itself, or did not start."""


@dataclass(slots=True)
class ServiceProcess:
    """One service: its process is replaced by a new one when it was killed.

    Attributes:
        spawned: set while there is a process.
        ready: set while it listens.
        clock_file: says by how many seconds its clock is wrong.
        starts: processes so far.
        kills: of them were killed.
        start_seconds: how long the last start took.
    """

    config: Path
    port: int
    env: dict[str, str]
    moments: Moments
    log: Path
    clock_file: Path
    spawned: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    starts: int = 0
    kills: int = 0
    start_seconds: float = 2.0
    _process: asyncio.subprocess.Process | None = None
    _killed: bool = False
    _stopping: bool = False

    async def supervise(self) -> None:
        """Keep the service running until `stop`. Raises: ServiceError."""
        while not self._stopping:
            code = await self._run()
            if self._stopping:
                if code != 0:
                    raise ServiceError(f"SIGTERM: the service ended with {code}\n{self.tail()}")
            elif not self._killed or code != -signal.SIGKILL:
                raise ServiceError(f"the service ended by itself with {code}\n{self.tail()}")

    def kill(self) -> bool:
        """SIGKILL, to this process only; False if there is none."""
        if self._process is None or self._process.returncode is not None or self._killed:
            return False
        self._killed = True
        self.kills += 1
        self.ready.clear()
        os.kill(self._process.pid, signal.SIGKILL)
        return True

    def stop(self) -> None:
        """Ask for an orderly end."""
        self._stopping = True
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def _run(self) -> int:
        began = time.monotonic()
        with self.log.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.chaos.clocked", str(self.clock_file)),
                *("serve", "--config", str(self.config), "--json"),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=os.environ
                | {"PYTHONFAULTHANDLER": "1", "PBEM_LISTEN__PORT": str(self.port)}
                | self.env,
            )
        self._process, self._killed = process, False
        self.starts += 1
        self.spawned.set()
        try:
            assert process.stdout is not None
            try:
                async with asyncio.timeout(READY_SECONDS):
                    line = await process.stdout.readline()
            except TimeoutError:
                raise ServiceError(await self._hanging("it does not start")) from None
            if line and not self._killed:
                self.start_seconds = time.monotonic() - began
                self.ready.set()
                self.moments.restarted()
            return await self._ended(process)
        finally:
            self.spawned.clear()
            self.ready.clear()
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _ended(self, process: asyncio.subprocess.Process) -> int:
        while True:
            was_asked = self._stopping
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    return await process.wait()
            except TimeoutError:
                if was_asked:
                    raise ServiceError(await self._hanging("SIGTERM is not heard")) from None

    async def _hanging(self, what: str) -> str:
        """End a process that hangs, and say where it hung (SIGABRT and `faulthandler`)."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGABRT)
            await self._process.wait()
        return f"{what}\n{self.tail()}"

    def tail(self) -> str:
        """Give the last lines of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]

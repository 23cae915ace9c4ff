"""Run `pbem serve` in processes that are restarted after a kill, like systemd."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.patience import patience
from trials.chaos.wire import Moments

READY_SECONDS = 90.0
STOP_SECONDS = 30.0
PAUSE_SECONDS = 0.3
"""Pause before the next start, after a process could not start."""


class ServiceError(Exception):
    """The service ended without being killed, or did not start."""


@dataclass(slots=True)
class ServiceProcess:
    """A service whose process is restarted after it was killed.

    Attributes:
        spawned: set while there is a process.
        ready: set while it listens.
        clock_file: contains the number of seconds by which its clock is wrong.
        is_excused: returns True if a start may have failed because of a fault at this moment
            (seconds of `time.monotonic`) or later.
        starts: number of processes so far.
        kills: number of processes that were killed.
        failed: number of processes that could not start because of a fault.
        start_seconds: duration of the last start.
    """

    config: Path
    port: int
    env: dict[str, str]
    moments: Moments
    log: Path
    clock_file: Path
    is_excused: Callable[[float], bool] = lambda _: False
    spawned: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    starts: int = 0
    kills: int = 0
    failed: int = 0
    start_seconds: float = 2.0
    _process: asyncio.subprocess.Process | None = None
    _killed: bool = False
    _stopping: bool = False
    _has_started: bool = False

    async def supervise(self) -> None:
        """Keep the service running until `stop`. Raises: ServiceError."""
        while not self._stopping:
            began = time.monotonic()
            code = await self._run()
            if self._stopping:
                if code != 0:
                    raise ServiceError(f"SIGTERM: the service ended with {code}\n{self.tail()}")
            elif self._killed and code == -signal.SIGKILL:
                continue
            elif code > 0 and not self._has_started and self.is_excused(began):
                self.failed += 1
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                raise ServiceError(f"the service ended by itself with {code}\n{self.tail()}")

    def kill(self) -> bool:
        """Send SIGKILL to this process only. Return False if there is none."""
        if not self._signal(signal.SIGKILL):
            return False
        self._killed = True
        self.kills += 1
        self.ready.clear()
        return True

    def freeze(self) -> bool:
        """Send SIGSTOP to this process only. Return False if there is none."""
        return self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Send SIGCONT, which has no effect on a running process."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> bool:
        if self._process is None or self._process.returncode is not None or self._killed:
            return False
        os.kill(self._process.pid, number)
        return True

    def stop(self) -> None:
        """Ask the process to shut down in order (SIGTERM), and do not restart it."""
        self._stopping = True
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def _run(self) -> int:
        began = time.monotonic()
        with self.log.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "trials.chaos.clocked", str(self.clock_file)),
                *("serve", "--config", str(self.config), "--json"),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=os.environ
                | {"PYTHONFAULTHANDLER": "1", "PBEM_LISTEN__PORT": str(self.port)}
                | self.env,
            )
        self._process, self._killed, self._has_started = process, False, False
        self.starts += 1
        self.spawned.set()
        try:
            assert process.stdout is not None
            try:
                async with asyncio.timeout(patience(READY_SECONDS)):
                    line = await process.stdout.readline()
            except TimeoutError:
                raise ServiceError(await self._hanging("it does not start")) from None
            if _says_ready(line) and not self._killed:
                self._has_started = True
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
                async with asyncio.timeout(patience(STOP_SECONDS)):
                    return await process.wait()
            except TimeoutError:
                if was_asked:
                    raise ServiceError(await self._hanging("SIGTERM is not heard")) from None

    async def _hanging(self, what: str) -> str:
        """End a hanging process and return an error text with its stack (SIGABRT, `faulthandler`)."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGABRT)
            await self._process.wait()
        return f"{what}\n{self.tail()}"

    def tail(self) -> str:
        """Return the end of the process's log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]


def _says_ready(line: bytes) -> bool:
    """True if a line reports that the service listens, False for startup errors."""
    try:
        return bool(json.loads(line).get("ready"))
    except ValueError:
        return False

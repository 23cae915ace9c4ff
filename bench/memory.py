"""Measure the memory of `pbem serve` with its parser process."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from bench.house import House
from bench.served import megabytes, start
from trials.load.run import KEY, Load, config_of, run
from trials.load.traffic import Traffic

GAMES = 10
BARE = """
import aiosmtpd.lmtp, aiosmtplib, apscheduler.schedulers.asyncio, babel, imap_tools, jinja2, lxml.html
import pydantic_settings, rich, sqlmodel, structlog, typer
import cryptography.hazmat.primitives.ciphers.aead
import sys
print("ready", flush=True)
sys.stdin.read()
"""


class Serving:
    """Run `pbem serve` on a new SQLite file and measure its memory.

    Attributes:
        took: gigabytes of resident memory that it shares with no other process.

    Args:
        mails: number of replies processed before the measurement.
    """

    def __init__(self, mails: int) -> None:
        self._mails = mails
        self.took = 0.0

    def __call__(self) -> int:
        """Run the service once. Raises: RuntimeError if a message was lost or duplicated."""
        house = House()
        if self._mails:
            house.start_games(GAMES, deals=50)
            load = Load(self._mails, GAMES, 1, "sqlite", 0.0)
            asyncio.run(run(load, house, Traffic(self._mails, 0.0)))
            if load.problems:
                raise RuntimeError("; ".join(load.problems))
            self.took = load.memory[-1] / 1024
        else:
            asyncio.run(self._look(house))
        house.service.store.close()
        return 1

    async def _look(self, house: House) -> None:
        traffic = Traffic(0, 0.0)
        server = await traffic.listen()
        service = await start(config_of(house, traffic.port), KEY, house.folder / "serve.log")
        self.took = megabytes(service.pid) / 1024
        await service.stop()
        server.close()


class Libraries:
    """Measure a process like `Serving` that has only imported the libraries of `pbem serve`."""

    def __init__(self) -> None:
        self.took = 0.0

    def __call__(self) -> int:
        """Run the process once."""
        with subprocess.Popen(
            [sys.executable, "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("the process has no pipes")
            process.stdout.readline()
            self.took = megabytes(process.pid) / 1024
            process.stdin.close()
        return 1

"""Install programs of two versions and run their commands and services."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.patience import patience

COMMAND_SECONDS = 120.0
READY_SECONDS = 60.0
INSTALL_SECONDS = 900


class UpgradeError(Exception):
    """A step of the upgrade failed."""


def install(root: Path, commit: str, folder: Path) -> Path:
    """Install the program of a commit, with its games, unless it is installed already.

    Returns:
        The folder of its commands. The folder `sources` next to `venv` contains its sources.
    """
    name = _run(["git", "rev-parse", "--short", commit], root).decode().strip()
    target = folder / name
    commands, sources = target / "venv" / "bin", target / "sources"
    if (target / "installed").exists():
        return commands
    sources.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(_run(["git", "archive", name], root))) as archive:
        archive.extractall(sources, filter="data")
    _run([sys.executable, "-m", "venv", "--clear", str(target / "venv")], root)
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
    _run([*pip, "--require-hashes", "-r", "requirements.lock"], sources)
    _run([*pip, "."], sources)
    for game in sorted((sources / "games").iterdir()):
        _run([*pip, str(game)], sources)
    (target / "installed").touch()
    return commands


def install_games(commands: Path, root: Path, folder: Path) -> Path:
    """Install the games of a checkout into a folder, which is emptied first, and return it."""
    shutil.rmtree(folder, ignore_errors=True)
    for game in sorted((root / "games").iterdir()):
        pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
        _run([*pip, "--target", str(folder), str(game)], root)
    return folder


def _run(command: Sequence[str], folder: Path) -> bytes:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, timeout=INSTALL_SECONDS, check=False
    )
    if done.returncode:
        raise UpgradeError(f"{' '.join(command)}: {done.stderr.decode()[-2000:]}")
    return done.stdout


@dataclass
class Program:
    """The `pbem` of one version, in the folder of a configuration.

    Attributes:
        commands: the folder of its commands.
        folder: the folder of `pbem.toml`.
        games: a folder with packages of games, if they are not installed.
    """

    commands: Path
    folder: Path
    games: Path | None = None
    service: asyncio.subprocess.Process | None = None

    async def run(self, *words: str) -> list[dict[str, Any]]:
        """Run a command with --json and return the lines it printed. Raises: UpgradeError."""
        process = await asyncio.create_subprocess_exec(
            *(str(self.commands / "pbem"), *words, "--json"),
            cwd=self.folder,
            env=self._env(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(patience(COMMAND_SECONDS)):
            out, errors = await process.communicate()
        if process.returncode:
            printed = f"{out.decode()}\n{errors.decode()}"
            raise UpgradeError(f"pbem {' '.join(words)} gave {process.returncode}:\n{printed}")
        return [json.loads(line) for line in out.splitlines()]

    async def serve(self) -> None:
        """Start the service and wait until it is ready. Raises: UpgradeError."""
        with self.log.open("ab") as log:
            self.service = await asyncio.create_subprocess_exec(
                *(str(self.commands / "pbem"), "serve", "--json"),
                cwd=self.folder,
                env=self._env(),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        assert self.service.stdout is not None
        async with asyncio.timeout(patience(READY_SECONDS)):
            line = await self.service.stdout.readline()
        if not line or not json.loads(line).get("ready"):
            raise UpgradeError(f"pbem serve does not start: {line.decode()}\n{self.tail()}")

    async def stop(self) -> None:
        """End the service with SIGTERM. Raises: UpgradeError, if it was not running."""
        assert self.service is not None
        if self.service.returncode is not None:
            raise UpgradeError(f"the service ended with {self.service.returncode}\n{self.tail()}")
        self.service.terminate()
        async with asyncio.timeout(patience(READY_SECONDS)):
            await self.service.wait()

    async def kill(self) -> None:
        """End the service with SIGKILL, if it is running."""
        if self.service is not None and self.service.returncode is None:
            self.service.kill()
            await self.service.wait()

    @property
    def log(self) -> Path:
        """Return the path of the service's log."""
        return self.folder / "serve.log"

    def tail(self) -> str:
        """Return the end of the service's log."""
        return self.log.read_text(encoding="utf-8")[-3000:]

    def _env(self) -> dict[str, str]:
        """Return an environment in which Python finds only the packages of this program."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PBEM_", "PYTHON"))}
        path = {} if self.games is None else {"PYTHONPATH": str(self.games)}
        return kept | path

"""Run the commands of docs/admin.md, "A second copy elsewhere", in folders of the test."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.patience import patience

ADMIN = (Path(__file__).parents[2] / "docs/admin.md").read_text(encoding="utf-8")
CHAPTER = ADMIN.partition("## A second copy elsewhere\n")[2].partition("\n## ")[0]
ONCE, NIGHTLY, BACK = re.findall(r"^```sh\n(.*?)^```", CHAPTER, re.MULTILINE | re.DOTALL)
DAYS = ("2026-11-21", "2026-11-22")


class Machine:
    """Runs lines of the chapter."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.backups = folder / "backups"
        self._places = {
            "sftp:backup@elsewhere.example.org:/srv/pbem": str(folder / "elsewhere"),
            "backup@elsewhere.example.org:/srv/pbem": str(folder / "elsewhere"),
            "/var/backups/pbem": str(self.backups),
            "/etc/pbem": str(folder),
            "/root/back": str(folder / "back"),
            "/opt/pbem/bin/pbem": f"{sys.executable} -m pbem",
            "apt-get": "true",
        }
        self.backups.mkdir(exist_ok=True)

    def here(self, lines: str) -> str:
        """Return the lines with folders of the test."""
        for place, ours in self._places.items():
            lines = lines.replace(place, ours)
        return lines

    def run(self, *blocks: str) -> subprocess.CompletedProcess[str]:
        exports = next(line for line in ONCE.splitlines() if line.startswith("export"))
        return subprocess.run(
            ["bash", "-euc", self.here("\n".join([exports, *blocks]))],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"RESTIC_CACHE_DIR": str(self._folder / "cache")},
            timeout=patience(120),
        )

    def done(self, *blocks: str) -> str:
        told = self.run(*blocks)
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the lines for the beginning were run: restic takes seconds for a new key."""
    if shutil.which("restic") is None:
        pytest.skip("restic is not installed here")
    folder = tmp_path_factory.mktemp("begun")
    Machine(folder).done(ONCE)
    return folder


@pytest.fixture
def machine(shell: Shell, begun: Path) -> Machine:
    shutil.copytree(begun, shell.folder, dirs_exist_ok=True)
    return Machine(shell.folder)


def test_what_comes_back_from_elsewhere_is_sound(shell: Shell, machine: Machine) -> None:
    """Two nights; the disk breaks; the newest copy comes back, and every game is replayed from it."""
    game = shell.table.started(2)
    for day in DAYS:
        shell.done("db", "backup", str(machine.backups / f"pbem-{day}.sqlite3"))
        machine.done(NIGHTLY)
    whole = BACK.replace("rm -r", "true")
    shutil.rmtree(machine.backups)
    assert "sound" in machine.done(whole)
    back = Path(f"{shell.folder}/back{machine.backups}")
    assert sorted(file.name for file in back.iterdir()) == [f"pbem-{day}.sqlite3" for day in DAYS]
    elsewhere = b"".join(
        f.read_bytes() for f in (shell.folder / "elsewhere").rglob("*") if f.is_file()
    )
    assert game.id.encode() not in elsewhere


def test_a_copy_that_is_damaged_is_noticed(shell: Shell, machine: Machine) -> None:
    """Elsewhere by restic; in the database by the check of what came back."""
    shell.table.started(2)
    copy = machine.backups / f"pbem-{DAYS[0]}.sqlite3"
    shell.done("db", "backup", str(copy))
    with sqlite3.connect(copy) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("UPDATE event SET public = replace(public, 'phyliss', 'cathedral')")
    database.close()
    machine.done(NIGHTLY)
    assert machine.run(BACK).returncode == 1
    pack = max((shell.folder / "elsewhere/data").rglob("*"), key=lambda file: file.stat().st_size)
    pack.unlink()
    assert machine.run(NIGHTLY).returncode != 0


def test_the_lines_for_rsync(shell: Shell, machine: Machine) -> None:
    """They copy the folder, and change nothing that is there."""
    if shutil.which("rsync") is None:
        pytest.skip("rsync is not installed here")
    shell.table.started(2)
    copy = machine.backups / f"pbem-{DAYS[0]}.sqlite3"
    shell.done("db", "backup", str(copy))
    (line,) = re.findall(r"`(rsync [^`]*)`", CHAPTER)
    machine.done(line)
    before = copy.read_bytes()
    copy.write_bytes(b"")
    machine.done(line)
    assert (shell.folder / "elsewhere" / copy.name).read_bytes() == before

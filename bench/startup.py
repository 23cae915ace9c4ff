"""Measure the cost of starting `pbem` for `--help` and for a query of the database."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from bench.house import KEY, House

BARE = """
import sqlite3
import typer
app = typer.Typer()
@app.command()
def one(file: str, count: int = 1) -> None:
    '''Do one thing.'''
    print(sqlite3.connect(file).execute("SELECT * FROM sqlite_master").fetchall())
@app.command()
def two(name: str, count: int = 1) -> None:
    '''Do another thing.'''
app()
"""


class Command:
    """Run a program in a separate process and measure its processor time."""

    def __init__(self, *arguments: str, house: House | None = None) -> None:
        self._command = [sys.executable, *arguments]
        self._house = house  # the program opens its database
        self.took = 0.0

    def __call__(self) -> int:
        """Run the program once."""
        before = _processor()
        environment = {**os.environ, "PBEM_SERVICE__KEY": KEY}
        if self._house is not None:
            environment["PBEM_CONFIG"] = str(self._house.folder / "pbem.toml")
        subprocess.run(self._command, check=True, stdout=subprocess.DEVNULL, env=environment)
        self.took = _processor() - before
        return 1


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

"""The contest of starting: how long `--help` takes."""

from __future__ import annotations

import os
import subprocess
import sys

BARE = """
import typer
app = typer.Typer()
@app.command()
def one(name: str, count: int = 1) -> None:
    '''Do one thing.'''
@app.command()
def two(name: str, count: int = 1) -> None:
    '''Do another thing.'''
app()
"""


class Help:
    """Runs a program with `--help`, in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self._command = [sys.executable, *arguments, "--help"]

    def __call__(self) -> int:
        """Run it once."""
        subprocess.run(self._command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
        return 1

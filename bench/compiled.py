"""Compile the rules to machine code with mypyc, into a separate folder.

`python -m bench.compiled FOLDER` creates the folder and `PYTHONPATH=FOLDER` uses it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "compiled"


def _not_compiled() -> list[str]:
    """Return the names of modules that are not compiled, as in the wheel (`make wheels`)."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    hooks = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]
    names: list[str] = hooks["mypyc"]["exclude"]
    return names


def compile_engine(folder: Path) -> None:
    """Copy the engine into the folder and compile it there. Raises: CalledProcessError."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=ignored)
    pure = _not_compiled()
    modules = [
        str(path.relative_to(folder))
        for path in sorted((folder / "engine").rglob("*.py"))
        if path.name not in pure
    ]
    subprocess.run(
        [sys.executable, "-m", "mypyc", "--python-version=3.11", "--strict", *modules],
        cwd=folder,
        env=os.environ | {"CFLAGS": "-fno-plt", "MYPYC_OPT_LEVEL": "3", "MYPYC_DEBUG_LEVEL": "0"},
        check=True,
    )
    shutil.rmtree(folder / "build")


def environment(folder: Path = FOLDER) -> dict[str, str]:
    """Return environment variables with which `import engine` imports the compiled package."""
    return os.environ | {"PYTHONSAFEPATH": "1", "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


class CompiledGames:
    """Play random games like `RandomGames`, in a process with the compiled engine.

    Attributes:
        took: processor seconds of the last batch in that process.
    """

    def __init__(self, name: str, players: int, given: Mapping[str, object] | None = None) -> None:
        game = json.dumps([name, players, dict(given or {})])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.compiled", "--play", game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
        )
        self.took = 0.0

    def __call__(self) -> int:
        """Play a batch of steps and return their number."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        print("on", file=process.stdin, flush=True)
        steps, seconds = process.stdout.readline().split()
        self.took = float(seconds)
        return int(steps)


def _play(game: str) -> None:
    """Play a batch for every line of standard input."""
    from bench.games import RandomGames  # noqa: PLC0415  (with the engine of this process)
    from engine import cards  # noqa: PLC0415

    if cards.__file__.endswith(".py"):
        raise SystemExit("the engine here is not the compiled one")
    batch = RandomGames(*json.loads(game))
    for _ in sys.stdin:
        began = time.process_time()
        steps = batch()
        print(steps, time.process_time() - began, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        _play(sys.argv[2])
    else:
        compile_engine(Path(sys.argv[1]).resolve())

"""Build a wheel with compiled rules for each Python and try it: `python -m tools.package.wheels DIST`.

DIST has the sdist from which the wheels are built, and gets the wheels. Each is installed into a new
virtual environment of its Python, where a whole game is played and verified. A C compiler is needed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tools.package.__main__ import (
    PYTHONS,
    UsageError,
    expect,
    expect_claims,
    find_python,
    install,
    play,
    run,
    say,
)

_COMPILED = "from engine import cards; assert cards.__file__.endswith('.so'), cards.__file__"


def main(dist: Path) -> None:
    """Build and try a compiled wheel for each Python that is found. Raises: UsageError."""
    (sdist,) = dist.glob("*.tar.gz")
    found = {version: python for version in PYTHONS if (python := find_python(version))}
    for version, python in found.items():
        with tempfile.TemporaryDirectory(prefix="pbem-wheel-") as folder:
            wheel = build(sdist, python, dist, Path(folder))
            there, env = install(wheel, python, Path(folder))
            run([str(Path(folder) / "venv/bin/python"), "-c", _COMPILED], there, env)
            play(str(Path(folder) / "venv/bin/pbem"), there, env)
        say(f"ok  {wheel.name}: a whole game with Python {version}")
    expect_claims(list(found))


def build(sdist: Path, python: str, dist: Path, folder: Path) -> Path:
    """Build the compiled wheel of one Python into `dist` and return its path. Raises: UsageError."""
    builder = folder / "builder"
    run([python, "-m", "venv", str(builder)], folder, os.environ.copy())
    env = os.environ | {"CFLAGS": "-fno-plt", "HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
    command = ("wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(sdist))
    run([str(builder / "bin/pip"), *command], folder, env)
    built = [*folder.glob("*.whl")]
    expect(len(built) == 1 and "-none-any" not in built[0].name, "a compiled wheel", str(built))
    return Path(shutil.copy(built[0], dist))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve())
    except UsageError as error:
        sys.exit(str(error))

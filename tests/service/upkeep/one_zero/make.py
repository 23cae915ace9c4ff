"""Create the stored database of version 1.0.0 again, with the program of that version.

    python -m tests.service.upkeep.one_zero.make

It unpacks the sources of the commit "Version 1.0.0" into a temporary folder and runs `scene` there. The
installed libraries are those of today.
"""

from __future__ import annotations

import io
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.service.upkeep.one_zero import scene

FOLDER = Path(__file__).parent
DATABASE, KEYS, MAILS = (FOLDER / name for name in scene.FILES)
PACKED = DATABASE.with_suffix(".sqlite3.xz")


def _git(*args: str) -> bytes:
    return subprocess.run(["git", *args], cwd=FOLDER, check=True, stdout=subprocess.PIPE).stdout


def main() -> None:
    """Write the database and its accompanying files into this folder."""
    commit = _git("log", "--all", "--grep=^Version 1.0.0$", "--format=%H").split()[0].decode()
    root = _git("rev-parse", "--show-toplevel").decode().strip()
    sources = _git("-C", root, "archive", commit)
    with tempfile.TemporaryDirectory() as folder:
        program, out = Path(folder, "program"), Path(folder, "out")
        out.mkdir()
        with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
            archive.extractall(program, filter="data")
        script = program / "scene.py"
        script.write_bytes(Path(scene.__file__).read_bytes())
        subprocess.run(
            [sys.executable, script, out],
            cwd=program,
            env={**os.environ, "PYTHONPATH": str(program)},
            check=True,
        )
        PACKED.write_bytes(lzma.compress((out / DATABASE.name).read_bytes(), preset=9))
        for file in (KEYS, MAILS):
            file.write_bytes((out / file.name).read_bytes())


if __name__ == "__main__":
    main()

"""A small disk in memory, if this machine permits one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a tmpfs at this folder for the duration of the context.

    Raises: OSError if this process may not mount.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mount = ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "pbem-chaos")
    done = subprocess.run([*mount, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip() or f"mount ended with {done.returncode}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)

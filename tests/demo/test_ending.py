"""Test that the demo's service ends with the demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import patience

ROOT = Path(__file__).parents[2]
PATIENCE = 60


def services_in(folder: Path) -> list[str]:
    """Return the command lines of running services whose configuration is in a folder."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            words = (process / "cmdline").read_bytes().decode().split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if "serve" in words and any(word.startswith(str(folder)) for word in words):
            found.append(" ".join(words))
    return found


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="NOT TESTED: there is no /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_the_service_ends_with_the_demonstration(how: signal.Signals, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "pbem", "demo", "--watch"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )
    try:
        end = time.monotonic() + patience(PATIENCE)
        while not services_in(tmp_path):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(how)
        assert process.wait(patience(PATIENCE)) == 0
    finally:
        process.kill()
        process.wait()
    assert services_in(tmp_path) == []

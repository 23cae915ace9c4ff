"""Scale the timeouts of tests to the speed of this machine.

A timeout should end a test after a fault, not measure the machine. Tests that wait for a process, a
thread or a loop use `patience`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache

QUIET_START = 0.5
"""Seconds in which a part of the program is imported on a quiet machine with two cores."""
MAX = 10.0


def slowness() -> float:
    """Return how many times slower the machine is now than a quiet one, at least 1."""
    crowd = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(MAX, max(1.0, crowd, _first_start() / QUIET_START))


@cache
def _first_start() -> float:
    """Measure once how many seconds it takes to import a quarter of the program's modules."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import pbem.config"], check=True)
    return time.monotonic() - began


def patience(seconds: float) -> float:
    """Scale a timeout from a quiet machine to the current speed of this machine."""
    return seconds * slowness()

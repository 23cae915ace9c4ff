"""How long tests wait for what must happen: as long as this machine takes.

A test that waits is given up so that a fault ends it, not so that it measures the machine. What waits
for a process, a thread or a loop takes its seconds from here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache

QUIET_START = 0.5
"""Seconds in which a part of the program is imported on a quiet machine with two cores."""
MOST = 10.0


def slowness() -> float:
    """Return how many times slower the machine is now than a quiet one, at least 1."""
    crowd = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(MOST, max(1.0, crowd, _first_start() / QUIET_START))


@cache
def _first_start() -> float:
    """Measure once in how many seconds a quarter of what the program imports is imported here."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import pbem.config"], check=True)
    return time.monotonic() - began


def patience(seconds: float) -> float:
    """Return the seconds after which a test gives up, from those of a quiet machine."""
    return seconds * slowness()

"""Run pbem with a clock that is wrong by the seconds in FILE.

Usage: `python -m trials.chaos.clocked FILE …`.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

from pbem.cli.app import main
from pbem.clock import SystemClock

PR_SET_PDEATHSIG = 1


def set_wrong(file: Path) -> None:
    """Shift this process's system clock by the offset in the file, read at each call."""
    real = SystemClock.now

    def now(self: SystemClock) -> datetime:
        return real(self) + timedelta(seconds=float(file.read_text(encoding="ascii") or 0))

    SystemClock.now = now  # type: ignore[method-assign]


def die_with_parent() -> None:
    """Let the kernel kill this process if the test that started it is killed (prctl(2))."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    die_with_parent()
    set_wrong(Path(sys.argv.pop(1)))
    main()

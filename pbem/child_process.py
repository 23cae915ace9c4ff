"""A child process that we send requests through pipes: the parser of messages, and bots.

It starts when it is first needed, and again after it has ended. It inherits neither keys nor
passwords from the environment.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import pbem

_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "TMPDIR")
"""Environment variables that the process inherits."""


def module_command(name: str) -> tuple[str, ...]:
    """Return the command that runs a Python module."""
    return (sys.executable, "-B", "-m", name)


class ChildProcess:
    """A command's process with its descendants, which ends with this object at the latest."""

    def __init__(self, command: Sequence[str], *, is_ours: bool) -> None:
        """Initialise with the command. If `is_ours`, the process can import this package."""
        self._command = [*command]
        self._is_ours = is_ours
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[[subprocess.Popen[bytes]], ChildProcess] | None = None

    def running(self) -> subprocess.Popen[bytes]:
        """Return the process, starting it if it is not running.

        Raises: OSError if it cannot be started.
        """
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._process is None:
            env = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
            if self._is_ours:
                env["PYTHONPATH"] = str(Path(pbem.__file__).parents[1])
            self._process = subprocess.Popen(  # noqa: S603  (our own command, or one that the admin configured)
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=env,
                start_new_session=True,
            )
            self._end = weakref.finalize(self, _end, self._process)
        return self._process

    def stop(self) -> None:
        """Kill the process and its descendants if it is running."""
        if self._end is not None:
            self._end()
        self._process = self._end = None


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):  # its group may have ended already
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    with suppress(OSError), process:  # closes the pipes and waits
        pass

"""Threads of one process take turns at something, in the order in which they came.

SQLite lets one writer in at a time and lets the others ask again and again, so that a busy one may
keep out the rest for as long as it has work. In here nobody waits longer than those before it need.
"""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """One at a time, first come, first served."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_taken = False

    def take(self, seconds: float) -> bool:
        """Wait for one's turn, so long at most; False if it did not come."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(seconds):
            return True
        with self._guard:
            if mine.is_set():  # it came at the last moment
                return True
            self._waiting.remove(mine)
        return False

    def give_back(self) -> None:
        """Let the next one have its turn."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False

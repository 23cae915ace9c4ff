"""Test values that are created on first use by any thread."""

from __future__ import annotations

import threading
import time

from pbem.lazy import LazyProxy

MADE: list[object] = []


class Part:
    def __init__(self) -> None:
        MADE.append(self)
        time.sleep(0.1)

    def name(self) -> int:
        return id(self)


def test_threads_share_one_object() -> None:
    """Each reader or thinker has a process of its own: a second one would never be closed."""
    part, together, seen = LazyProxy(__name__, "Part"), threading.Barrier(3), set[int]()

    def use() -> None:
        together.wait()
        seen.add(part.name())  # type: ignore[operator]

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(MADE) == len(seen) == 1

"""Count statements and durable commits of replies: `python -m bench.flushes`.

Replies arrive in three ways: each is handled before the next arrives, all arrive before any is
handled, or they arrive over many connections while others are handled, as under load. Outgoing
messages are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import Connection, event

from bench.house import House
from bench.turns import BATCH, Replies

BATCHES = 5

_HOLD = ("BEGIN", "SAVEPOINT", "RELEASE", "PRAGMA", "SELECT version_num")
"""Prefixes of statements that do not count, because they neither query nor change the data."""


class Counted:
    """Counts the statements and commits of a service."""

    def __init__(self) -> None:
        self.house = House()
        self.replies = Replies(self.house)
        self._counts: Counter[str] = Counter()
        db_engine = self.house.service.store.db_engine
        event.listen(db_engine, "before_cursor_execute", self._execute)
        event.listen(db_engine, "commit", self._commit)

    def _execute(self, *given: object) -> None:
        self._counts["statements"] += 1
        self._counts["that hold transactions"] += str(given[2]).startswith(_HOLD)

    def _commit(self, connection: Connection) -> None:
        is_reading = connection.get_execution_options().get("pbem_reading")
        self._counts["commits that read" if is_reading else "flushes"] += 1

    def of(self, take_in: Callable[[], object]) -> dict[str, float]:
        """Return the averages of statements and commits per reply over some batches."""
        total: Counter[str] = Counter()
        for number in range(BATCHES + 1):
            self.replies.prepare()
            self._counts.clear()
            take_in()
            if number:  # the first batch fills the caches
                total += self._counts
        return {what: count / BATCHES / BATCH for what, count in total.items()}

    def one_by_one(self) -> None:
        """Handle each reply before the next arrives."""
        for reply in self.replies.batch:
            self.house.receive(*reply)
            self.house.handle()

    def at_once(self) -> None:
        """Receive all replies before any is handled."""
        for reply in self.replies.batch:
            self.house.receive(*reply)
        self.house.handle()

    def over(self, connections: int) -> None:
        """Receive replies over `connections` threads while they are handled."""
        with ThreadPoolExecutor(connections) as pool:
            coming = [pool.submit(self.house.receive, *reply) for reply in self.replies.batch]
            while not all(reply.done() for reply in coming):
                self.house.handle()
        self.house.handle()


def main() -> None:
    """Measure the three ways and print the figures."""
    counted = Counted()
    ways: dict[str, Callable[[], object]] = {
        "one by one": counted.one_by_one,
        "all before any is handled": counted.at_once,
        "over 8 connections": lambda: counted.over(8),
        "over 20 connections": lambda: counted.over(20),
    }
    for name, take_in in ways.items():
        figures = ", ".join(f"{count:.2f} {what}" for what, count in counted.of(take_in).items())
        print(f"{name}: {figures}")


if __name__ == "__main__":
    main()

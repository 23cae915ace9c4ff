"""Measure the disk space of a move, table by table: `python -m bench.disk`.

Players of Phyliss answer with HTML messages until all games have ended. Then the pages of SQLite are
counted (`dbstat`), and again after all messages were pruned by age and the file was vacuumed. The
space of a game, including its invitations and its end, is divided by the number of moves. The space
of an empty database is subtracted.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bench.house import House, Kept
from pbem.mail_in.mime.message import Envelope
from pbem.service.upkeep import pruning

GAMES, SEATS = 4, 3
LATER = timedelta(days=120)


@dataclass(frozen=True, slots=True)
class _Later:
    """A clock that is ahead of the real time, so that all messages are old enough to be pruned."""

    def now(self) -> datetime:
        return datetime.now(UTC) + LATER


def main() -> None:
    """Play the games and print the space of a move before and after pruning."""
    house = House(is_full=False)
    empty, _ = _sizes(house)
    house.start_games(GAMES, seats=SEATS)
    for answers in iter(lambda: _answers(house), []):
        for raw, envelope in answers:
            house.receive(raw, envelope)
        house.handle()
    now, moves = _sizes(house)
    now.subtract(empty)
    while pruning.tidy(replace(house.service, clock=_Later())):
        pass
    house.service.store.vacuum()
    old, _ = _sizes(house)
    old.subtract(empty)
    print(f"{moves} moves of {GAMES} games, {SEATS} seats; kB a move, and after pruning")
    for table, size in [*old.most_common(), ("all", old.total())]:
        before = now.total() if table == "all" else now[table]
        if before > 0:
            print(f"{table:20} {before / moves / 1000:6.2f} {size / moves / 1000:6.2f}")


def _answers(house: House) -> list[tuple[bytes, Envelope]]:
    """Send the queued messages and return the answers to them.

    The result is empty when all games have ended.
    """
    kept = Kept()
    house.send(kept)
    return list(house.answers_to(kept.mails))


def _sizes(house: House) -> tuple[Counter[str], int]:
    """Return the bytes of each table with its indexes, and the number of moves."""
    house.service.store.close()
    sizes: Counter[str] = Counter()
    with sqlite3.connect(house.folder / "bench.sqlite3") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        of_table = dict(connection.execute("SELECT name, tbl_name FROM sqlite_master"))
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            sizes[of_table.get(name, name)] += size
        query = "SELECT count(*) FROM event WHERE type = 'MovePlayed'"
        (moves,) = connection.execute(query).fetchone()
    connection.close()
    return sizes, moves


if __name__ == "__main__":
    main()

"""What a move takes on the disk, table by table: `python -m bench.disk`.

People at tables of Phyliss answer with HTML mails; pages of SQLite are counted (`dbstat`) after some moves and
at the end, then once more after all mails have become old, were pruned, and the file was vacuumed.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bench.house import House, Kept
from pbem.service.upkeep import pruning

GAMES, ROUNDS, SEATS = 20, 14, 3
LATER = timedelta(days=120)


@dataclass(frozen=True, slots=True)
class _Later:
    """A clock that shows a later time."""

    def now(self) -> datetime:
        return datetime.now(UTC) + LATER


def main() -> None:
    """Play, measure, print."""
    house = House(is_full=False)
    house.start_games(GAMES, seats=SEATS)
    first: tuple[Counter[str], int] | None = None
    for _ in range(ROUNDS):
        kept = Kept()
        house.send(kept)
        answers = list(house.answers_to(kept.mails))
        first = first or _sizes(house)
        for raw, envelope in answers:
            house.receive(raw, envelope)
        house.handle()
    assert first is not None
    now = _sizes(house)
    while pruning.tidy(replace(house.service, clock=_Later())):
        pass
    house.service.store.vacuum()
    old = _sizes(house)
    moves = now[1] - first[1]
    print(
        f"{moves} moves, {SEATS} seats; kB a move, and after pruning (whole games, over all moves)"
    )
    for table, size in old[0].most_common():
        grown = (now[0][table] - first[0][table]) / moves / 1000
        print(f"{table:20} {grown:6.2f} {size / old[1] / 1000:6.2f}")
    grown = (now[0].total() - first[0].total()) / moves / 1000
    print(f"{'all':20} {grown:6.2f} {old[0].total() / old[1] / 1000:6.2f}")


def _sizes(house: House) -> tuple[Counter[str], int]:
    """Return the bytes of each table with its indexes, and how many moves were made."""
    house.service.store.close()
    found: Counter[str] = Counter()
    with sqlite3.connect(house.folder / "bench.sqlite3") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        of_table = dict(connection.execute("SELECT name, tbl_name FROM sqlite_master"))
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            found[of_table.get(name, name)] += size
        query = "SELECT count(*) FROM event WHERE type = 'MovePlayed'"
        (moves,) = connection.execute(query).fetchone()
    connection.close()
    return found, moves


if __name__ == "__main__":
    main()

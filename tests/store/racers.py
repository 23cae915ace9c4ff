"""Functions that tests run in several processes."""

from __future__ import annotations

import sys
from contextlib import suppress

from pbem.domain.log.chain import GameId
from pbem.errors import VersionConflictError
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.store.samples import NOW, move, new


def race(url: str, game: str, seat: int, moves: int) -> None:
    """Append `moves` moves, each at the current version, retrying after conflicts."""
    store = Store(url, keys=ring)
    done = 0
    while done < moves:
        with store.reading() as uow:
            head = uow.events.head(GameId(game))
        if head is None:
            raise SystemExit("no such game")
        with suppress(VersionConflictError):
            with store.unit_of_work() as uow:
                uow.events.append(GameId(game), head[0], new(move(seat, ply=done)), NOW)
            done += 1
    store.close()


def hold(url: str, game: str) -> None:
    """Append an event and wait before the commit, until the process is killed."""
    store = Store(url, keys=ring)
    with store.unit_of_work() as uow:
        uow.events.append(GameId(game), 1, new(move(0)), NOW)
        sys.stdout.write("appended\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    if sys.argv[1] == "race":
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        race(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        hold(sys.argv[2], sys.argv[3])

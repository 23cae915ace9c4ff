"""A copy of a SQLite database while others write to it, and what stands in a database, counted."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, func, select, tuple_

from pbem.domain.log.chain import GameId
from pbem.errors import StoreError
from pbem.store.db.uow import Store
from pbem.store.rows.core import (
    ADDRESS,
    EVENT,
    EVENT_SECRET,
    IMPORTED,
    INBOX,
    MAILED,
    OUTBOX,
    PLAYER,
)

PRIMARY = (EVENT, EVENT_SECRET, PLAYER, ADDRESS, INBOX, OUTBOX, MAILED, IMPORTED)
"""What cannot be made again from anything else."""


def copy_to(store: Store, file: Path) -> None:
    """Copy a SQLite database into an empty file, as it is at one moment; writers go on meanwhile.

    Raises: StoreError.
    """
    try:
        with store.db_engine.connect() as connection:
            source = connection.connection.driver_connection
            target = sqlite3.connect(file)
            try:
                source.backup(target)  # type: ignore[union-attr]  # the driver is sqlite3
            finally:
                target.close()
    except sqlite3.Error as error:
        raise StoreError(f"{file}: the copy failed: {error}") from None


def damage(store: Store) -> list[str]:
    """Let SQLite look through all pages, indexes and references; gives what is wrong."""
    with store.reading() as uow:
        found = list(uow.connection.exec_driver_sql("PRAGMA integrity_check").scalars())
        broken = uow.connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    problems = [] if found == ["ok"] else [str(line) for line in found]
    return [*problems, *(f"a row of {row[0]} refers to nothing" for row in broken)]


def counts(connection: Connection) -> dict[str, int]:
    """Count the rows of the primary tables."""
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in PRIMARY
    }


def heads(connection: Connection) -> dict[GameId, tuple[int, str]]:
    """Return version and hash of the last event of every game."""
    last = select(EVENT.c.game_id, func.max(EVENT.c.version)).group_by(EVENT.c.game_id)
    query = select(EVENT.c.game_id, EVENT.c.version, EVENT.c.hash).where(
        tuple_(EVENT.c.game_id, EVENT.c.version).in_(last)
    )
    return {
        GameId(game_id): (version, head) for game_id, version, head in connection.execute(query)
    }

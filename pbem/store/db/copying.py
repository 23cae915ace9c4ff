"""Copies of a database: made while others write to it, compared, and resumed.

A restored database goes on with numbers that no lost row has had, because mails name them.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Table, func, select, text, tuple_

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

GAP = 1_000_000
"""Rows that a lost history may have had beyond the one that is here."""
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

_IN_SQLITE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_ADD_IN_SQLITE = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_SET_IN_SQLITE = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_NEXT = text("SELECT nextval(pg_get_serial_sequence(:name, 'id'))")
_SET = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def copy_to(store: Store, file: Path) -> None:
    """Copy one moment of a SQLite database into an empty file; writers need not wait.

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
    """Let SQLite check all pages, indexes and references; return the problems."""
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


def skip_ahead(connection: Connection, table: Table, now: datetime) -> int:
    """Skip to a row number in a table that no row of a lost history has had.

    One such history follows the present rows; others may have begun at the same backup and have
    also skipped ahead, at another instant. So the number is beyond a gap, and at least the
    seconds of the clock: rows come more slowly.

    Returns:
        The number before the next one.
    """
    name: dict[str, object] = {"name": table.name}
    if connection.dialect.name == "sqlite":
        found: int | None = connection.execute(_IN_SQLITE, name).scalar()
        last = _beyond(found or 0, now)
        connection.execute(
            _ADD_IN_SQLITE if found is None else _SET_IN_SQLITE, name | {"last": last}
        )
        return last
    last = _beyond(connection.execute(_NEXT, name).scalar_one(), now)
    connection.execute(_SET, name | {"last": last})
    return last


def _beyond(last: int, now: datetime) -> int:
    return max(last + GAP, int((now - _EPOCH).total_seconds()))

"""Copy a SQLite database while it is in use, compare copies and resume from a restored one.

A restored database continues with row numbers that no lost row can have had, because sent messages
refer to rows by number.
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
    DATA_KEY,
    EVENT,
    EVENT_SECRET,
    IMPORTED,
    INBOX,
    MAILED,
    OUTBOX,
    PLAYER,
)

PRIMARY = (DATA_KEY, EVENT, EVENT_SECRET, PLAYER, ADDRESS, INBOX, OUTBOX, MAILED, IMPORTED)
"""Tables whose contents cannot be rebuilt from other data."""

GAP = 1_000_000
"""Maximum number of rows that are assumed to have been added after the restored backup was made."""
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

_IN_SQLITE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_ADD_IN_SQLITE = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_SET_IN_SQLITE = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_NEXT = text("SELECT nextval(pg_get_serial_sequence(:name, 'id'))")
_SET = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def copy_to(store: Store, file: Path) -> None:
    """Copy a consistent snapshot of a SQLite database into an empty file without blocking writers.

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
    """Run SQLite's integrity and foreign key checks and return the problems found."""
    with store.reading() as uow:
        rows = list(uow.connection.exec_driver_sql("PRAGMA integrity_check").scalars())
        broken = uow.connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    problems = [] if rows == ["ok"] else [str(line) for line in rows]
    return [*problems, *(f"a row of {row[0]} refers to nothing" for row in broken)]


def counts(connection: Connection) -> dict[str, int]:
    """Count the rows of each table in `PRIMARY`."""
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in PRIMARY
    }


def heads(connection: Connection) -> dict[GameId, tuple[int, str]]:
    """Return the version and hash of the last event of every stream."""
    last = select(EVENT.c.game_id, func.max(EVENT.c.version)).group_by(EVENT.c.game_id)
    query = select(EVENT.c.game_id, EVENT.c.version, EVENT.c.hash).where(
        tuple_(EVENT.c.game_id, EVENT.c.version).in_(last)
    )
    return {
        GameId(game_id): (version, head) for game_id, version, head in connection.execute(query)
    }


def skip_ahead(connection: Connection, table: Table, now: datetime) -> int:
    """Advance a table's row counter beyond every number that a lost row may have used.

    Rows may have been lost after the backup was made, or after an earlier restore that also skipped
    ahead. The new counter is therefore at least `GAP` above the current one, and at least the
    number of seconds since the start of 2026, because rows are added more slowly than one per
    second.

    Returns:
        The last number to skip. The next row gets the number after it.
    """
    name: dict[str, object] = {"name": table.name}
    if connection.dialect.name == "sqlite":
        last_number: int | None = connection.execute(_IN_SQLITE, name).scalar()
        last = _beyond(last_number or 0, now)
        connection.execute(
            _ADD_IN_SQLITE if last_number is None else _SET_IN_SQLITE, name | {"last": last}
        )
        return last
    last = _beyond(connection.execute(_NEXT, name).scalar_one(), now)
    connection.execute(_SET, name | {"last": last})
    return last


def _beyond(last: int, now: datetime) -> int:
    return max(last + GAP, int((now - _EPOCH).total_seconds()))

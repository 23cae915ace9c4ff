"""The projections folded apart from the database, so that no writer has to wait."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, create_engine, select

from pbem.store.log.event_store import EventStore
from pbem.store.rows.core import EVENT, METADATA
from pbem.store.seal.envelope import Envelopes
from pbem.store.tables.projections import TABLES, Projections

_AT_ONCE = 500


def keep_writers_out(connection: Connection) -> None:
    """Lock the log until the end of a unit that rebuilds the projections.

    A writer would change rows that are about to be replaced, and the new rows would lack the
    change. On SQLite a unit that writes is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE event IN SHARE ROW EXCLUSIVE MODE")


def fold_apart(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Fold the whole log into tables in memory; return their `dump`.

    Args:
        connection: the connection of a reading unit; nothing is written there.

    Raises: LogError, StoreError if the log cannot be folded.
    """
    memory = create_engine("sqlite://")
    try:
        with memory.begin() as apart:
            METADATA.create_all(apart, tables=[EVENT, *TABLES])
            # Ratings look up how a game was made.
            made = connection.execute(select(EVENT).where(EVENT.c.version == 1))
            for rows in made.partitions(_AT_ONCE):
                apart.execute(EVENT.insert(), [dict(row._mapping) for row in rows])
            projections = Projections(apart, EventStore(connection, Envelopes()))
            projections.rebuild()
            return projections.dump()
    finally:
        memory.dispose()

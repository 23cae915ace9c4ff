"""Numbers that a database gives to its rows; those that mails name must not be given twice."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, Table, text

GAP = 1_000_000
"""Rows that a lost history may have had beyond the one that is here."""
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

_IN_SQLITE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_ADD_IN_SQLITE = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_SET_IN_SQLITE = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_NEXT = text("SELECT nextval(pg_get_serial_sequence(:name, 'id'))")
_SET = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def skip_ahead(connection: Connection, table: Table, now: datetime) -> int:
    """Let the next row of a table have a number that no row of a lost history has had.

    One such history follows the rows that are here; others may have begun at the same backup and
    have skipped ahead, too, at another instant. So the number is beyond a gap, and at least the
    seconds of the clock: rows come more slowly.

    Returns:
        The number after which it goes on.
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

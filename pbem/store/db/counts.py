"""How much waits: counted by the database through its indexes, however much it is."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, FromClause, Table, func, select

from pbem.store.rows.core import INBOX, OUTBOX
from pbem.store.rows.game_rows import DEADLINE, SEAT


class Counts:
    """Counts, on the connection of one unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def mails_in(self, status: str, before: datetime | None = None) -> int:
        """Count the mails of a status that came in; with `before`, earlier than that."""
        return self._mails(INBOX, status, INBOX.c.arrived_at, before)

    def mails_out(self, status: str, before: datetime | None = None) -> int:
        """Count the mails of a status that were meant to leave; with `before`, earlier than that."""
        return self._mails(OUTBOX, status, OUTBOX.c.created_at, before)

    def due(self, before: datetime) -> int:
        """Count the deadlines of people that were to be looked at before an instant."""
        join = DEADLINE.join(
            SEAT, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat)
        )
        return self._count(join, DEADLINE.c.next_at <= before, ~SEAT.c.is_bot)

    def _mails(
        self, table: Table, status: str, at: ColumnElement[datetime], before: datetime | None
    ) -> int:
        conditions = [table.c.status == status]
        if before is not None:
            conditions.append(at < before)
        return self._count(table, *conditions)

    def _count(self, source: FromClause, *conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(source).where(*conditions)
        counted: int = self._connection.execute(query).scalar_one()
        return counted

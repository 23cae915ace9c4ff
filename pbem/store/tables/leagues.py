"""The table of leagues, with the time of each league's next check."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import case, func, select

from pbem.domain.log.chain import GameId
from pbem.store.rows.game_rows import LEAGUE, LeagueStatus
from pbem.store.rows.texts import Tables, insert_for


class Leagues(Tables):
    """Access to the table of leagues within one unit of work."""

    def keep(self, league: LeagueStatus) -> None:
        """Insert or replace the row of a league."""
        values = league.columns()
        insert = insert_for(self._connection, LEAGUE).values(values)
        self._connection.execute(
            insert.on_conflict_do_update(index_elements=[LEAGUE.c.id], set_=values)
        )

    def every(self, *, open_only: bool = False) -> Sequence[LeagueStatus]:
        """List the leagues by name. With `open_only`, omit leagues that have ended."""
        query = select(LeagueStatus).order_by(LEAGUE.c.name)
        if open_only:
            query = query.where(LEAGUE.c.status.in_(("open", "running")))
        return self._read(query)

    def called(self, name: str) -> LeagueStatus | None:
        """Return the league with this name or ID, or None."""
        known = (row for row in self.every() if name in (row.name, row.id))
        return next(known, None)

    def due(self, now: datetime) -> list[GameId]:
        """List the leagues due for a check, the longest overdue first."""
        query = select(LEAGUE.c.id).where(LEAGUE.c.next_at <= now).order_by(LEAGUE.c.next_at)
        return [GameId(scalar) for scalar in self._connection.execute(query).scalars()]

    def next_due(self) -> datetime | None:
        """Return when the next league is due for a check, or None."""
        query = select(func.min(LEAGUE.c.next_at))
        return self._scalar(query, default=None)

    def look_at(self, league_id: GameId, at: datetime) -> None:
        """Schedule a check of an unfinished league at `at`, or keep an earlier one.

        The row is written even if its time does not change, so that a concurrent `put_off` waits
        for this transaction.
        """
        earlier = case((LEAGUE.c.next_at > at, at), else_=LEAGUE.c.next_at)
        self._connection.execute(
            LEAGUE.update().where(LEAGUE.c.id == league_id).values(next_at=earlier)
        )

    def put_off(self, league_id: GameId, at: datetime) -> None:
        """Postpone the next check of a league."""
        self._connection.execute(LEAGUE.update().where(LEAGUE.c.id == league_id).values(next_at=at))

    def clear(self) -> None:
        """Delete all rows, before they are rebuilt from the logs."""
        self._connection.execute(LEAGUE.delete())

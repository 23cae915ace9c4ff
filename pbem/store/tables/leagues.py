"""Which leagues there are, and when to look at each of them next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import case, func, select

from pbem.domain.log.chain import GameId
from pbem.store.rows.game_rows import LEAGUE, LeagueStatus
from pbem.store.rows.texts import Tables, insert_for


class Leagues(Tables):
    """The table of leagues, in one unit of work."""

    def keep(self, league: LeagueStatus) -> None:
        """Store the row of a league, in the place of its earlier one."""
        values = league.columns()
        insert = insert_for(self._connection, LEAGUE).values(values)
        self._connection.execute(
            insert.on_conflict_do_update(index_elements=[LEAGUE.c.id], set_=values)
        )

    def every(self, *, open_only: bool = False) -> Sequence[LeagueStatus]:
        """List the leagues by name."""
        query = select(LeagueStatus).order_by(LEAGUE.c.name)
        if open_only:
            query = query.where(LEAGUE.c.status.in_(("open", "running")))
        return self._read(query)

    def called(self, name: str) -> LeagueStatus | None:
        """Return the league of a name or an id."""
        known = (row for row in self.every() if name in (row.name, row.id))
        return next(known, None)

    def due(self, now: datetime) -> list[GameId]:
        """List the leagues to look at now."""
        query = select(LEAGUE.c.id).where(LEAGUE.c.next_at <= now).order_by(LEAGUE.c.next_at)
        return [GameId(one) for one in self._connection.execute(query).scalars()]

    def next_due(self) -> datetime | None:
        """Return when to look at one next."""
        query = select(func.min(LEAGUE.c.next_at))
        found: datetime | None = self._connection.execute(query).scalar_one()
        return found

    def look_at(self, league_id: GameId, at: datetime) -> None:
        """Look at an unfinished league at this instant, or earlier if that was meant.

        The row is written even if it stays as it is: whoever puts the league off waits for this unit.
        """
        earlier = case((LEAGUE.c.next_at > at, at), else_=LEAGUE.c.next_at)
        self._connection.execute(
            LEAGUE.update().where(LEAGUE.c.id == league_id).values(next_at=earlier)
        )

    def put_off(self, league_id: GameId, at: datetime) -> None:
        """Leave a league alone until then."""
        self._connection.execute(LEAGUE.update().where(LEAGUE.c.id == league_id).values(next_at=at))

    def clear(self) -> None:
        """Forget all of them, to fold them again from their logs."""
        self._connection.execute(LEAGUE.delete())

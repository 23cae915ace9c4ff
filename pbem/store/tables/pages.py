"""Queries for the generated pages: games, deadlines, and a stamp that changes with the logs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, or_, select

from pbem.domain.log.chain import GameId, parse_time
from pbem.domain.log.events import GameStarted
from pbem.store.rows.core import EVENT, HEAD
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT, Deadline
from pbem.store.rows.texts import Tables

_GAMES = (
    select(GAME.c.id, GAME.c.ruleset, GAME.c.is_challenge)
    .where(GAME.c.status.in_(("running", "finished", "stopped")))
    .order_by(GAME.c.id)
)
_MOMENTS = select(EVENT.c.version, EVENT.c.type, EVENT.c.recorded_at).where(
    EVENT.c.game_id == bindparam("game"),
    or_(EVENT.c.type == GameStarted.__name__, EVENT.c.version == bindparam("position")),
)
_STAMP = select(func.count(), func.sum(HEAD.c.version), func.sum(HEAD.c.erased)).select_from(HEAD)
_VERSIONS = select(HEAD.c.game_id, HEAD.c.version).where(
    HEAD.c.game_id.in_(bindparam("games", expanding=True))
)
_DUE = (
    select(Deadline)
    .join(SEAT, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat))
    .where(SEAT.c.player_id == bindparam("player"), ~SEAT.c.is_bot)
    .order_by(DEADLINE.c.due_at, DEADLINE.c.game_id)
)


class Pages(Tables):
    """Read data for the pages within one unit of work."""

    def games(self) -> list[tuple[GameId, str, bool]]:
        """List ID and ruleset of the games that may have a page, and whether each is a challenge."""
        return [(GameId(row[0]), row[1], row[2]) for row in self._connection.execute(_GAMES)]

    def moments(self, game_id: GameId, position: int) -> tuple[datetime, datetime | None]:
        """Return when the cards of a game were dealt, and when the version `position` was recorded."""
        rows = self._connection.execute(_MOMENTS, {"game": game_id, "position": position}).all()
        began = next(row.recorded_at for row in rows if row.type == GameStarted.__name__)
        moved = next((row.recorded_at for row in rows if row.version == position), None)
        return parse_time(began), None if moved is None else parse_time(moved)

    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change whenever any log changes."""
        return tuple(number or 0 for number in self._connection.execute(_STAMP).one())

    def versions(self, game_ids: Collection[GameId]) -> dict[GameId, int]:
        """Return the current versions of games by game ID."""
        rows = self._connection.execute(_VERSIONS, {"games": [*game_ids]})
        return {GameId(row[0]): row[1] for row in rows}

    def due(self, player_id: str) -> Sequence[Deadline]:
        """List a player's running deadlines, the next one first."""
        return self._read(_DUE, {"player": player_id})

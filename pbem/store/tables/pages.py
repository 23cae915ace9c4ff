"""The pages that were written for games, leagues and ladders, with their entries in the index.

Nothing here is primary data: missing or outdated pages are rebuilt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, or_, select

from engine.api import JsonValue
from pbem.domain.log.chain import GameId, parse_time
from pbem.store.rows.core import EVENT
from pbem.store.rows.game_rows import DEADLINE, GAME, LEAGUE, PAGE, SEAT
from pbem.store.rows.texts import Tables, dump, insert_for, load

_SHOWN = ("running", "finished", "stopped")
LADDER = "ladder:"
"""Prefix of a ladder page's key. The ruleset follows."""
_STALE = (
    select(GAME.c.id)
    .join(PAGE, PAGE.c.game_id == GAME.c.id, isouter=True)
    .where(
        GAME.c.status.in_(_SHOWN),
        or_(
            PAGE.c.game_id.is_(None),
            PAGE.c.version != GAME.c.version,
            PAGE.c.mark != bindparam("mark"),
        ),
    )
    .order_by(GAME.c.created_at, GAME.c.id)
)

_VERSION = select(func.max(EVENT.c.version)).where(EVENT.c.game_id == LEAGUE.c.id).scalar_subquery()
_STALE_LEAGUES = (
    select(LEAGUE.c.id)
    .join(PAGE, PAGE.c.game_id == LEAGUE.c.id, isouter=True)
    .where(
        or_(
            PAGE.c.game_id.is_(None),
            PAGE.c.version != _VERSION,
            PAGE.c.mark != bindparam("mark"),
        )
    )
    .order_by(LEAGUE.c.id)
)
_TOLD = (
    select(PAGE.c.game_id, PAGE.c.told)
    .where(
        PAGE.c.told != "",
        ~PAGE.c.game_id.in_(select(LEAGUE.c.id)),
        ~PAGE.c.game_id.startswith(LADDER),
    )
    .order_by(PAGE.c.game_id)
)
_CHALLENGES = (
    select(GAME.c.ruleset, func.sum(GAME.c.version))
    .where(GAME.c.is_challenge, GAME.c.status.in_(_SHOWN))
    .group_by(GAME.c.ruleset)
)
_LADDERS = select(PAGE.c.game_id, PAGE.c.told, PAGE.c.version, PAGE.c.mark).where(
    PAGE.c.game_id.startswith(LADDER)
)
_LEAGUES = (
    select(PAGE.c.game_id, PAGE.c.told)
    .join(LEAGUE, LEAGUE.c.id == PAGE.c.game_id)
    .where(PAGE.c.told != "")
)
_SEATED = (
    select(SEAT.c.game_id, SEAT.c.player_id)
    .join(PAGE, PAGE.c.game_id == SEAT.c.game_id)
    .where(PAGE.c.told != "")
    .order_by(SEAT.c.game_id, SEAT.c.seat)
)


_DUE = (
    select(
        DEADLINE.c.game_id,
        DEADLINE.c.seat,
        DEADLINE.c.version,
        DEADLINE.c.set_at,
        DEADLINE.c.due_at,
    )
    .join(SEAT, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat))
    .where(SEAT.c.player_id == bindparam("player"), ~SEAT.c.is_bot)
    .order_by(DEADLINE.c.due_at, DEADLINE.c.game_id)
)


@dataclass(frozen=True, slots=True)
class Due:
    """A running deadline of a player."""

    game_id: GameId
    seat: int
    version: int
    set_at: datetime
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Written:
    """A game's entry in the index, as built by `pbem.service.pages`, and the players of its seats."""

    game_id: GameId
    told: Mapping[str, JsonValue]
    players: tuple[str, ...]


class Pages(Tables):
    """Access to the written pages within one unit of work."""

    def stale(self, mark: str, limit: int | None = None) -> list[GameId]:
        """List games whose pages are outdated or have another mark, oldest first."""
        rows = self._connection.execute(_STALE.limit(limit), {"mark": mark})
        return [GameId(game_id) for game_id in rows.scalars()]

    def stale_leagues(self, mark: str) -> list[GameId]:
        """List leagues whose pages are outdated or have another mark."""
        rows = self._connection.execute(_STALE_LEAGUES, {"mark": mark})
        return [GameId(league_id) for league_id in rows.scalars()]

    def of_challenges(self) -> dict[str, int]:
        """Return a version for each ruleset's ladder, which changes with every challenge."""
        return {ruleset: int(sum_) for ruleset, sum_ in self._connection.execute(_CHALLENGES)}

    def has_ladder(self, ruleset: str) -> bool:
        """Return True if the ladder of a ruleset has a page."""
        query = select(PAGE.c.told).where(PAGE.c.game_id == f"{LADDER}{ruleset}")
        text = self._connection.execute(query).scalar()
        told = load(text) if text else None
        return isinstance(told, dict) and told["has_page"] is True

    def stale_ladders(self, mark: str, at: datetime) -> list[str]:
        """List the rulesets whose ladder page is outdated by a challenge or by time."""
        versions = self.of_challenges()
        for row in self._connection.execute(_LADDERS):
            ruleset, told = row.game_id.removeprefix(LADDER), load(row.told)
            until = told["until"] if isinstance(told, dict) else None
            is_due = isinstance(until, str) and parse_time(until) < at
            if is_due or row.mark != mark or row.version != versions.get(ruleset, 0):
                versions.setdefault(ruleset, 0)
            else:
                versions.pop(ruleset, None)
        return sorted(versions)

    def contests(self) -> dict[GameId, Mapping[str, JsonValue]]:
        """Return the index entries of leagues with a page and of all ladders."""
        found = {
            GameId(one): load(text)
            for query in (_LEAGUES, _LADDERS)
            for one, text, *_ in self._connection.execute(query)
        }
        return {one: told for one, told in found.items() if isinstance(told, dict)}

    def keep(
        self, game_id: GameId, version: int, mark: str, told: Mapping[str, JsonValue] | None
    ) -> None:
        """Record a page as written at a version. `told` is None if there is no page."""
        text = "" if told is None else dump(dict(told))
        values = {"game_id": game_id, "version": version, "mark": mark, "told": text}
        insert = insert_for(self._connection, PAGE).values(**values)
        self._connection.execute(
            insert.on_conflict_do_update(index_elements=[PAGE.c.game_id], set_=values)
        )

    def outdate(self, games: Collection[GameId] | None = None) -> None:
        """Mark pages for rebuilding: those of these games, or all."""
        query = PAGE.delete()
        if games is not None:
            query = query.where(PAGE.c.game_id.in_(games))
        self._connection.execute(query)

    def due(self, player_id: str) -> list[Due]:
        """List a player's running deadlines, the next one first."""
        return [Due(*row) for row in self._connection.execute(_DUE, {"player": player_id})]

    def written(self) -> list[Written]:
        """List the games with a page, ordered by ID."""
        seated: dict[str, list[str]] = {}
        for game_id, player in self._connection.execute(_SEATED):
            seated.setdefault(game_id, []).append(player)
        found = []
        for game_id, text in self._connection.execute(_TOLD):
            told = load(text)
            if isinstance(told, dict):
                found.append(Written(GameId(game_id), told, tuple(seated.get(game_id, ()))))
        return found

"""Deliverability: bounces, and players who are marked unreachable.

Deliverability is recorded once for all games of a player. `pbem.service.notify.deliverability` copies
changes into the logs of the games.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, func, or_, select

from pbem.store.rows.core import BOUNCE, REACH, Bounce, ReachRow
from pbem.store.rows.texts import Tables, insert_for, storable_or_none

_LOSS = select(ReachRow).where(
    REACH.c.player_id == bindparam("player"), REACH.c.lost_at.is_not(None)
)
_FIND = REACH.update().where(REACH.c.player_id == bindparam("player"), REACH.c.lost_at.is_not(None))


class Deliverability(Tables):
    """Access to bounces and unreachable players within one unit of work."""

    def add_bounce(self, bounce: Bounce) -> bool:
        """Record a bounce. Return False if it was already recorded."""
        columns = bounce.columns() | {"status": storable_or_none(bounce.status)}
        del columns["id"]  # assigned by the database
        statement = (
            insert_for(self._connection, BOUNCE)
            .values(columns)
            .on_conflict_do_nothing(index_elements=[BOUNCE.c.key])
            .returning(BOUNCE.c.id)
        )
        return self._connection.execute(statement).first() is not None

    def score(self, player_id: str, since: datetime) -> int:
        """Sum a player's bounce scores after `since` and after they were last reached.

        If several reports concern the same message, only the highest score counts.
        """
        reached = self._connection.execute(
            select(REACH.c.reached_at).where(REACH.c.player_id == player_id)
        ).scalar_one_or_none()
        after = since if reached is None else max(since, reached)
        worst = (
            select(func.max(BOUNCE.c.score).label("score"))
            .where(BOUNCE.c.player_id == player_id, BOUNCE.c.bounced_at > after)
            .group_by(BOUNCE.c.outbox_id)
            .subquery()
        )
        return self._scalar(select(func.sum(worst.c.score)), default=0)

    def excuse_policy(self, since: datetime) -> bool:
        """Set the score of policy bounces after `since` to 0 if they affect several players.

        Returns False and changes nothing if they affect only one player. Missing routes (5.4.x)
        count as policy bounces here, because our own server can cause them.
        """
        is_about_us = or_(
            BOUNCE.c.kind == "policy",
            BOUNCE.c.status.like("_.7.%"),  # format of 1.0
            BOUNCE.c.status.like("5.4.%"),
        )
        is_policy = (BOUNCE.c.bounced_at > since) & is_about_us
        people = select(func.count(BOUNCE.c.player_id.distinct())).where(is_policy)
        if self._connection.execute(people).scalar_one() < 2:  # noqa: PLR2004  (at least two players)
            return False
        self._connection.execute(BOUNCE.update().where(is_policy).values(score=0))
        return True

    def unreachable(self, player_id: str) -> ReachRow | None:
        """Return since when and why a player is unreachable, or None if they are reachable."""
        return self._read_one(_LOSS, {"player": player_id})

    def mark_unreachable(self, player_id: str, at: datetime, reason: str) -> bool:
        """Mark a player as unreachable. Return False if they already were."""
        if self.unreachable(player_id) is not None:
            return False
        values = {"lost_at": at, "reason": reason}
        self._connection.execute(
            insert_for(self._connection, REACH)
            .values(player_id=player_id, **values)
            .on_conflict_do_update(index_elements=[REACH.c.player_id], set_=values)
        )
        return True

    def mark_reachable(self, player_id: str, at: datetime) -> bool:
        """Clear a player's unreachable mark and ignore bounces up to `at`.

        Returns False and changes nothing if the player is not marked unreachable.
        """
        found = {"player": player_id, "lost_at": None, "reason": None, "reached_at": at}
        changed = self._connection.execute(_FIND, found)
        return changed.rowcount == 1

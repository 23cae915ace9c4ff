"""Rows of two players who are one person: everything that names the one id gets the other one.

The log is not touched: what it says follows from `PlayerMerged` and, of ids in old events, from the
table `merged`.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, select

from pbem.domain.log import GameId
from pbem.store.game_rows import SEAT
from pbem.store.lobby_rows import INVITATION
from pbem.store.merged_rows import MERGED
from pbem.store.rows import ADDRESS, BOUNCE, EVENT, INBOX, OUTBOX, PLAYER, REACH
from pbem.store.standing_rows import RESULT, TURNS
from pbem.store.texts import storable


def games_naming(connection: Connection, player_id: str) -> list[GameId]:
    """List every game whose log names a player, whatever for; reads many rows."""
    named = EVENT.c.public.contains(player_id, autoescape=True)
    query = select(EVENT.c.game_id).where(named | (EVENT.c.actor == f"player:{player_id}"))
    return [GameId(game_id) for game_id in sorted(set(connection.execute(query).scalars()))]


def merge_projected(connection: Connection, game_id: GameId, player: str, into: str) -> None:
    """Give seat, punctuality and place in one game to the id that stays.

    A game in which the person turns out to have played against themselves counts for nobody.
    """
    player, into = storable(player), storable(into)
    connection.execute(
        SEAT.update()
        .where(SEAT.c.game_id == game_id, SEAT.c.player_id == player)
        .values(player_id=into)
    )
    _merge_turns(connection, game_id, player, into)
    theirs = RESULT.c.game_id == game_id, RESULT.c.player_id.in_((player, into))
    seats = connection.execute(select(func.count()).select_from(RESULT).where(*theirs)).scalar_one()
    if seats > 1:
        connection.execute(RESULT.delete().where(RESULT.c.game_id == game_id))
    else:
        connection.execute(RESULT.update().where(*theirs).values(player_id=into))


def _merge_turns(connection: Connection, game_id: GameId, player: str, into: str) -> None:
    query = select(TURNS).where(TURNS.c.game_id == game_id, TURNS.c.player_id == player)
    for row in connection.execute(query).all():
        of_seat = TURNS.c.game_id == game_id, TURNS.c.seat == row.seat
        known = connection.execute(
            TURNS.update()
            .where(*of_seat, TURNS.c.player_id == into)
            .values(
                on_time=TURNS.c.on_time + row.on_time,
                late=TURNS.c.late + row.late,
                passed=func.max(TURNS.c.passed, row.passed)
                if connection.dialect.name == "sqlite"
                else func.greatest(TURNS.c.passed, row.passed),
            )
        )
        own = TURNS.c.player_id == player
        if known.rowcount:
            connection.execute(TURNS.delete().where(*of_seat, own))
        else:
            connection.execute(TURNS.update().where(*of_seat, own).values(player_id=into))


def first_end(connection: Connection, player_id: str) -> tuple[datetime, str] | None:
    """Give when the first game of a person that counts ended, and which: ratings change from there on."""
    query = (
        select(RESULT.c.finished_at, RESULT.c.game_id)
        .where(RESULT.c.player_id == player_id)
        .order_by(RESULT.c.finished_at, RESULT.c.game_id)
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (row.finished_at, row.game_id)


def merge_people(connection: Connection, player: str, into: str, at: datetime) -> None:
    """Give addresses, mails and invitations to the id that stays; the other one is no player any more."""
    connection.execute(
        ADDRESS.update()
        .where(ADDRESS.c.player_id == player)
        .values(player_id=into, is_primary=False)
    )
    for table in (INBOX, OUTBOX, BOUNCE, INVITATION):
        connection.execute(table.update().where(table.c.player_id == player).values(player_id=into))
    connection.execute(
        INVITATION.update().where(INVITATION.c.inviter == player).values(inviter=into)
    )
    connection.execute(REACH.delete().where(REACH.c.player_id == player))
    connection.execute(MERGED.update().where(MERGED.c.into_id == player).values(into_id=into))
    connection.execute(PLAYER.delete().where(PLAYER.c.id == player))
    connection.execute(MERGED.insert().values(player_id=player, into_id=into, merged_at=at))

"""Invitations to seats, the names used in them, and addresses that opted out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, bindparam, func, select

from pbem.domain.log.chain import GameId, parse_time
from pbem.domain.log.events import GameCreated, GameStarted, GameStopped, Recorded
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    SeatReplaced,
)
from pbem.domain.terms.seats import is_open
from pbem.store.rows.lobby_rows import INVITATION, UNINVITED, Invitation
from pbem.store.rows.texts import Tables, insert_for, storable

_DUE = (
    select(Invitation)
    .where(INVITATION.c.next_at <= bindparam("now"))
    .order_by(INVITATION.c.next_at, INVITATION.c.game_id, INVITATION.c.seat)
    .limit(bindparam("most"))
)
_NEWEST = (
    select(Invitation)
    .where(INVITATION.c.game_id == bindparam("game"), INVITATION.c.seat == bindparam("seat"))
    .order_by(INVITATION.c.version.desc())
    .limit(1)
)
_LABELS = select(INVITATION.c.seat, INVITATION.c.player_id, INVITATION.c.label).where(
    INVITATION.c.game_id == bindparam("game"), INVITATION.c.label != ""
)


Several: TypeAlias = Sequence[Invitation]


class Invitations(Tables):
    """Access to the invitation tables within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._labels: dict[str, str] = {}
        self.signed = ("", "")
        """Name and note of the inviting person in this unit of work (see `sign`)."""

    # -- writing ---------------------------------------------------------------------------------

    def call(self, player_id: str, label: str) -> None:
        """Set the inviter's name for a person who will be invited later in this unit of work."""
        self._labels[player_id] = storable(label)

    def sign(self, name: str, note: str) -> None:
        """Set the name and note shown in this unit of work's invitations.

        Both are empty if the inviter is a player of the game.
        """
        self.signed = (name, note)

    def apply(self, game_id: GameId, recorded: Sequence[Recorded], seats: Sequence[str]) -> None:
        """Update invitations and their answers from new events.

        Args:
            game_id: the game.
            recorded: the new events, which follow those applied by earlier calls.
            seats: player IDs by seat, to resolve actors that are seats.
        """
        for item in recorded:
            match item.event:
                case GameCreated(seats=players):
                    for seat, player in enumerate(players):
                        if is_open(player):
                            self._ask(game_id, seat, player, item, seats)
                case PlayerInvited(seat, player):
                    self._settle(game_id, seat)
                    self._ask(game_id, seat, player, item, seats)
                case PlayerJoined(seat) | SeatReplaced(seat):
                    self._settle(game_id, seat)
                case MotionOpened("offer", int(seat), terms):
                    self._settle(game_id, seat)
                    until = parse_time(str(terms["expires_at"]))
                    self._keep(game_id, seat, str(terms["player"]), item, next_at=until)
                case MotionEnded("offer", int(seat)):
                    self._settle(game_id, seat)
                case PlayerDeclined(seat) | InvitationExpired(seat):
                    self._fall_vacant(game_id, seat, item.recorded_at)
                case GameStarted() | GameStopped():
                    self._settle(game_id)
                case _:
                    pass

    def _ask(
        self, game_id: GameId, seat: int, player: str, item: Recorded, seats: Sequence[str]
    ) -> None:
        kind, _, who = item.actor.partition(":")
        inviter = who if kind == "player" else None
        if kind == "seat" and who.isdigit() and int(who) < len(seats):
            inviter = seats[int(who)]
        label = self._labels.get(player, "")
        values = {"inviter": inviter, "label": label, "is_open": True}
        self._keep(game_id, seat, player, item, next_at=item.recorded_at, **values)

    def _keep(
        self,
        game_id: GameId,
        seat: int,
        player: str,
        item: Recorded,
        **values: Any,  # noqa: ANN401  (column values)
    ) -> None:
        """Insert an invitation unless it is already stored."""
        asked_at = item.recorded_at
        invitation = Invitation(
            game_id=game_id,
            seat=seat,
            version=item.version,
            player_id=storable(player),
            asked_at=asked_at,
            since=asked_at,
            **values,
        )
        insert = insert_for(self._connection, INVITATION).values(invitation.columns())
        self._connection.execute(insert.on_conflict_do_nothing())

    def _settle(self, game_id: GameId, seat: int | None = None) -> None:
        self._connection.execute(
            INVITATION.update().where(*_of(game_id, seat)).values(is_open=False, next_at=None)
        )

    def _fall_vacant(self, game_id: GameId, seat: int, at: datetime) -> None:
        self._connection.execute(
            INVITATION.update()
            .where(*_of(game_id, seat), INVITATION.c.next_at.is_not(None))
            .values(is_open=False, since=at, next_at=at)
        )

    def schedule_check(self, invitation: Invitation, at: datetime | None) -> None:
        """Schedule the next check of an invitation. None means that it needs no further check."""
        self._connection.execute(
            INVITATION.update()
            .where(
                *_of(invitation.game_id, invitation.seat),
                INVITATION.c.version == invitation.version,
            )
            .values(next_at=at)
        )

    def never(self, hashed: str, since: datetime) -> None:
        """Add the hash of an address that must never be invited again."""
        self._connection.execute(
            insert_for(self._connection, UNINVITED)
            .values(hash=hashed, since=since)
            .on_conflict_do_nothing()
        )

    def allow(self, hashes: Collection[str]) -> bool:
        """Remove an address from the never-invite list.

        Args:
            hashes: the address hashed with each key.

        Returns:
            False if the address was not on the list.
        """
        done = self._connection.execute(UNINVITED.delete().where(UNINVITED.c.hash.in_(hashes)))
        return done.rowcount > 0

    # -- reading ---------------------------------------------------------------------------------

    def is_uninvited(self, hashes: Collection[str]) -> bool:
        """True if an address is on the never-invite list.

        Args:
            hashes: the address hashed with each key.
        """
        query = select(UNINVITED.c.hash).where(UNINVITED.c.hash.in_(hashes)).limit(1)
        return self._connection.execute(query).first() is not None

    def labels(self, game_id: GameId) -> dict[tuple[int, str], str]:
        """Return the inviters' names for the people invited to a game, by seat and player ID."""
        rows = self._connection.execute(_LABELS, {"game": game_id})
        return {(row.seat, row.player_id): row.label for row in rows}

    def of(self, game_id: GameId, seat: int) -> Invitation | None:
        """Return the newest invitation to a seat, or None."""
        return self._read_one(_NEWEST, {"game": game_id, "seat": seat})

    def count_open(self, inviter: str) -> int:
        """Count a player's unanswered invitations, without open seats."""
        return self._count(inviter, INVITATION.c.is_open)

    def count_since(self, inviter: str, since: datetime) -> int:
        """Count the people a player has invited since a time."""
        return self._count(inviter, INVITATION.c.asked_at > since)

    def _count(self, inviter: str, condition: ColumnElement[bool]) -> int:
        query = (
            select(func.count())
            .select_from(INVITATION)
            .where(
                INVITATION.c.inviter == inviter,
                ~INVITATION.c.player_id.startswith("open:"),
                condition,
            )
        )
        return self._connection.execute(query).scalar_one()

    def due(self, now: datetime, limit: int) -> Several:
        """List up to `limit` invitations that are due for a check, oldest first."""
        return self._read(_DUE, {"now": now, "most": limit})

    def next_due(self) -> datetime | None:
        """Return when the next invitation is due for a check, or None."""
        return self._scalar(select(func.min(INVITATION.c.next_at)), default=None)


def _of(game_id: GameId, seat: int | None) -> list[ColumnElement[bool]]:
    conditions = [INVITATION.c.game_id == game_id]
    return conditions if seat is None else [*conditions, INVITATION.c.seat == seat]

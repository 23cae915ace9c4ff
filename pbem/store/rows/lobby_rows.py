"""Tables of the lobby: invitations, and addresses that must never be invited again.

A seat of a running game that was offered to a player also has an invitation row. It is used to end
the offer.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.domain.log.chain import GameId
from pbem.store.rows.core import METADATA, Row


class Invitation(Row, table=True):
    """A person who was invited to a seat, or an open seat.

    Attributes:
        version: version of the event that assigned the seat.
        inviter: ID of the inviting player, or None if an admin invited.
        label: the inviter's name for the person. No other name is shown until the person answers.
        is_open: True if neither answered nor expired.
        since: when the person was invited, or when the seat became vacant.
        next_at: time of the next check, or None for never.
    """

    __tablename__ = "invitation"
    __table_args__: ClassVar[Any] = (
        Index("ix_invitation_next_at", "next_at"),
        Index("ix_invitation_inviter_asked_at", "inviter", "asked_at"),
        Index("ix_invitation_player_id", "player_id"),
    )

    game_id: GameId = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True)
    version: int = Field(primary_key=True)
    player_id: str = Field(sa_type=Text)
    inviter: str | None = Field(default=None, sa_type=Text)
    label: str = Field(default="", sa_type=Text, repr=False)
    is_open: bool = False
    asked_at: datetime = Field(sa_type=UTCDateTime)
    since: datetime = Field(sa_type=UTCDateTime)
    next_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class UninvitedRow(Row, table=True):
    """The keyed hash of an address that must never be invited again."""

    __tablename__ = "uninvited"

    hash: str = Field(primary_key=True, sa_type=Text)
    since: datetime = Field(sa_type=UTCDateTime)


INVITATION = METADATA.tables["invitation"]
UNINVITED = METADATA.tables["uninvited"]

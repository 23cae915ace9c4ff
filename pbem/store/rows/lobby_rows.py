"""The tables of the lobby: invitations, and addresses never to invite again.

A seat of a running game that is offered to somebody has a row, too, for the time until when.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.store.rows.core import METADATA, Row


class InvitationRow(Row, table=True):
    """Somebody who was asked to take a seat, or a place that was left open.

    Attributes:
        version: of the event that made the seat theirs.
        inviter: id of the player who asked; None: an admin did.
        label: what the inviter called them; until they answer nobody learns another name.
        is_open: neither answered nor run out.
        since: when they were asked, or when the seat fell vacant.
        next_at: when to look at it next; None = not any more.
    """

    __tablename__ = "invitation"
    __table_args__: ClassVar[Any] = (
        Index("ix_invitation_next_at", "next_at"),
        Index("ix_invitation_inviter_asked_at", "inviter", "asked_at"),
        Index("ix_invitation_player_id", "player_id"),
    )

    game_id: str = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True)
    version: int = Field(primary_key=True)
    player_id: str = Field(sa_type=Text)
    inviter: str | None = Field(default=None, sa_type=Text)
    label: str = Field(sa_type=Text, repr=False)
    is_open: bool
    asked_at: datetime = Field(sa_type=UTCDateTime)
    since: datetime = Field(sa_type=UTCDateTime)
    next_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class UninvitedRow(Row, table=True):
    """The keyed hash of an address that is never to be invited again."""

    __tablename__ = "uninvited"

    hash: str = Field(primary_key=True, sa_type=Text)
    since: datetime = Field(sa_type=UTCDateTime)


INVITATION = METADATA.tables["invitation"]
UNINVITED = METADATA.tables["uninvited"]

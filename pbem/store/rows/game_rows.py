"""Tables of games and leagues: projections that can be rebuilt from the log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Index, Text, UniqueConstraint, text
from sqlmodel import Field
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.domain.log.chain import GameId
from pbem.store.rows.core import METADATA, Row
from pbem.store.rows.texts import Times


class GameStatus(Row, table=True):
    """Projection: one game.

    Attributes:
        status, is_challenge: as in `pbem.domain.table.game`.
        head: hash of the last event.
    """

    __tablename__ = "game"
    __table_args__: ClassVar[Any] = (
        Index("ix_game_status", "status"),
        Index(
            "ix_game_is_challenge",
            "ruleset",
            sqlite_where=text("is_challenge"),  # PostgreSQL too, see `AddressRow`
        ),
    )

    id: GameId = Field(primary_key=True, sa_type=Text)
    ruleset: str = Field(sa_type=Text)
    ruleset_version: int
    status: str = Field(sa_type=Text)
    version: int
    head: str = Field(sa_type=Text)
    created_at: datetime = Field(sa_type=UTCDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    is_challenge: bool = False


class SeatStatus(Row, table=True):
    """Projection: a seat and its player.

    Attributes:
        status: `invited`, `open` (not offered to a particular person), `joined`, `declined`,
            `expired`, `resigned`, `removed`.
        player_id: not a foreign key, because a log may come from another installation.
    """

    __tablename__ = "seat"
    __table_args__: ClassVar[Any] = (
        Index("ix_seat_player_id", "player_id"),
        Index(
            "ix_seat_is_unreachable",
            "player_id",
            sqlite_where=text("is_unreachable"),  # PostgreSQL too, see `AddressRow`
        ),
    )

    game_id: GameId = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True)
    player_id: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    is_unreachable: bool = False
    is_bot: bool = False


class Deadline(Row, table=True):
    """Projection: a seat's running deadline.

    Attributes:
        version: version of its DeadlineSet event, which identifies the deadline.
        set_at: when the clock was started.
        due_at: when it fires: the deadline shown to players plus the grace period.
        reminders: times of the reminders, in ascending order.
        next_at: time of the next check: a reminder or `due_at`, or the current time for a bot. Not
            derived from the log.
    """

    __tablename__ = "deadline"
    __table_args__: ClassVar[Any] = (
        Index("ix_deadline_next_at", "next_at"),
        Index("ix_deadline_due_at", "due_at"),
    )

    game_id: GameId = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    set_at: datetime = Field(sa_type=UTCDateTime)
    due_at: datetime = Field(sa_type=UTCDateTime)
    reminders: tuple[datetime, ...] = Field(sa_type=Times)
    next_at: datetime = Field(sa_type=UTCDateTime)


class LeagueStatus(Row, table=True):
    """Projection: a league. `status` is described in `pbem.domain.league.league`.

    Attributes:
        id: ID of its stream.
        next_at: time of the next check, or None once the league has ended. Not derived from the
            log.
    """

    __tablename__ = "league"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("name"),
        Index("ix_league_next_at", "next_at"),
    )

    id: GameId = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    next_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


GAME = METADATA.tables["game"]
SEAT = METADATA.tables["seat"]
DEADLINE = METADATA.tables["deadline"]
LEAGUE = METADATA.tables["league"]

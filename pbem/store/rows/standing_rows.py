"""Tables for ratings: projections that can be rebuilt at any time."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.store.rows.core import METADATA, Row


class TurnsRow(Row, table=True):
    """Projection: how punctual a player was in a seat.

    Attributes:
        on_time: number of deadlines that the player met.
        late: number of deadlines that the player missed.
        passed: version of the DeadlineSet event of the last missed deadline, or 0 for none.
    """

    __tablename__ = "turns"
    __table_args__: ClassVar[Any] = (Index("ix_turns_player_id", "player_id"),)

    game_id: str = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True)
    player_id: str = Field(primary_key=True, sa_type=Text)
    on_time: int = 0
    late: int = 0
    passed: int = 0


class ResultRow(Row, table=True):
    """Projection: the rank of a player's seat in a rated game.

    Attributes:
        place: the rank. Tied seats share a rank: 1, 2, 2, 4 (GEN-17).
        sat_out: True if a bot decided for the seat when the game ended.
    """

    __tablename__ = "result"
    __table_args__: ClassVar[Any] = (
        Index("ix_result_player_id", "player_id"),
        Index("ix_result_finished_at", "finished_at", "game_id"),
    )

    game_id: str = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True)
    player_id: str = Field(sa_type=Text)
    ruleset: str = Field(sa_type=Text)
    place: int
    sat_out: bool
    finished_at: datetime = Field(sa_type=UTCDateTime)


TURNS = METADATA.tables["turns"]
RESULT = METADATA.tables["result"]

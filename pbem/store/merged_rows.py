"""The table of ids that a person had before two players became one; old tokens and logs name them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field
from sqlmodel.sql.sqltypes import UTCDateTime

from pbem.store.rows import METADATA, Row


class MergedRow(Row, table=True):
    """An id that means another player now; that one is never merged itself without this row's moving on."""

    __tablename__ = "merged"
    __table_args__: ClassVar[Any] = (Index("ix_merged_into_id", "into_id"),)

    player_id: str = Field(primary_key=True, sa_type=Text)
    into_id: str = Field(sa_type=Text, foreign_key="player.id")
    merged_at: datetime = Field(sa_type=UTCDateTime)


MERGED = METADATA.tables["merged"]

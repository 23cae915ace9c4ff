"""The rebuilt tables' data on games, seats and deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.domain.log.chain import GameId
from pbem.store.rows.texts import read_times


@dataclass(frozen=True, slots=True)
class GameStatus:
    """One game; `status` and `is_challenge` as in `pbem.domain.table.game`, `head` the last hash."""

    id: GameId
    ruleset: str
    ruleset_version: int
    status: str
    version: int
    head: str
    created_at: datetime
    finished_at: datetime | None
    is_challenge: bool = False


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """Who sits where; `status` as in `pbem.domain.table.game.SeatState`."""

    game_id: GameId
    seat: int
    player_id: str
    status: str
    is_unreachable: bool = False
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Deadline:
    """A running deadline of one seat.

    Attributes:
        version: version of its DeadlineSet: the key of the deadline.
        due_at: when it fires: the deadline that players see, plus the grace.
        set_at: when the time began to run.
        reminders: instants, ascending.
        next_at: when to look at it next: a reminder or `due_at`; for a bot at once.
        is_bot: True if a bot decides for the seat.
    """

    game_id: GameId
    version: int
    seat: int
    set_at: datetime
    due_at: datetime
    reminders: tuple[datetime, ...]
    next_at: datetime
    is_bot: bool = False


def deadlines_of(rows: Iterable[Sequence[Any]]) -> list[Deadline]:
    """Read rows of deadlines, each with whether a bot decides for the seat."""
    return [
        Deadline(
            game_id=GameId(game_id),
            version=version,
            seat=seat,
            set_at=set_at,
            due_at=due_at,
            reminders=read_times(reminders),
            next_at=next_at,
            is_bot=is_bot,
        )
        for game_id, version, seat, set_at, due_at, reminders, next_at, is_bot in rows
    ]

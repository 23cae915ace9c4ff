"""What the rebuilt tables say of games, seats and deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.domain.log import GameId


@dataclass(frozen=True, slots=True)
class Game:
    """One game; `status`: `inviting`, `running`, `finished`, `stopped`; `head` = last hash."""

    id: GameId
    ruleset: str
    ruleset_version: int
    status: str
    version: int
    head: str
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """Who sits where; `status`: `invited`, `joined`, `declined`, `resigned`, `removed`."""

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
        version: of its DeadlineSet: the key of the deadline.
        due_at: when it fires: the deadline that players see, and the grace.
        set_at: when the time began to run.
        reminders: instants, ascending.
        next_at: when to look at it next: a reminder or `due_at`; for a bot at once.
        is_bot: a bot decides for the seat.
    """

    game_id: GameId
    version: int
    seat: int
    set_at: datetime
    due_at: datetime
    reminders: tuple[datetime, ...]
    next_at: datetime
    is_bot: bool = False

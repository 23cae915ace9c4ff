"""Events of a game's clock: deadlines, time banks, vacations, pauses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeAlias

from pbem.domain.log.chain import OneOf, hidden

ExtensionReason: TypeAlias = Annotated[
    str, OneOf(("delivery", "reachable", "vacation", "courtesy", "admin", "back", "undo"))
]
PausedBy: TypeAlias = Annotated[str, OneOf(("vote", "admin", "dispute"))]


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """The seats have until `due_at` to act. Replaces every earlier deadline of the game.

    Attributes:
        base_at: end of the agreed time per move. The bank of the seat lasts until `due_at`.
        fires_at: `due_at` plus the grace period. Messages that arrive earlier are in time.
        reminders: times of reminders for a player who has not moved, ascending.
    """

    seats: tuple[int, ...]
    starts_at: datetime
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """The running deadline was extended.

    Attributes:
        deadline: version of the DeadlineSet.
        reason: `delivery` (the turn message was sent late), `reachable` (a seat for which the clock
            waited is reachable again), `vacation`, `courtesy` (an opponent gave time), `admin`,
            `back` (a player took the seat back from a bot), `undo` (a seat asked to take moves
            back).
    """

    deadline: int
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]
    reason: ExtensionReason


@dataclass(frozen=True, slots=True)
class ClockCompensated:
    """The service was down. The running deadline was extended by that time, once per outage.

    Attributes:
        begin, end: the last heartbeat before the outage, and the first heartbeat after it.
        deadline: version of the DeadlineSet.
    """

    begin: datetime
    end: datetime
    deadline: int
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class BankChanged:
    """A seat's time bank changed. `left` is the number of seconds left in it."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class VacationTaken:
    """A player is away. Both days are included. ISO dates in the player's time zone."""

    seat: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class VacationEnded:
    """A player returned early: `last` is the last day that counts as vacation."""

    seat: int
    last: str


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The clock of the game was paused. Moves may still be made.

    Attributes:
        by: `vote`, `admin` or `dispute`.
    """

    by: PausedBy
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The clock was restarted. A new DeadlineSet has the new deadline."""

    by: PausedBy


@dataclass(frozen=True, slots=True)
class AdminAsked:
    """A deadline passed in a game in which the admin decides what happens then."""

    seat: int
    deadline: int


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A seat missed a deadline. `deadline` is the version of its DeadlineSet."""

    seat: int
    deadline: int


ClockEvent: TypeAlias = (
    DeadlineSet
    | DeadlineExtended
    | ClockCompensated
    | BankChanged
    | VacationTaken
    | VacationEnded
    | GamePaused
    | GameResumed
    | AdminAsked
    | TurnTimedOut
)

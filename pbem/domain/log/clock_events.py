"""Events of the clock of a game: deadlines, the time of a seat, vacations, pauses."""

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
    """The seats have until `due_at`; replaces every earlier deadline of the game.

    Attributes:
        base_at: when the agreed time per move is over; the bank of the seat lasts until `due_at`.
        fires_at: `due_at` and the grace: what arrives before is in time.
        reminders: when a player who has not moved gets a reminder; ascending.
    """

    seats: tuple[int, ...]
    starts_at: datetime
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """The running deadline became later.

    Attributes:
        deadline: version of the DeadlineSet.
        reason: `delivery` (the turn mail left late), `reachable` (a seat for which the clock
            waited can be reached again), `vacation`, `courtesy` (an opponent gave time), `admin`, `back`
            (a player took the seat back from a bot), `undo` (a seat asked to take moves back).
    """

    deadline: int
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]
    reason: ExtensionReason


@dataclass(frozen=True, slots=True)
class ClockCompensated:
    """The service was down; a running deadline moved by that time, once per gap.

    Attributes:
        begin: when it was last seen alive; `end`: when it was back.
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
    """The seconds that a seat has left beside the time per move."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class VacationTaken:
    """A player is away; both days included, ISO dates of the player's zone."""

    seat: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class VacationEnded:
    """A player is back before the end: `last` is the last day that counts as vacation."""

    seat: int
    last: str


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The clock of the game stands still; moves may be made.

    Attributes:
        by: `vote`, `admin` or `dispute`.
    """

    by: PausedBy
    reason: str = hidden("never")


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The clock runs again; a new DeadlineSet says until when."""

    by: PausedBy


@dataclass(frozen=True, slots=True)
class AdminAsked:
    """A deadline passed in a game in which the admin decides what happens then."""

    seat: int
    deadline: int


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A seat missed a deadline; `deadline` is the version of its DeadlineSet."""

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

"""Events of what the players of a game decide together, beside the clock's standing still."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class UndoRequested:
    """A seat asks the others to take moves back; it is for it itself.

    Attributes:
        back_to: version of the event after which the table would be as it was.
        ply: plies of the game by then.
    """

    seat: int
    back_to: int
    ply: int


@dataclass(frozen=True, slots=True)
class TempoProposed:
    """A seat asks for another time per move, in seconds; it is for it itself."""

    seat: int
    time_per_move: int


@dataclass(frozen=True, slots=True)
class TempoChanged:
    """From the next deadline on there is so much time per move, in seconds."""

    time_per_move: int


@dataclass(frozen=True, slots=True)
class ObserverProposed:
    """Somebody who does not play asks to look on."""

    player: str


@dataclass(frozen=True, slots=True)
class ObserverAdmitted:
    """Somebody looks on from here: what everybody may know is mailed to them."""

    player: str


@dataclass(frozen=True, slots=True)
class ObserverLeft:
    """Somebody looks on no more."""

    player: str


@dataclass(frozen=True, slots=True)
class ReplacementProposed:
    """A seat asks that somebody else takes over a seat, its own or one whose player is away.

    Attributes:
        seat: who asks.
        of: the seat to be taken over.
        player: who would take it.
    """

    seat: int
    of: int
    player: str


@dataclass(frozen=True, slots=True)
class ReplacementOffered:
    """Somebody was asked to take over a seat; `SeatReplaced` follows if they accept in time."""

    seat: int
    player: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ReplacementDeclined:
    """Who was asked does not take over the seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class ReplacementExpired:
    """Who was asked to take over a seat did not answer in time."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class ReplacementOver:
    """A seat is not offered any more: whoever plays there has written."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class MotionEnded:
    """What was voted on is off, without another vote.

    Attributes:
        motion: `undo`, `tempo`, `observer` or `replace`.
        why: `back` = whoever was to be replaced is there; `refused` = too few are left who could be
            for it.
    """

    motion: str
    why: str


MotionEvent: TypeAlias = (
    UndoRequested
    | TempoProposed
    | TempoChanged
    | ObserverProposed
    | ObserverAdmitted
    | ObserverLeft
    | ReplacementProposed
    | ReplacementOffered
    | ReplacementDeclined
    | ReplacementExpired
    | ReplacementOver
    | MotionEnded
)

MOTION_EVENTS: tuple[type[MotionEvent], ...] = (
    UndoRequested,
    TempoProposed,
    TempoChanged,
    ObserverProposed,
    ObserverAdmitted,
    ObserverLeft,
    ReplacementProposed,
    ReplacementOffered,
    ReplacementDeclined,
    ReplacementExpired,
    ReplacementOver,
    MotionEnded,
)

"""Events of motions: a question to the players, the votes on it, its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from engine.api import JsonValue
from pbem.domain.log.chain import OneOf

TERMS: Final[Mapping[str, Mapping[str, type]]] = {
    "undo": {"back_to": int, "ply": int},
    "end": {},
    "drop": {"of": int},
    "tempo": {"time_per_move": int},
    "observer": {"player": str},
    "replace": {"of": int, "player": str},
    "offer": {"player": str, "expires_at": str},
}
"""What the terms of a motion are, by its kind."""

CLOCK = ("pause", "resume")
"""Motions to stop the clock or let it run again: a vote opens them."""
VOTED_ON = (*CLOCK, *(kind for kind in TERMS if kind != "offer"))
"""Every motion that the table votes on; an offer is answered by one person."""


@dataclass(frozen=True, slots=True)
class MotionOpened:
    """Something is asked of the players, or of one person.

    Attributes:
        motion: `undo` = to take moves back; `end` = to end the game here; `drop` = to go on without a player who is gone; `tempo` = another time per move; `observer` = to let a
            person watch; `replace` = to let a person take over a seat; `offer` = a person is asked to
            take over the seat, and `SeatReplaced` follows if they accept.
        seat: who asks, and is for it; the seat that is offered; null if a person without a seat asks.
        terms: what it is about; nothing of `end`. Of `undo`: the table goes back to what it was after event
            `back_to`; the game had `ply` plies then. Of `drop`: the seat `of`. Of `tempo`: `time_per_move` in seconds. Of `observer`: `player`. Of `replace`: the seat `of`, and the `player` who would
            take it. Of `offer`: `player` and `expires_at`, an instant as the log writes them.
    """

    motion: Annotated[str, OneOf(tuple(TERMS))]
    seat: int | None
    terms: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A seat is for or against a motion.

    Attributes:
        motion: `pause`, `resume`, or one that `MotionOpened` put: `undo`, `end`, `drop`, `tempo`, `observer`, `replace`.
    """

    seat: int
    motion: Annotated[str, OneOf(VOTED_ON)]
    is_for: bool


@dataclass(frozen=True, slots=True)
class MotionEnded:
    """A motion is over, other than by a vote, a move or another player in the seat.

    Attributes:
        motion: as in `MotionOpened`.
        seat: the seat that was offered; null of other motions.
        why: `carried` = the new time per move holds from the next deadline on, the person watches from
            here, the game ends by its stopping score (GEN-8), the seat leaves (`SeatRemoved` follows); `refused` = too few players are left who could be for it; `back` = the player whose
            seat it was about has written; `declined`, `expired` = of an offer; `league` = nobody asked: the
            round of its league is over, and the game ends by its stopping score.
    """

    motion: Annotated[str, OneOf(tuple(TERMS))]
    seat: int | None
    why: Annotated[str, OneOf(("carried", "refused", "back", "declined", "expired", "league"))]


MotionEvent: TypeAlias = MotionOpened | VoteCast | MotionEnded

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
    "fast": {"time_per_move": int, "expires_at": str},
    "observer": {"player": str},
    "replace": {"of": int, "player": str},
    "offer": {"player": str, "expires_at": str},
}
"""Names and types of a motion's terms, by its kind."""

CLOCK = ("pause", "resume")
"""Motions to pause or resume the clock. The first vote opens them."""
VOTED_ON = (*CLOCK, *(kind for kind in TERMS if kind != "offer"))
"""Every motion that the table votes on. An offer is answered by one person."""


@dataclass(frozen=True, slots=True)
class MotionOpened:
    """A motion was put to the players, or to one person.

    Attributes:
        motion: `undo` = take moves back, `end` = end the game now, `drop` = continue without an
            absent player, `tempo` = change the time per move, `fast` = change it until a set time,
            `observer` = let a person watch, `replace` = let a person take over a seat, `offer` = a
            person is asked to take over the seat, and `SeatReplaced` follows if they accept.
        seat: the proposer, who votes yes, or the offered seat. Null if a person without a seat asks.
        terms: the details; empty for `end`. For `undo`: the table goes back to its state after
            event `back_to`, when the game had `ply` plies. For `drop`: the seat `of`. For `tempo`:
            `time_per_move` in seconds. For `fast`: the same, and `expires_at`. For `observer`:
            `player`. For `replace`: the seat `of`, and the new `player`. For `offer`: `player` and
            `expires_at`, a time in the format of the log.
    """

    motion: Annotated[str, OneOf(tuple(TERMS))]
    seat: int | None
    terms: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A seat voted for or against a motion.

    Attributes:
        motion: `pause`, `resume`, or one opened by `MotionOpened`: `undo`, `end`, `drop`, `tempo`,
            `fast`, `observer`, `replace`.
    """

    seat: int
    motion: Annotated[str, OneOf(VOTED_ON)]
    is_for: bool


@dataclass(frozen=True, slots=True)
class MotionEnded:
    """A motion ended other than by a vote, a move or another player in the seat.

    Attributes:
        motion: as in `MotionOpened`.
        seat: the seat that was offered, or null for other motions.
        why: `carried` = the new time per move applies from the next deadline on, the person watches
            from now on, the game ends by its stopping score (GEN-8), the seat leaves (`SeatRemoved`
            follows). `refused` = too few possible votes for it are left. `back` = the player whose
            seat it was about has written. `declined`, `expired` = for an offer. `league` = no
            motion was open: the round of its league has ended, and the game ends by its stopping
            score.
    """

    motion: Annotated[str, OneOf(tuple(TERMS))]
    seat: int | None
    why: Annotated[str, OneOf(("carried", "refused", "back", "declined", "expired", "league"))]


MotionEvent: TypeAlias = MotionOpened | VoteCast | MotionEnded

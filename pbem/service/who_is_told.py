"""Who gets a mail about what happened at once; everything else stands in the next mail anyway."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.clockwork import voters
from pbem.domain.events import (
    AdminAsked,
    DeadlineExtended,
    DisputeOpened,
    DisputeResolved,
    GameArrived,
    GameMoved,
    GamePaused,
    GameResumed,
    MovesRetracted,
    PlayerUnreachable,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    TurnTimedOut,
    VoteCast,
)
from pbem.domain.game import Game

GIFTS = ("courtesy", "admin")


def kind_for(game: Game, happened: Sequence[object], seat: int, position_before: int) -> str | None:
    """Say which kind of mail a seat gets; one mail, however much happened; None = none."""
    if any(isinstance(event, TurnTimedOut) and event.seat == seat for event in happened):
        return "timed_out"
    if (
        game.position != position_before
        and seat in game.to_act
        and game.seats[seat].controller == "person"
    ):
        return "turn"
    if any(_is_notice(game, event, seat) for event in happened):
        return "notice"
    return None


def open_motion(game: Game) -> str | None:
    """Give what is being voted on, `pause` or `resume`; None = nothing."""
    motion = "pause" if game.paused_at is None else "resume"
    return motion if any(game.votes.get(motion, {}).values()) else None


def is_asked(game: Game, seat: int) -> bool:
    """Say whether a seat has still to vote on the open motion."""
    motion = open_motion(game)
    return motion is not None and seat in voters(game) and seat not in game.votes[motion]


def _is_notice(game: Game, event: object, seat: int) -> bool:
    match event:
        case SeatReplaced():
            return game.status == "running"
        case DisputeOpened() | DisputeResolved():
            return True
        case PlayerUnreachable():
            return event.seat != seat
        case GameMoved() | GameArrived():
            return True
        case GamePaused() | GameResumed() | AdminAsked() | SeatRemoved() | MovesRetracted():
            return True
        case SeatControllerChanged():
            return event.why != "asleep"
        case VoteCast():
            return is_asked(game, seat)
        case DeadlineExtended():
            return event.reason in GIFTS and seat in game.to_act
        case _:
            return False

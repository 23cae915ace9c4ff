"""Decide which seats are notified at once. Other seats see the news in their next message."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.log.clock_events import (
    AdminAsked,
    DeadlineExtended,
    GamePaused,
    GameResumed,
    TurnTimedOut,
)
from pbem.domain.log.events import (
    DisputeOpened,
    DisputeResolved,
    Event,
    MovesRetracted,
)
from pbem.domain.log.motion_events import CLOCK, MotionEnded, MotionOpened, VoteCast
from pbem.domain.log.seat_events import (
    PlayerUnreachable,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
)
from pbem.domain.table import motions
from pbem.domain.table.game import Game, OpenMotion
from pbem.domain.table.motion import voters
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.mail_out.kinds import NOTICE, TIMED_OUT, TURN, GameParams, MailKind

GIFTS = ("courtesy", "admin")


def kind_for(
    game: Game, happened: Sequence[Event], seat: int, position_before: int
) -> MailKind[GameParams] | None:
    """Return the kind of message that a seat gets after these events, or None.

    A seat gets one message, however many events there are.
    """
    if any(isinstance(event, TurnTimedOut) and event.seat == seat for event in happened):
        return TIMED_OUT
    if (
        game.position != position_before
        and seat in game.to_act
        and game.seats[seat].controller == "person"
    ):
        return TURN
    if any(_is_notice(game, event, seat) for event in happened) or _has_lost(game, happened, seat):
        return NOTICE
    return None


def clock_vote(game: Game) -> str | None:
    """Return the motion of the current vote on the clock, `pause` or `resume`, or None."""
    motion = "pause" if game.paused_at is None else "resume"
    return motion if any(game.votes.get(motion, {}).values()) else None


def must_vote(game: Game, seat: int) -> bool:
    """True if a seat still has to vote on something."""
    return must_vote_on_clock(game, seat) or bool(motions_to_vote_on(game, seat))


def must_vote_on_clock(game: Game, seat: int) -> bool:
    """True if a seat still has to vote on the clock."""
    motion = clock_vote(game)
    return motion is not None and seat in voters(game) and seat not in game.votes[motion]


def motions_to_vote_on(game: Game, seat: int) -> list[OpenMotion]:
    """Return the motions, other than on the clock, on which a seat must vote, oldest first."""
    return [motion for motion in game.motions if seat in motions.missing_votes(game, motion)]


def _has_lost(game: Game, happened: Sequence[Event], seat: int) -> bool:
    """True if a request of this seat has just failed."""
    since = game.version - len(happened)
    return any(
        news.version > since and news.fact.kind == "motion_ended" and news.fact.seat == seat
        for news in game.news
    )


def _is_notice(game: Game, event: Event, seat: int) -> bool:
    match event:
        case SeatReplaced():
            return game.status == "running"
        case DisputeOpened() | DisputeResolved():
            return True
        case PlayerUnreachable():
            return event.seat != seat
        case AdminAsked():
            return not game.is_choosing or event.seat == seat
        case GamePaused() | GameResumed() | SeatRemoved() | MovesRetracted():
            return True
        case SeatControllerChanged():
            return event.why != "asleep"
        case VoteCast(motion=kind) if kind in CLOCK:
            return must_vote_on_clock(game, seat)
        case MotionOpened() | MotionEnded() if MOTIONS[event.motion].notifies(event, seat):
            return True
        case MotionOpened():
            return any(seat in motions.missing_votes(game, motion) for motion in game.motions)
        case DeadlineExtended():
            return event.reason in GIFTS and seat in game.to_act
        case _:
            return False  # reported in the next message

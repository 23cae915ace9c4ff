"""Motions: open them, vote on them, and carry them out."""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import JsonObject
from engine.sentences import sentence
from pbem.domain.clock import clockwork
from pbem.domain.log.events import ChoicesRevealed, MovePlayed, MovesRetracted, Recorded
from pbem.domain.log.motion_events import CLOCK, MotionEnded, MotionOpened, VoteCast
from pbem.domain.log.seat_events import (
    ObserverLeft,
    SeatControllerChanged,
    SeatRemoved,
    SeatResigned,
)
from pbem.domain.play.decide import leave, play_forced
from pbem.domain.table import motions, retraction
from pbem.domain.table.decision import Decision, playing, running
from pbem.domain.table.game import CHOSEN_SOURCES, Game, OpenMotion
from pbem.domain.table.motion import NOBODY, electorate, people_away, voters
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.errors import Refusal

LEAVING = (SeatResigned, SeatRemoved, SeatControllerChanged)
"""Events after which votes are recounted."""

# --- taking moves back ----------------------------------------------------------------------------


def place_before(
    events: Sequence[Recorded], game: Game, seat: int, ply: int | None = None
) -> int | None:
    """Return the version to go back to in order to undo a move, or None if there is no such move.

    Args:
        events: all events of the game.
        game: the current game.
        seat: the seat whose last move, or shared secret choice, is undone.
        ply: number of another ply to undo, by any seat, or None.
    """
    moves = [
        item
        for item in events
        if _is_move(item, seat, ply)
        and not any(first <= item.version <= last for first, last in game.retracted)
    ]
    if not moves:
        return None
    meant = moves[-1] if ply is None else moves[0]
    return retraction.place_at(events, meant.version - 1)


def _is_move(item: Recorded, seat: int, ply: int | None) -> bool:
    event = item.event
    if ply is not None:
        return isinstance(event, MovePlayed | ChoicesRevealed) and event.ply >= ply
    if isinstance(event, MovePlayed):
        return event.seat == seat and event.source in CHOSEN_SOURCES
    return isinstance(event, ChoicesRevealed)


# --- motions --------------------------------------------------------------------------------------


def check(decision: Decision, name: str, seat: int | None, terms: JsonObject) -> None:
    """Check that a motion can be opened. The arguments are those of `ask`. Raises: Refusal."""
    game = running(decision.existing()) if seat is None else playing(decision.existing(), seat)
    kind = MOTIONS[name]
    motion = OpenMotion(name, 0, NOBODY if seat is None else seat, terms)
    kind.check(decision, motion)
    kind.check_yes(decision, motion)
    if motions.open_motion(game, name) is not None:
        raise Refusal(name, kind.texts.open_already)
    if seat is not None and kind.must_be_unanimous:
        _check_company(game, seat, name)


def ask(decision: Decision, name: str, seat: int | None, terms: JsonObject) -> bool:
    """Open a motion. True if it was carried at once, because bots do not vote.

    For a motion to take moves back, `decision.past` must contain the earlier game. `settle` must
    follow, as after a move.

    Args:
        seat: the proposer, or None for a person who has no seat.
        terms: as in `MotionOpened`.

    Raises: Refusal.
    """
    check(decision, name, seat, terms)
    is_granted = MOTIONS[name].is_granted(decision.existing())
    decision.emit(MotionOpened(name, seat, terms))
    return _carry_out_if_decided(decision, name, is_granted=is_granted)


def _check_company(game: Game, seat: int, code: str) -> None:
    """Reject a vote by a single player while bots play for all others. Raises: Refusal.

    Otherwise that player could look at cards and undo moves as often as they like.
    """
    if voters(game) == [seat] and people_away(game):
        raise Refusal(
            code,
            sentence(
                "All others must agree to that, but they are all away and bots play for them. Ask"
                " again when somebody is back, or ask an admin."
            ),
        )


def end_round(decision: Decision) -> None:
    """End a league game whose round has ended, by its stopping score. `settle` must follow.

    Raises: Refusal.
    """
    running(decision.existing())
    decision.emit(MotionEnded("end", None, "league"))


def stop_observing(decision: Decision, player: str) -> None:
    """Stop observing. Raises: Refusal."""
    if player not in decision.existing().observers:
        raise Refusal("observer", sentence("You are not watching this game."))
    decision.emit(ObserverLeft(player))


# --- votes ----------------------------------------------------------------------------------------


def vote(decision: Decision, seat: int, kind: str, *, is_for: bool) -> bool:
    """Vote on an open motion. Return True if the motion was carried. Raises: Refusal.

    To undo moves, `decision.past` must contain the earlier game. Callers must call `settle`
    afterwards.
    """
    if kind in CLOCK:
        return clockwork.vote(decision, seat, kind, is_for=is_for)
    game = playing(decision.existing(), seat)
    motion = motions.open_motion(game, kind)
    if motion is None:
        raise Refusal("not-asked", sentence("There is no such question to vote on."))
    if seat not in (*electorate(game, motion), motion.seat):
        raise Refusal("not-asked", sentence("You are not asked about that."))
    if is_for:
        MOTIONS[kind].check_yes(decision, motion)
    if game.votes.get(kind, {}).get(seat) is is_for:
        raise Refusal("voted", sentence("You have voted so already."))
    decision.emit(VoteCast(seat, kind, is_for))
    if _carry_out_if_decided(decision, kind):
        return True
    if MOTIONS[kind].costs_time:
        _give_time_back(decision, motion.seat)
    return False


def recount(decision: Decision) -> None:
    """Recount open motions after a voter left or was replaced by a bot.

    `Motion.on_recount` decides what happens if the remaining votes would carry a motion.
    """
    game = decision.existing()
    if game.status != "running":
        return
    for motion in game.motions:
        outcome, on_recount = motions.outcome(game, motion), MOTIONS[motion.kind].on_recount
        if outcome == "refused" or (outcome == "carried" and on_recount == "refuse"):
            decision.emit(MotionEnded(motion.kind, None, "refused"))
        elif on_recount == "carry":
            _carry_out_if_decided(decision, motion.kind)
    clockwork.count(decision)


def _carry_out_if_decided(decision: Decision, name: str, *, is_granted: bool = False) -> bool:
    game = decision.existing()
    motion = motions.open_motion(game, name)
    if motion is None or not (is_granted or motions.outcome(game, motion) == "carried"):
        return False
    for event in MOTIONS[name].carry(decision, motion):
        if isinstance(event, SeatRemoved):
            leave(decision, event)
        else:
            decision.emit(event)
        if isinstance(event, MovesRetracted):
            play_forced(decision)
    return True


def _give_time_back(decision: Decision, asker: int) -> None:
    """Restart the time for the current move, because a request of another seat has used some of it."""
    game = decision.existing()
    deadline = game.deadline
    if deadline is None or game.paused_at is not None or set(game.to_act) <= {asker}:
        return
    clockwork.restart(decision, game, "undo")

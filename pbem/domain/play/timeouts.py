"""Apply a game's policy when a player misses a deadline."""

from __future__ import annotations

from typing import assert_never

from engine.api import Seat
from pbem.domain.clock import deadlines
from pbem.domain.log.clock_events import AdminAsked, TurnTimedOut
from pbem.domain.log.seat_events import SeatControllerChanged, SeatRemoved
from pbem.domain.play.decide import MAX_PLIES_PER_STEP, emit_move, leave, play_forced, settle
from pbem.domain.table.clock_folds import excuses_left
from pbem.domain.table.decision import SYSTEM, Decision, running
from pbem.domain.table.motion import voters
from pbem.errors import Refusal


def time_out(decision: Decision, seat: int, deadline: int) -> None:
    """Apply the game's policy to a missed deadline. The policy `wait` does nothing.

    Raises:
        Refusal: with the code `not-due`, if the deadline has been replaced or is not due yet.
    """
    game = decision.existing()
    running_deadline = game.deadline
    if (
        running_deadline is None
        or running_deadline.version != deadline
        or seat not in game.to_act
        or decision.now < running_deadline.fires_at
        or game.waits_for(seat)
        or game.paused_at is not None
        or game.seats[seat].controller != "person"
    ):
        raise Refusal("not-due", "That deadline is not due, or it is settled already.")
    policy = game.timing.on_timeout
    if policy == "wait":
        return
    if policy == "ask":
        if seat not in game.asked:
            decision.emit(AdminAsked(seat, deadline))
        return
    if _note_miss(decision, seat, deadline):
        stand_by(decision, seat)
        settle(decision)
        return
    match policy:
        case "forfeit":
            forfeit(decision, seat)
        case "bot":
            if not _hand_to_bot(decision, seat, "timeout"):
                stand_by(decision, seat)
        case "standby":
            stand_by(decision, seat)
            misses = game.timing.misses
            if misses and decision.existing().seats[seat].misses >= misses:
                _hand_to_bot(decision, seat, "misses")
        case _:
            assert_never(policy)
    settle(decision)


def call_time(decision: Decision, seat: int) -> None:
    """Let a seat that missed its deadline be played for, as an admin. Raises: Refusal.

    This is refused during secret choices, because not even an admin may learn who has chosen
    (GEN-6).
    """
    game = running(decision.existing())
    deadline = game.deadline
    if game.is_choosing:
        raise Refusal(
            "choosing",
            "The seats choose in secret, and nobody may see who has. Give more time, or let a bot"
            " decide for the seat.",
            rule="GEN-6",
        )
    if deadline is None or game.paused_at is not None or seat not in game.to_act:
        raise Refusal(
            "not-due", "No time runs for that seat: it is not to act, or the clock stands."
        )
    if decision.now < deadline.fires_at:
        raise Refusal(
            "not-due",
            f"The time of that seat runs until {deadline.fires_at:%Y-%m-%d %H:%M} UTC; nobody is played"
            " for before.",
        )
    _note_miss(decision, seat, deadline.version)


def _note_miss(decision: Decision, seat: int, deadline: int) -> bool:
    """Record a missed turn. Return True if it is excused, so that it costs neither seat nor bank."""
    is_excused = excuses_left(decision.existing(), seat) > 0
    decision.emit(TurnTimedOut(seat, deadline))
    if not is_excused:
        deadlines.use_bank(decision, [seat])
    return is_excused


def stand_by(decision: Decision, seat: int) -> None:
    """Play safe moves for a seat until its current decision has been made (GEN-7).

    A decision that follows a secret choice is separate: the seat has not had its time for it yet.
    """
    was_choosing = decision.existing().is_choosing
    for _ in range(MAX_PLIES_PER_STEP):
        game = decision.existing()
        if game.outcome() is not None or seat not in game.to_act:
            break
        if game.is_choosing is not was_choosing:
            break
        move = game.ruleset.standby_move(game.state, Seat(seat))
        canonical = game.ruleset.format_move(game.state, Seat(seat), move)
        emit_move(decision, seat, move, canonical, "standby")
    play_forced(decision)


def forfeit(decision: Decision, seat: int) -> None:
    """Remove a seat from the game because its player missed a deadline (GEN-7)."""
    leave(decision, SeatRemoved(seat, "silent"))


def _hand_to_bot(decision: Decision, seat: int, why: str) -> bool:
    """Let a bot decide for an absent player's seat if another human player is active.

    Returns True if it does. If all players are absent, bots do not continue alone: the seats leave,
    and the rules end the game (GEN-7).
    """
    game = decision.existing()
    if game.outcome() is not None:
        return False
    others = [n for n in voters(game) if n != seat]
    if any(not game.seats[number].misses for number in others):
        decision.emit(SeatControllerChanged(seat, "bot", why), actor=SYSTEM)
        return True
    for number, other in enumerate(game.seats):
        if other.controller == "bot" and other.misses and other.status == "joined":
            decision.emit(SeatControllerChanged(number, "person", "asleep"), actor=SYSTEM)
    return False


def replace_by_bot(decision: Decision, seat: int) -> None:
    """Let a bot decide for a seat, as an admin. `settle` must follow. Raises: Refusal."""
    game = running(decision.existing())
    if game.seats[seat].status != "joined":
        raise Refusal("resigned", "That seat has left the game.", rule="GEN-7")
    if game.seats[seat].controller == "bot":
        raise Refusal("bot", "A bot decides for that seat already.")
    decision.emit(SeatControllerChanged(seat, "bot", "admin"))

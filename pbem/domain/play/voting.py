"""Motions: what players ask of each other, vote on, and carry out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from pbem.domain.play import handover
from pbem.domain.play.decide import leave, play_forced
from pbem.domain.table import motions, retraction
from pbem.domain.table.decision import Decision, playing, running
from pbem.domain.table.game import CHOSEN_SOURCES, Game, OpenMotion
from pbem.domain.table.punctuality import missed_in_a_row
from pbem.domain.terms.seats import is_person
from pbem.domain.terms.timing import CHALLENGE, LONGEST_TIME
from pbem.durations import in_words
from pbem.errors import Refusal

_BY_VOTE_ALONE = ("end", "drop")
LEAVING = (SeatResigned, SeatRemoved, SeatControllerChanged)
"""Events after which votes are counted anew."""

# --- taking moves back ----------------------------------------------------------------------------


def place_before(
    events: Sequence[Recorded], game: Game, seat: int, ply: int | None = None
) -> int | None:
    """Return the event after which the table was as before a move.

    None if there is no such move.

    Args:
        events: of the game, from the first on.
        game: as it is now.
        seat: whose last own move is meant, or the secret choice that it shared in.
        ply: number of the move, whoever made it, instead of that.
    """
    moves = [item for item in _effective(events, game) if _is_move(item, seat, ply)]
    if not moves:
        return None
    meant = moves[-1] if ply is None else moves[0]
    return retraction.place_at(events, meant.version - 1)


def _effective(events: Iterable[Recorded], game: Game) -> list[Recorded]:
    """Return the plies that were not taken back."""
    return [
        item
        for item in events
        if isinstance(item.event, MovePlayed | ChoicesRevealed)
        and not any(first <= item.version <= last for first, last in game.retracted)
    ]


def _is_move(item: Recorded, seat: int, ply: int | None) -> bool:
    event = item.event
    if ply is not None:
        return isinstance(event, MovePlayed | ChoicesRevealed) and event.ply >= ply
    if isinstance(event, MovePlayed):
        return event.seat == seat and event.source in CHOSEN_SOURCES
    return isinstance(event, ChoicesRevealed)


def check_undo(game: Game) -> None:
    """Refuse if moves cannot be taken back now. Raises: Refusal."""
    running(game)
    if game.is_choosing:
        raise Refusal(
            "undo",
            sentence("A secret choice needs no undo: until the last one is in, send another one."),
            rule="GEN-6",
        )
    if motions.open_motion(game, "undo") is not None:
        raise Refusal("undo", sentence("That is asked already; all others are to answer."))
    if game.undo_asked == game.position:
        said = sentence("That was asked already since the last move, and not granted.")
        raise Refusal("undo", said)


def ask_for_undo(decision: Decision, seat: int, past: Game) -> bool:
    """Ask the others to take moves back.

    True if it was done at once, since bots do not mind.

    A player cannot decide it alone while bots sit in for all other people: that would let them look at
    cards and go back as often as they like. `settle` must follow, as after a move.

    Args:
        past: the game as it was at the place to go back to.

    Raises: Refusal.
    """
    game = playing(decision.existing(), seat)
    check_undo(game)
    why_not = retraction.why_not(game, past)
    if why_not is not None:
        raise Refusal(
            "undo", sentence("The game cannot go back there: {why_not}.", why_not=why_not)
        )
    _check_company(game, seat, "undo")
    decision.past[past.version] = past
    terms: JsonObject = {"back_to": past.version, "ply": game.ruleset.ply(past.state)}
    decision.emit(MotionOpened("undo", seat, terms))
    return _carry_out_if_decided(decision, "undo")


def _take_back(decision: Decision, motion: OpenMotion) -> None:
    past = decision.past[motion.number("back_to")]
    decision.emit(MovesRetracted(past.version, past.ruleset.ply(past.state), ""))
    play_forced(decision)


def _check_company(game: Game, seat: int, code: str) -> None:
    """Refuse to let one player decide alone while bots sit in for the others. Raises: Refusal."""
    if motions.voters(game) == [seat] and motions.people_away(game):
        raise Refusal(
            code,
            sentence(
                "All others must agree to that, and nobody of them is there: a bot plays for who is"
                " away. Ask again when somebody is back, or ask an admin."
            ),
        )


# --- ending the game ------------------------------------------------------------------------------


def ask_to_end(decision: Decision, seat: int) -> bool:
    """Ask the others to end the game here; True if it is over, since bots do not mind.

    `settle` must follow, as after a move. Raises: Refusal.
    """
    game = playing(decision.existing(), seat)
    _check_choices(game)
    if motions.open_motion(game, "end") is not None:
        raise Refusal("end", sentence("That is asked already; all others are to answer."))
    _check_company(game, seat, "end")
    decision.emit(MotionOpened("end", seat, {}))
    return _carry_out_if_decided(decision, "end")


def end_round(decision: Decision) -> None:
    """End a game of a league whose round is over by its stopping score; `settle` must follow.

    Raises: Refusal.
    """
    running(decision.existing())
    decision.emit(MotionEnded("end", None, "league"))


def _check_choices(game: Game) -> None:
    if game.is_choosing:
        said = sentence("All are choosing just now. Ask again once the choices are turned up.")
        raise Refusal("end", said, rule="GEN-6")


# --- going on without somebody ---------------------------------------------------------------------


def ask_to_drop(decision: Decision, seat: int, of: int) -> bool:
    """Ask the others to go on without a player who is gone; True if it was done at once.

    `settle` must follow, as after a move. Raises: Refusal.
    """
    game = playing(decision.existing(), seat)
    if of == seat:
        raise Refusal("drop", sentence("To leave the game yourself, write resign confirm."))
    _check_gone(decision, game, of)
    if motions.open_motion(game, "drop") is not None:
        raise Refusal("drop", sentence("That is asked about a seat already; answer that first."))
    decision.emit(MotionOpened("drop", seat, {"of": of}))
    return _carry_out_if_decided(decision, "drop")


def _check_gone(decision: Decision, game: Game, of: int) -> None:
    """Refuse to put out anybody who has not missed so many turns in a row. Raises: Refusal."""
    state, drop = game.seats[of], game.timing.drop
    if state.status != "joined":
        raise Refusal("drop", sentence("That seat has left the game already."), rule="GEN-7")
    if not drop:
        raise Refusal("drop", sentence("In this game nobody can be voted out."))
    if not is_person(state.player):
        raise Refusal("drop", sentence("A bot plays there from the start, so nobody is missing."))
    if game.paused_at is not None:
        said = sentence("The clock of this game stands still, so nobody is late.")
        raise Refusal("drop", said)
    if game.is_choosing:
        said = sentence("All are choosing just now. Ask again once the choices are turned up.")
        raise Refusal("drop", said, rule="GEN-6")
    if missed_in_a_row(game, of, decision.now, decision.zones) < drop:
        raise not_gone(game)


def not_gone(game: Game) -> Refusal:
    """Return the refusal to put out somebody who is merely slow."""
    return Refusal(
        "drop",
        sentence(
            "Nobody is put out for being slow. Missed turns in a row, and no mail since: {count} at least.",
            count=game.timing.drop,
        ),
    )


# --- the pace -------------------------------------------------------------------------------------


def propose_tempo(decision: Decision, seat: int, seconds: int) -> bool:
    """Ask for another time per move; True if it was agreed at once. Raises: Refusal."""
    game = playing(decision.existing(), seat)
    if motions.open_motion(game, "tempo") is not None:
        raise Refusal("tempo", sentence("Another pace is voted on already; answer that first."))
    if seconds == game.time_per_move:
        raise Refusal("tempo", sentence("That is the time for a move already."))
    longest = CHALLENGE["time_per_move"] if game.is_challenge else LONGEST_TIME
    if seconds > longest or motions.wrong_tempo(game, seconds) is not None:
        most = in_words(longest)
        raise Refusal("tempo", sentence("There can be at most {most} for a move.", most=most))
    decision.emit(MotionOpened("tempo", seat, {"time_per_move": seconds}))
    return _carry_out_if_decided(decision, "tempo")


# --- observers ------------------------------------------------------------------------------------


def ask_to_observe(decision: Decision, player: str) -> bool:
    """Ask the players to let a person watch; True if they watch at once.

    Raises: Refusal.
    """
    game = running(decision.existing())
    if player in game.observers:
        raise Refusal("observer", sentence("You are watching already."))
    if game.seats_of(player):
        raise Refusal("observer", sentence("You have a seat in this game."))
    if game.timing.observers == "off":
        raise Refusal("observer", sentence("Nobody may watch this game."))
    if motions.open_motion(game, "observer") is not None:
        raise Refusal("observer", sentence("The players are asked about that already."))
    decision.emit(MotionOpened("observer", None, {"player": player}))
    if game.timing.observers == "ask" and motions.voters(game):
        return False
    decision.emit(MotionEnded("observer", None, "carried"))
    return True


def ask_for_replacement(decision: Decision, seat: int, of: int, player: str) -> bool:
    """Ask that a person takes over a seat; True if it was offered at once.

    Raises: Refusal.
    """
    playing(decision.existing(), seat)
    handover.propose(decision, seat, of, player)
    return _carry_out_if_decided(decision, "replace")


def stop_observing(decision: Decision, player: str) -> None:
    """Stop watching. Raises: Refusal."""
    if player not in decision.existing().observers:
        raise Refusal("observer", sentence("You are not watching this game."))
    decision.emit(ObserverLeft(player))


# --- votes ----------------------------------------------------------------------------------------


def vote(decision: Decision, seat: int, kind: str, *, is_for: bool) -> bool:
    """Cast a vote on an open motion; True if it was carried out now. Raises: Refusal.

    To take moves back, `decision.past` must hold the game as it was, and `settle` must follow.
    """
    if kind in CLOCK:
        return clockwork.vote(decision, seat, kind, is_for=is_for)
    game = playing(decision.existing(), seat)
    motion = motions.open_motion(game, kind)
    if motion is None:
        raise Refusal("not-asked", sentence("Nothing of that kind is asked."))
    if seat not in (*motions.electorate(game, motion), motion.seat):
        raise Refusal("not-asked", sentence("You are not asked about that."))
    if kind == "end" and is_for:
        _check_choices(game)
    if kind == "drop" and is_for:
        _check_gone(decision, game, motion.number("of"))
    if game.votes.get(kind, {}).get(seat) is is_for:
        raise Refusal("voted", sentence("You have voted so already."))
    decision.emit(VoteCast(seat, kind, is_for))
    if _carry_out_if_decided(decision, kind):
        return True
    if kind == "undo":
        _give_time_back(decision, motion.seat)
    return False


def count_anew(decision: Decision) -> None:
    """Do what the votes decide after a voter has left or a bot took the seat.

    Only a vote can carry an `undo`, an `end` or a `drop`. One of the latter for which no vote is left is
    off, and can be asked anew.
    """
    game = decision.existing()
    if game.status != "running":
        return
    for motion in game.motions:
        outcome = motions.outcome(game, motion)
        if outcome == "refused" or (motion.kind in _BY_VOTE_ALONE and outcome == "carried"):
            decision.emit(MotionEnded(motion.kind, None, "refused"))
        elif motion.kind not in ("undo", *_BY_VOTE_ALONE):
            _carry_out_if_decided(decision, motion.kind)
    clockwork.count(decision)


def _carry_out_if_decided(decision: Decision, kind: str) -> bool:
    game = decision.existing()
    motion = motions.open_motion(game, kind)
    if motion is None or motions.outcome(game, motion) != "carried":
        return False
    if kind == "undo":
        _take_back(decision, motion)
    elif kind == "replace":
        handover.offer(decision, motion.number("of"), str(motion.terms["player"]))
    else:
        decision.emit(MotionEnded(kind, None, "carried"))
    if kind == "drop":
        leave(decision, SeatRemoved(motion.number("of"), "dropped"))
    return True


def _give_time_back(decision: Decision, asker: int) -> None:
    """Start the time of the seats to act anew.

    Another seat's request has cost them some.
    """
    game = decision.existing()
    deadline = game.deadline
    if deadline is None or game.paused_at is not None or set(game.to_act) <= {asker}:
        return
    clockwork.start_anew(decision, game, "undo")

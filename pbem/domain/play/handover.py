"""Replacing a player: proposed, offered, accepted or declined, and over when the player is back."""

from __future__ import annotations

from datetime import timedelta

from engine.sentences import sentence
from pbem.domain.clock import clockwork
from pbem.domain.log.chain import format_time
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.log.seat_events import SeatControllerChanged, SeatReplaced
from pbem.domain.table import motions
from pbem.domain.table.decision import Decision, running
from pbem.domain.table.game import Game, OpenOffer
from pbem.errors import Refusal

OPEN_FOR = timedelta(days=7)
"""How long a person may think about taking over a seat."""


def check(decision: Decision, seat: int, of: int, player: str | None) -> None:
    """Refuse what cannot be proposed; `player` None = a person not known yet.

    Raises: Refusal.
    """
    game = _free_for(decision, of, player)
    if motions.open_motion(game, "replace") is not None:
        raise Refusal(
            "replace", sentence("That is voted on for a seat already; answer that first.")
        )
    if of != seat and not motions.is_away(game, of):
        raise Refusal(
            "replace",
            sentence(
                "Who plays there is not away: only they, or an admin, can hand over the seat."
            ),
        )


def propose(decision: Decision, seat: int, of: int, player: str) -> None:
    """Ask that a person takes over one's own seat, or one whose player is away.

    Raises: Refusal.
    """
    check(decision, seat, of, player)
    decision.emit(MotionOpened("replace", seat, {"of": of, "player": player}))


def offer(decision: Decision, seat: int, player: str) -> None:
    """Offer a seat to a person; until they accept, its player may come back.

    Raises: Refusal.
    """
    _free_for(decision, seat, player)
    until = format_time(decision.now + OPEN_FOR)
    decision.emit(MotionOpened("offer", seat, {"player": player, "expires_at": until}))


def accept(decision: Decision, seat: int, player: str) -> None:
    """Take over one seat; if it is to act, it gets its whole time anew.

    Raises: Refusal.
    """
    offer = _offered(decision, seat, player)
    game = decision.existing()
    if game.seats_of(player):
        raise Refusal("replace", sentence("You have a seat in this game."))
    if offer.while_away and not motions.is_away(game, seat):
        raise _not_offered()
    for one in game.offers:
        if one.player == player and one.seat != seat:
            decision.emit(MotionEnded("offer", one.seat, "declined"))
    decision.emit(SeatReplaced(seat, player, ""))
    clockwork.welcome_back(decision, seat)


def decline(decision: Decision, seat: int, player: str) -> None:
    """Decline to take over a seat. Raises: Refusal."""
    _offered(decision, seat, player)
    decision.emit(MotionEnded("offer", seat, "declined"))


def stay(decision: Decision, seat: int) -> None:
    """End offers of and votes about a seat whose player was away and has written."""
    for kind in motions.ABOUT_A_SEAT:
        motion = motions.open_motion(decision.existing(), kind)
        if motion is not None and motion.number("of") == seat != motion.seat:
            decision.emit(MotionEnded(kind, None, "back"))
    for offer in decision.existing().offers:
        if offer.seat == seat and offer.while_away:
            decision.emit(MotionEnded("offer", seat, "back"))


def expire(decision: Decision, version: int) -> bool:
    """Note that the offer of that version has run out; False if it has not."""
    game = decision.existing()
    for one in game.offers:
        if one.version == version and one.expires_at <= decision.now:
            decision.emit(MotionEnded("offer", one.seat, "expired"))
            return True
    return False


def _offered(decision: Decision, seat: int, player: str) -> OpenOffer:
    for one in decision.existing().offers:
        if (one.seat, one.player) == (seat, player) and decision.now < one.expires_at:
            return one
    raise _not_offered()


def _not_offered() -> Refusal:
    return Refusal("replace", sentence("That seat is not offered to you (any more)."))


def _free_for(decision: Decision, seat: int, player: str | None) -> Game:
    game = running(decision.existing())
    if game.seats[seat].status != "joined":
        raise Refusal("replace", sentence("That seat has left the game."), rule="GEN-7")
    if any(state.player == player for state in game.seats):
        raise Refusal("replace", sentence("That person has a seat in the game already."))
    if any(one.seat == seat and decision.now < one.expires_at for one in game.offers):
        raise Refusal("replace", sentence("Somebody is asked for that seat already."))
    return game


def take_back(decision: Decision, seat: int) -> bool:
    """Hand a seat back to its player, who wrote; True if a bot sat there.

    The seat is no longer offered to others.
    """
    game = decision.existing()
    if game.is_over:
        return False
    if game.seats[seat].controller == "person":
        stay(decision, seat)
        return False
    decision.emit(SeatControllerChanged(seat, "person", "back"))
    return True

"""Offer a seat to a person, who may accept or decline until the seat's player returns."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.clock import clockwork
from pbem.domain.log.motion_events import MotionEnded
from pbem.domain.log.seat_events import SeatControllerChanged, SeatReplaced
from pbem.domain.table.decision import Decision, running
from pbem.domain.table.game import OpenOffer
from pbem.domain.table.motion import is_away
from pbem.domain.table.motion_kinds import offer_of
from pbem.errors import Refusal


def offer(decision: Decision, seat: int, player: str) -> None:
    """Offer a seat to a person. Raises: Refusal.

    The seat's player may return until the person accepts.
    """
    running(decision.existing())
    decision.emit(offer_of(decision, seat, player))


def accept(decision: Decision, seat: int, player: str) -> None:
    """Take over an offered seat. If it is to act, it gets its whole time again.

    Raises: Refusal.
    """
    offer = _offered(decision, seat, player)
    game = decision.existing()
    if game.seats_of(player):
        raise Refusal("replace", sentence("You have a seat in this game."))
    if offer.while_away and not is_away(game, seat):
        raise _not_offered()
    for one in game.offers:
        if one.player == player and one.seat != seat:
            decision.emit(MotionEnded("offer", one.seat, "declined"))
    decision.emit(SeatReplaced(seat, player, ""))
    clockwork.welcome_back(decision, seat)


def decline(decision: Decision, seat: int, player: str) -> None:
    """Decline an offered seat. Raises: Refusal."""
    _offered(decision, seat, player)
    decision.emit(MotionEnded("offer", seat, "declined"))


def stay(decision: Decision, seat: int) -> None:
    """End offers of, and votes about, the seat of an absent player who has written."""
    for motion in decision.existing().motions:
        if motion.terms.get("of") == seat != motion.seat:
            decision.emit(MotionEnded(motion.kind, None, "back"))
    for offer in decision.existing().offers:
        if offer.seat == seat and offer.while_away:
            decision.emit(MotionEnded("offer", seat, "back"))


def expire(decision: Decision, version: int) -> bool:
    """End an offer that has expired. `version` identifies it. False if it has not expired."""
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


def take_back(decision: Decision, seat: int) -> bool:
    """Return a seat to its player after the player wrote. True if a bot was playing the seat.

    Any offer of the seat to another person is withdrawn.
    """
    game = decision.existing()
    if game.is_over:
        return False
    if game.seats[seat].controller == "person":
        stay(decision, seat)
        return False
    decision.emit(SeatControllerChanged(seat, "person", "back"))
    return True

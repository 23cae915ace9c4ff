"""Standing orders: store and cancel them, and execute them when the turn starts.

`decide.settle` calls `carry_out` in the decision that starts the seat's turn. Other players learn
nothing about an order that was not executed.
"""

from __future__ import annotations

from typing import Protocol

from engine.api import Seat
from engine.sentences import sentence
from pbem.domain.log.events import (
    DRAWING_RULED,
    NEXT_ORDERED,
    ChoicesRevealed,
    Hidden,
    MovePlayed,
    is_choice,
)
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table.decision import Decision, playing
from pbem.domain.table.game import Game
from pbem.domain.table.standing_fold import drawing_of, is_due, wanted_by
from pbem.domain.terms.next_order import Fitting, NextOrder, drawing_text, fitting, text_of
from pbem.errors import Refusal
from pbem.games.profile import profile_of

MAX_IN_A_ROW = 1000
"""Safety limit. Orders are used up and a rule draws once a turn, so real chains are far shorter."""

_BEGIN_TURNS = (MovePlayed, ChoicesRevealed, SeatResigned, SeatRemoved)
"""Events that begin turns with standing orders. After a retraction the player is asked instead."""


VOID = Fitting(None, (sentence("another deal has begun since you gave it"),))
"""The result for an order that was given for another deal."""


class Play(Protocol):
    """The signature of `decide.play`."""

    def __call__(self, decision: Decision, seat: int, text: str, *, source: str) -> str:
        """Play one order."""
        ...


# --- giving and cancelling ------------------------------------------------------------------------


def order_next(decision: Decision, seat: int, wanted: NextOrder) -> None:
    """Store an order for a seat's next turn, replacing the previous one."""
    game = playing(decision.existing(), seat)
    standing = game.seats[seat].standing
    if standing.wanted != text_of(wanted) or standing.is_void or is_due(game, seat):
        _tell(decision, seat, NEXT_ORDERED, text_of(wanted))


def cancel_next(decision: Decision, seat: int) -> None:
    """Cancel the standing order for the next turn. Raises: Refusal if there is none."""
    if not playing(decision.existing(), seat).seats[seat].standing.wanted:
        raise Refusal("standing", sentence("You have no standing order for your next turn."))
    _tell(decision, seat, NEXT_ORDERED, "")


def rule_drawing(decision: Decision, seat: int, rule: NextOrder) -> None:
    """Store a seat's rule for drawing. With an empty rule the player decides. Raises: Refusal."""
    game = playing(decision.existing(), seat)
    if not profile_of(game.ruleset.id.name).drawing_examples:
        raise Refusal(
            "standing", sentence("Only in Phase 10 does a turn begin with drawing a card.")
        )
    text = drawing_text(rule)
    if not text and not game.seats[seat].standing.drawing:
        raise Refusal("standing", sentence("You have no rule for drawing."))
    if text != game.seats[seat].standing.drawing:
        _tell(decision, seat, DRAWING_RULED, text)


def _tell(decision: Decision, seat: int, kind: str, text: str) -> None:
    decision.emit_hidden(kind, {"seat": seat, "text": text})


# --- carrying out ---------------------------------------------------------------------------------


def carry_out(decision: Decision, play: Play) -> None:
    """Play the standing orders of the seats whose turn has begun in this decision."""
    began = decision.existing().version - len(decision.events)
    for _ in range(MAX_IN_A_ROW):
        game = decision.existing()
        if game.outcome() is not None or game.is_choosing:
            return
        wanted = ((int(seat), _wanted_now(decision, seat, began)) for seat in game.to_act)
        turn = next(((seat, order) for seat, order in wanted if order is not None), None)
        if turn is None:
            return
        play(decision, turn[0], turn[1], source="standing")


def _wanted_now(decision: Decision, seat: Seat, began: int) -> str | None:
    """Return the standing order to play in a new turn or under a new rule, or None."""
    game = decision.existing()
    if _has_begun(decision, int(seat), began):
        found = fitting_now(game, seat)
        if found is not None and found.order is not None:
            return found.order
        return _drawn(game, seat)
    # a new rule applies to the current turn
    rule = {"seat": int(seat), "text": game.seats[seat].standing.drawing}
    is_new = any(
        isinstance(decided.event, Hidden)
        and decided.event.type == DRAWING_RULED
        and decided.event.payload == rule
        for decided in decision.events
    )
    return _drawn(game, seat) if is_new else None


def _has_begun(decision: Decision, seat: int, began: int) -> bool:
    state = decision.existing().seats[seat]
    if state.status != "joined" or state.controller != "person" or state.decision is None:
        return False
    if state.decision > began:
        event = decision.events[state.decision - began - 1].event
        return isinstance(event, _BEGIN_TURNS) or is_choice(event)
    # the seat that chose last keeps the decision of the choice
    return any(isinstance(decided.event, ChoicesRevealed) for decided in decision.events)


def _drawn(game: Game, seat: Seat) -> str | None:
    """Return the order that follows from a seat's drawing rule, or None."""
    # ignored for a player who missed the last turn
    rule = () if game.seats[seat].misses else drawing_of(game, seat)
    return fitting(rule, game.ruleset, game.state, seat).order if rule else None


def fitting_now(game: Game, seat: int, names: tuple[str, ...] = ()) -> Fitting | None:
    """Check the order for this turn against the position, or None if there is no such order."""
    if not is_due(game, seat) or seat not in game.to_act:
        return None
    if game.seats[seat].standing.is_void:
        return VOID
    wanted = wanted_by(game, seat)
    if wanted is None:
        return Fitting(None, (sentence("it cannot be read any more"),))
    return fitting(wanted, game.ruleset, game.state, Seat(seat), names)

"""How events change standing orders.

They are private: their events may be erased, and no rule of the game depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.api import AnyRuleset, Fact, Seat
from pbem.domain.log.events import DRAWING_RULED, NEXT_ORDERED, Hidden, MovePlayed
from pbem.domain.table.game import Game, SeatState, Standing, with_news, with_seat
from pbem.domain.terms.conditions import Tongue
from pbem.domain.terms.next_order import NextOrder, names_move, read_drawing, read_next
from pbem.errors import Refusal

FACT = "standing_move"
"""Kind of the fact that tells a player what their standing order did."""
CLEARED = "next_cleared"
"""Kind of the fact that tells a player that taking moves back ended their order."""
PRIVATE = frozenset({FACT, CLEARED})
"""Kinds of facts about standing orders, which nobody else ever reads."""


def told(game: Game, event: Hidden) -> Game:
    """Take over a standing order or a rule for drawing, unless it was erased.

    Raises: ValueError.
    """
    if event.type not in (NEXT_ORDERED, DRAWING_RULED):
        return game
    match event.payload:
        case {"seat": int(seat), "text": str(text)} if 0 <= seat < len(game.seats):
            standing = game.seats[seat].standing
        case _:
            raise ValueError("a standing order of no seat")
    if event.type == NEXT_ORDERED:
        standing = Standing(text, turn(game, seat), drawing=standing.drawing)
    else:
        standing = replace(standing, drawing=text)
    return with_seat(game, seat, standing=standing)


def turn(game: Game, seat: int) -> int:
    """Return the decision of a seat in its turn; 0 outside it or if all choose."""
    return 0 if game.is_choosing else game.seats[seat].decision or 0


def is_due(game: Game, seat: int) -> bool:
    """True if a seat's standing order is for its current turn."""
    standing = game.seats[seat].standing
    return bool(standing.wanted) and turn(game, seat) not in (0, standing.given_in)


def wanted_by(game: Game, seat: int) -> NextOrder | None:
    """Read a seat's standing order; None if it has none or it cannot be read."""
    return _read(read_next, game.seats[seat].standing.wanted, game, game.ruleset)


def drawing_of(game: Game, seat: int) -> NextOrder:
    """Read a seat's rule for drawing; empty if it has none or it cannot be read."""
    return _read(read_drawing, game.seats[seat].standing.drawing, game) or ()


def _read(
    read: Callable[..., NextOrder], text: str, game: Game, *rules: AnyRuleset
) -> NextOrder | None:
    try:
        return read(text, Tongue(game.ruleset.id.name), *rules) if text else None
    except Refusal:  # it was understood once, by other words
        return None


def announced(game: Game, event: MovePlayed, version: int) -> Game:
    """Tell a player that their standing order moved; they have not seen it yet.

    An order for this turn counts as their decision, so the turn was not missed; a rule for drawing does
    not.
    """
    seat = Seat(event.seat)
    which = "next" if _is_named(game, event) else "drawing"
    if which == "next":
        game = with_seat(game, seat, misses=0)
    data = {"move": event.move, "which": which}
    return with_news(game, version, [Fact(FACT, seat, {**data}, audience=seat)])


def after_ply(before: Game, after: Game, event: MovePlayed) -> Game:
    """Use up a standing order with the ply of its turn.

    A drawn card or a forced ply leaves it.
    """
    if after.is_over or not is_due(before, event.seat):
        return after
    goes_on = turn(after, event.seat) == turn(before, event.seat)
    is_own = event.source not in ("standing", "forced")
    if goes_on and not is_own and not _is_named(before, event):
        return after
    return with_seat(after, event.seat, standing=used_up(after.seats[event.seat].standing))


def _is_named(game: Game, event: MovePlayed) -> bool:
    wanted = wanted_by(game, event.seat) if is_due(game, event.seat) else None
    return wanted is not None and names_move(
        wanted, game.ruleset, game.state, Seat(event.seat), event.move
    )


def used_up(standing: Standing) -> Standing:
    """Return what is left when the order for the next turn is over."""
    return Standing(drawing=standing.drawing)


def voided(standing: Standing) -> Standing:
    """Return it after another deal: the order was meant for the cards of its own deal."""
    return replace(standing, is_void=True) if standing.wanted else standing


def without_orders(seats: tuple[SeatState, ...]) -> tuple[SeatState, ...]:
    """Return the seats without orders for a next turn: the table has changed."""
    return tuple(replace(seat, standing=used_up(seat.standing)) for seat in seats)

"""Folds of standing orders.

They are private: their events may be erased, and no rule of the game depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.api import AnyRuleset, Fact, Seat
from pbem.domain.log.events import DRAWING_RULED, NEXT_ORDERED, Hidden, MovePlayed
from pbem.domain.table.game import Game, Standing, with_news, with_seat
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import NextOrder, names_move, read_drawing, read_next
from pbem.errors import Refusal

FACT = "standing_move"
"""Kind of the fact that reports to a player what their standing order did."""
CLEARED = "next_cleared"
"""Kind of the fact that reports to a player that a retraction cleared their standing order."""
PRIVATE = frozenset({FACT, CLEARED})
"""Kinds of facts about standing orders, which only their player may read."""


def stored(game: Game, event: Hidden) -> Game:
    """Store a standing order or drawing rule in the seat's state, unless it was erased.

    Raises: ValueError if the payload is invalid.
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
    """Return the version of a seat's current decision. 0 if it has none or choices are secret."""
    return 0 if game.is_choosing else game.seats[seat].decision or 0


def is_due(game: Game, seat: int) -> bool:
    """True if a seat's standing order applies to its current turn."""
    standing = game.seats[seat].standing
    return bool(standing.wanted) and turn(game, seat) not in (0, standing.given_in)


def wanted_by(game: Game, seat: int) -> NextOrder | None:
    """Parse a seat's standing order, or None if it has none or it cannot be parsed."""
    return _read(read_next, game.seats[seat].standing.wanted, game, game.ruleset)


def drawing_of(game: Game, seat: int) -> NextOrder:
    """Parse a seat's drawing rule, or empty if it has none or it cannot be parsed."""
    return _read(read_drawing, game.seats[seat].standing.drawing, game) or ()


def _read(
    read: Callable[..., NextOrder], text: str, game: Game, *rules: AnyRuleset
) -> NextOrder | None:
    try:
        return read(text, TableVocabulary(game.ruleset.id.name), *rules) if text else None
    except Refusal:  # an earlier version of the grammar accepted it
        return None


def announced(game: Game, event: MovePlayed, version: int) -> Game:
    """Add news for a player whose standing order made a ply.

    An order for this turn counts as the player's decision, so the turn was not missed. A drawing
    rule does not.
    """
    seat = Seat(event.seat)
    which = "next" if _is_named(game, event) else "drawing"
    if which == "next":
        game = with_seat(game, seat, misses=0)
    data = {"move": event.move, "which": which}
    return with_news(game, version, [Fact(FACT, seat, {**data}, audience=seat)])


def after_ply(before: Game, after: Game, event: MovePlayed) -> Game:
    """Remove a standing order after a ply in the turn that it applies to.

    The order is kept if the turn continues after a drawn card or a forced ply.
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
    """Return the standing orders without the order for the next turn."""
    return Standing(drawing=standing.drawing)


def voided(standing: Standing) -> Standing:
    """Mark the order for the next turn as void after a new deal."""
    return replace(standing, is_void=True) if standing.wanted else standing

"""How punctual people are: deadlines that they answered, and deadlines that passed."""

from __future__ import annotations

from datetime import datetime

from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.table.game import Game, OpenDeadline, Punctuality, Turns, replace

_NONE = Turns()


def answered(
    game: Game,
    turns: Punctuality,
    number: int,
    deadline: OpenDeadline | DeadlineSet,
    version: int,
    recorded_at: datetime,
    *,
    is_open: bool = True,
) -> None:
    """Count a deadline that a seat answered, unless it was counted as missed already.

    Args:
        game: the game, before the answer.
        turns: what was counted so far; changed in place.
        version: that of the `DeadlineSet`.
        is_open: False if the seats answered in secret, at a time that nobody may know.
    """
    seat = game.seats[number]
    key = (number, seat.player)
    on_time, late, passed = turns.get(key, _NONE)
    is_counted = passed == version or seat.controller == "bot" or number not in deadline.seats
    if is_counted or game.paused_at is not None or seat.status != "joined":
        return
    # Where the log has no event of a deadline that passed, a late answer shows it.
    if game.timing.on_timeout != "wait" or recorded_at <= deadline.fires_at:
        turns[key] = Turns(on_time + 1, late, passed)
    elif is_open and not seat.is_unreachable:
        turns[key] = Turns(on_time, late + 1, passed)


def with_passed(game: Game, number: int) -> Game:
    """Count the running deadline as missed by a seat; unreachable people are not blamed for it."""
    seat, deadline = game.seats[number], game.deadline
    if deadline is None or game.paused_at is not None or seat.controller == "bot":
        return game
    key = (number, seat.player)
    on_time, late, passed = game.turns.get(key, _NONE)
    if number not in deadline.seats or passed == deadline.version:
        return game
    turns = Turns(on_time, late + (not seat.is_unreachable), deadline.version)
    return replace(game, turns={**game.turns, key: turns})

"""Punctuality of players: deadlines met and deadlines missed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.table.game import Game, OpenDeadline, Punctuality, TurnCounts, replace
from pbem.domain.terms import calendar
from pbem.domain.terms.calendar import Days, Vacation

_NONE = TurnCounts()


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
    """Count a deadline that a seat met, unless it was already counted as missed.

    Args:
        game: the game before the answer.
        turns: counts so far. Changed in place.
        version: version of the `DeadlineSet`.
        is_open: False for secret choices, whose time must stay secret.
    """
    seat = game.seats[number]
    key = (number, seat.player)
    on_time, late, passed = turns.get(key, _NONE)
    is_counted = passed == version or seat.controller == "bot" or number not in deadline.seats
    if is_counted or game.paused_at is not None or seat.status != "joined":
        return
    # If the log has no event for a deadline that passed, a late answer shows that it did.
    if game.timing.on_timeout != "wait" or recorded_at <= deadline.fires_at:
        turns[key] = TurnCounts(on_time + 1, late, passed)
    elif is_open and not seat.is_unreachable:
        turns[key] = TurnCounts(on_time, late + 1, passed)


def with_passed(game: Game, number: int) -> Game:
    """Count the running deadline as missed by a seat, except for unreachable players."""
    seat, deadline = game.seats[number], game.deadline
    if deadline is None or game.paused_at is not None or seat.controller == "bot":
        return game
    key = (number, seat.player)
    on_time, late, passed = game.turns.get(key, _NONE)
    if number not in deadline.seats or passed == deadline.version:
        return game
    turns = TurnCounts(on_time, late + (not seat.is_unreachable), deadline.version)
    return replace(game, turns={**game.turns, key: turns})


def days_of(game: Game, seat: int, zones: Mapping[int, str]) -> Days:
    """Return the calendar of a seat's player in a game."""
    vacations = tuple(
        Vacation(date.fromisoformat(first), date.fromisoformat(last))
        for first, last in game.seats[seat].vacations
    )
    return game.timing.days(zones.get(seat, "UTC"), vacations)


def missed_in_a_row(game: Game, seat: int, now: datetime, zones: Mapping[int, str]) -> int:
    """Return the number of consecutive turns that a player has missed.

    If timeouts have no automatic effect (`wait`, `ask`, or a bot plays), each elapsed time per move
    counts as one missed turn. Callers must not use it during secret choices (GEN-6).
    """
    state, deadline = game.seats[seat], game.deadline
    since, more = state.silent_since, 0
    if since is None and deadline is not None and seat in game.to_act:
        is_over = deadline.fires_at < now and not game.waits_for(seat)
        since, more = (deadline.due_at, 1) if is_over else (None, 0)
    if since is None:
        return state.misses
    silence = calendar.passed(since, now, days_of(game, seat, zones))
    return state.misses + more + silence // game.timing.allowed(choosing=False)

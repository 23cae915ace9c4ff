"""When a move is due, when its player is reminded, and when it is too late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pbem.domain.table.game import Game
from pbem.domain.terms.calendar import Days, Vacation, awake, due

LATE_DELIVERY = timedelta(seconds=60)
"""A turn mail that left later than this moves the deadline: late delivery costs no time."""


@dataclass(frozen=True, slots=True)
class Span:
    """The instants of one deadline, as in `DeadlineSet`."""

    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]


def days_of(game: Game, seat: int, zones: Mapping[int, str]) -> Days:
    """Return the calendar of a seat's player in a game."""
    vacations = tuple(
        Vacation(date.fromisoformat(first), date.fromisoformat(last))
        for first, last in game.seats[seat].vacations
    )
    return game.timing.days(zones.get(seat, "UTC"), vacations)


def plan(
    game: Game,
    seats: Iterable[int],
    starts_at: datetime,
    zones: Mapping[int, str],
    allowed: timedelta | None = None,
) -> Span:
    """Return the deadline of seats that are to act: of several, the latest of theirs.

    Args:
        allowed: time without the bank; what the game gives for such a decision if None.

    A bot decides at once. Raises: CalendarError if no time is left between days off.
    """
    timing = game.timing
    time = timing.allowed(choosing=game.is_choosing) if allowed is None else allowed
    base_at = due_at = starts_at
    calendars = []
    for seat in seats:
        if game.seats[seat].controller == "bot":
            continue
        days = days_of(game, seat, zones)
        left = 0 if game.is_choosing else timing.bank - game.seats[seat].bank_used
        base_at = max(base_at, due(starts_at, time, days))
        due_at = max(due_at, due(starts_at, time + timedelta(seconds=left), days))
        calendars.append(days)
    return span(game, starts_at, base_at, due_at, calendars)


def span(
    game: Game, starts_at: datetime, base_at: datetime, due_at: datetime, calendars: Iterable[Days]
) -> Span:
    """Add reminders and grace to a deadline; no reminder falls into quiet hours."""
    reminders = {starts_at + (base_at - starts_at) * p / 100 for p in game.timing.reminders}
    for days in calendars:
        reminders = {awake(reminder, days) for reminder in reminders}
    return Span(
        base_at=base_at,
        due_at=due_at,
        fires_at=due_at + timedelta(seconds=game.timing.grace),
        reminders=tuple(sorted(reminder for reminder in reminders if reminder < due_at)),
    )


def bank_left(game: Game, seat: int) -> int | None:
    """Return the seconds in the bank of a seat; None without a bank, or in a secret choice."""
    if not game.timing.bank or game.is_choosing:
        return None
    return game.timing.bank - game.seats[seat].bank_used


def is_late(starts_at: datetime, sent_at: datetime, time_per_move: int) -> bool:
    """True if the turn mail left so late that its player would lose noticeable time."""
    tolerance = max(LATE_DELIVERY, timedelta(seconds=time_per_move) / 100)
    return sent_at - starts_at > tolerance

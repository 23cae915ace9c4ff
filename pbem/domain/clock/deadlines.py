"""Compute deadlines, reminders and grace periods, and charge the seats' time banks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.domain.log.clock_events import BankChanged
from pbem.domain.log.events import MovePlayed
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.decision import SYSTEM, Decision
from pbem.domain.table.game import Game, OpenDeadline
from pbem.domain.table.punctuality import days_of
from pbem.domain.terms.calendar import Days, awake, due, passed

LATE_DELIVERY = timedelta(seconds=60)
"""A turn message sent later than this extends the deadline, so that late delivery costs no time."""


class Span(NamedTuple):
    """The times of a deadline, as in `DeadlineSet`."""

    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]


def plan(
    game: Game,
    seats: Iterable[int],
    starts_at: datetime,
    zones: Mapping[int, str],
    allowed: timedelta | None = None,
) -> Span:
    """Compute the deadline shared by the seats that must act.

    The latest seat's deadline applies. Bots get no time.

    Args:
        zones: maps a seat to its IANA time zone. A missing seat uses UTC.
        allowed: time without the bank. None uses the game's setting.

    Raises: CalendarError if days off leave no time for the move.
    """
    timing = game.timing
    if allowed is None and timing.is_fast(starts_at):
        return _fast(game, seats, starts_at)
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


def _fast(game: Game, seats: Iterable[int], starts_at: datetime) -> Span:
    """Compute a deadline in a fast evening: without bank, days off or grace, with one reminder."""
    has_people = any(game.seats[seat].controller != "bot" for seat in seats)
    time = timedelta(seconds=game.timing.fast if has_people else 0)
    due_at = starts_at + time
    return Span(due_at, due_at, due_at, (starts_at + time / 2,) if has_people else ())


def span(
    game: Game, starts_at: datetime, base_at: datetime, due_at: datetime, calendars: Iterable[Days]
) -> Span:
    """Add reminders, outside of quiet hours, and the grace period to a deadline."""
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
    """Return the seconds left in a seat's bank. None without a bank or during a secret choice."""
    if not game.timing.bank or game.is_choosing:
        return None
    return game.timing.bank - game.seats[seat].bank_used


def is_late(starts_at: datetime, sent_at: datetime, time_per_move: int) -> bool:
    """True if the turn message was sent so late that its player would lose noticeable time."""
    tolerance = max(LATE_DELIVERY, timedelta(seconds=time_per_move) / 100)
    return sent_at - starts_at > tolerance


_NOT_OWN = ("bot", "standing", "standby", "forced")
"""Sources of plies that the player did not send now."""


def charge_move(decision: Decision, seat: int, deadline: OpenDeadline | None) -> None:
    """Charge a seat's bank for its first move under a deadline and add the increment once."""
    if _own_moves(decision, seat) == 1:
        _charge(decision, seat, deadline, decision.existing().timing.increment)


def use_bank(decision: Decision, seats: Iterable[int]) -> None:
    """Charge the banks of seats that have not moved when their deadline ends or changes."""
    game = decision.existing()
    if game.is_choosing:  # secret choices have no bank
        return
    for seat in seats:
        if seat in game.to_act and not _own_moves(decision, seat):
            _charge(decision, seat, game.deadline, 0)


def _charge(decision: Decision, seat: int, deadline: OpenDeadline | None, gained: int) -> None:
    game = decision.existing()
    bank = game.timing.bank
    if not bank or deadline is None or seat not in deadline.seats or game.is_over:
        return
    left = bank - game.seats[seat].bank_used
    now_left = min(bank, max(0, left - _used(decision, seat, deadline)) + gained)
    if now_left != left:
        decision.emit(BankChanged(seat, now_left), actor=SYSTEM)


def _used(decision: Decision, seat: int, deadline: OpenDeadline) -> int:
    """Return the seconds used beyond the time per move. A pause charges them when it starts."""
    game = decision.existing()
    was_a_bots = any(
        isinstance(decided.event, SeatControllerChanged) and decided.event.seat == seat
        for decided in decision.events
    )
    is_bots = game.seats[seat].controller == "bot"
    if game.paused_at is not None or game.waits_for(seat) or was_a_bots or is_bots:
        return 0
    days = days_of(game, seat, decision.zones)
    return int(passed(deadline.base_at, decision.now, days).total_seconds())


def _own_moves(decision: Decision, seat: int) -> int:
    return sum(
        isinstance(event := decided.event, MovePlayed)
        and event.seat == seat
        and event.source not in _NOT_OWN
        for decided in decision.events
    )

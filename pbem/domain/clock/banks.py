"""The bank of a seat: its time beside the time per move."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.domain.clock import deadlines
from pbem.domain.log.clock_events import BankChanged
from pbem.domain.log.events import MovePlayed
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.decision import SYSTEM, Decision
from pbem.domain.table.game import OpenDeadline
from pbem.domain.terms.calendar import passed

_NOT_OWN = ("bot", "standing", "standby", "forced")
"""Sources of plies that the player did not send now."""


def move(decision: Decision, seat: int, deadline: OpenDeadline | None) -> None:
    """Charge a seat for its first move under a deadline, and add the increment once."""
    if _own_moves(decision, seat) == 1:
        _charge(decision, seat, deadline, decision.existing().timing.increment)


def use(decision: Decision, seats: Iterable[int]) -> None:
    """Charge seats that did not move before their deadline ends or changes."""
    game = decision.existing()
    if game.is_choosing:  # its time has no bank
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
    """Return the seconds beyond the time for a move; a pause charged them at its start."""
    game = decision.existing()
    was_a_bots = any(
        isinstance(decided.event, SeatControllerChanged) and decided.event.seat == seat
        for decided in decision.events
    )
    is_bots = game.seats[seat].controller == "bot"
    if game.paused_at is not None or game.waits_for(seat) or was_a_bots or is_bots:
        return 0
    days = deadlines.days_of(game, seat, decision.zones)
    return int(passed(deadline.base_at, decision.now, days).total_seconds())


def _own_moves(decision: Decision, seat: int) -> int:
    return sum(
        isinstance(event := decided.event, MovePlayed)
        and event.seat == seat
        and event.source not in _NOT_OWN
        for decided in decision.events
    )

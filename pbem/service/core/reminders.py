"""Compute when players are reminded: at the game's times, or at times that they have chosen."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.domain.log.clock_events import ClockCompensated, DeadlineExtended, DeadlineSet
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.game import Game
from pbem.domain.table.punctuality import days_of
from pbem.domain.terms.calendar import awake
from pbem.service.core import games
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

MOVES_THEM = (DeadlineSet, DeadlineExtended, ClockCompensated, SeatControllerChanged)
"""Events that change when reminders are due."""


def instants(game: Game, seat: int, player: Player | None) -> tuple[datetime, ...]:
    """Return when the reminders of the running deadline are due, in ascending order.

    Quiet hours are avoided. Times count back from the end of the regular time, without the time
    bank. Players with `receipts off` get only the last of a game's reminders.
    """
    deadline = game.deadline
    if deadline is None:
        return ()
    if player is not None and not player.reminders and player.receipts is False:
        return deadline.reminders[-1:]
    if player is None or not player.reminders:
        return deadline.reminders
    days = days_of(game, seat, {seat: player.zone})
    wanted = {
        awake(deadline.base_at - timedelta(minutes=minutes), days) for minutes in player.reminders
    }
    return tuple(sorted(time for time in wanted if deadline.starts_at < time < deadline.due_at))


def arrange(uow: UnitOfWork, game: Game, player: Player, now: datetime) -> None:
    """Schedule the next check of a deadline if its player has set reminder times.

    The log contains only the game's default reminders, because preferences are private.
    """
    for entry in uow.projections.open_deadlines(game.id):
        seat = game.seats[entry.seat]
        if seat.player == player.id and seat.controller != "bot":
            ahead = [time for time in instants(game, entry.seat, player) if time > now]
            uow.projections.move_next_at(entry, min([*ahead, entry.due_at]))


def arrange_all(uow: UnitOfWork, player: Player, now: datetime) -> None:
    """Reschedule the reminders of all running deadlines of a player. Damaged games are skipped."""
    for game in games.of_player(uow, player.id, ("running",)):
        arrange(uow, game, player, now)

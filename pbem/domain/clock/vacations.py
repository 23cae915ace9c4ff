"""Take and end vacations, and move deadlines accordingly."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.sentences import sentence
from pbem.domain.clock import clockwork, deadlines
from pbem.domain.log.clock_events import VacationEnded, VacationTaken
from pbem.domain.table.decision import Decision, playing
from pbem.domain.table.game import Game
from pbem.domain.table.punctuality import days_of
from pbem.domain.terms.calendar import due, passed
from pbem.errors import Refusal


def take(decision: Decision, seat: int, first: date, last: date) -> None:
    """Record a vacation of a player, within the limits of the game. Raises: Refusal.

    A current deadline moves as if the vacation had been known when it was set, by at most the total
    number of days that the game allows. It never falls on days off or into quiet hours.
    """
    game = playing(decision.existing(), seat)
    today = _today(decision, seat)
    if last < first:
        raise Refusal("vacation", sentence("The last day of a vacation comes before the first."))
    if last < today:
        raise Refusal("vacation", sentence("Those days are over already."))
    first = max(first, today)
    taken = _days_taken(game, seat)
    new = {first + timedelta(days=n) for n in range((last - first).days + 1)} - taken
    left = game.timing.max_vacation - len(taken)
    if not new:
        raise Refusal("vacation", sentence("You have told of those days already."))
    if len(new) > left:
        raise Refusal(
            "vacation",
            sentence(
                "That would be {new} days; in this game you have {left} of {most} days of vacation left.",
                new=len(new),
                left=max(0, left),
                most=game.timing.max_vacation,
            ),
        )
    before = game
    game = decision.emit(VacationTaken(seat, first.isoformat(), last.isoformat()))
    deadline = game.deadline
    is_stopped = game.paused_at is not None  # the time left during a pause was computed before
    if deadline is None or is_stopped or seat not in deadline.seats or seat not in game.to_act:
        return
    moves = timedelta(days=game.timing.vacation_moves, seconds=-deadline.vacation_moved)
    span = _as_if_known(decision, before)
    if moves <= timedelta() or span.due_at <= deadline.due_at:
        return
    if span.due_at > deadline.due_at + moves:
        calendars = [
            replace(days_of(game, number, decision.zones), vacations=())
            for number in deadline.seats
        ]
        latest = max(due(deadline.due_at + moves, timedelta(), days) for days in calendars)
        latest = min(latest, span.due_at)
        span = deadlines.span(game, decision.now, min(span.base_at, latest), latest, calendars)
    clockwork.extend(decision, span, "vacation")


def runs_out_at(game: Game, seat: int, last: date, zone: str) -> datetime | None:
    """Return the deadline of a seat's current turn if it falls within the vacation.

    None if the seat has no current turn, or if its deadline is after the last day.
    """
    deadline = game.deadline
    if deadline is None or game.paused_at is not None or game.is_over:
        return None
    if seat not in deadline.seats or seat not in game.to_act:
        return None
    due_on = deadline.due_at.astimezone(ZoneInfo(zone)).date()
    return deadline.due_at if due_on <= last else None


def away_until(game: Game, seat: int, zone: str) -> date | None:
    """Return the last day of the vacation during which a seat's turn ends, or None."""
    for first, last in game.seats[seat].vacations:
        due_at = runs_out_at(game, seat, date.fromisoformat(last), zone)
        if due_at is not None and due_at.astimezone(ZoneInfo(zone)).date().isoformat() >= first:
            return date.fromisoformat(last)
    return None


def _as_if_known(decision: Decision, before: Game) -> deadlines.Span:
    """Return the current deadline as it would be if the vacation had been known when it was set.

    If several seats choose at the same time, the latest of their deadlines is used.

    Args:
        before: the game without the vacation.
    """
    game = decision.existing()
    deadline = clockwork.deadline_of(game)
    starts_at, zones = deadline.starts_at, decision.zones
    if len(deadline.seats) > 1:
        return deadlines.plan(game, deadline.seats, starts_at, zones)
    (seat,) = deadline.seats
    known, days = (days_of(state, seat, zones) for state in (before, game))
    base_at, due_at = (
        due(starts_at, passed(starts_at, instant, known), days)
        for instant in (deadline.base_at, deadline.due_at)
    )
    return deadlines.span(game, starts_at, base_at, due_at, [days])


def come_back(decision: Decision, seat: int) -> None:
    """End a running or planned vacation. A deadline never becomes earlier.

    Raises: Refusal.
    """
    game = playing(decision.existing(), seat)
    today = _today(decision, seat)
    if not any(date.fromisoformat(last) >= today for _, last in game.seats[seat].vacations):
        raise Refusal(
            "vacation", sentence("You are on no vacation."), suggestions=(sentence("undo"),)
        )
    decision.emit(VacationEnded(seat, (today - timedelta(days=1)).isoformat()))


def _days_taken(game: Game, seat: int) -> set[date]:
    taken = set()
    for first_day, last_day in game.seats[seat].vacations:
        first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
        taken |= {first + timedelta(days=n) for n in range((last - first).days + 1)}
    return taken


def _today(decision: Decision, seat: int) -> date:
    return decision.now.astimezone(ZoneInfo(decision.zones.get(seat, "UTC"))).date()

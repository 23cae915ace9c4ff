"""Folds of the clock's events: deadlines, time banks, vacations, pauses."""

from __future__ import annotations

from datetime import date

from engine.api import Fact, Seat
from pbem.domain.log.clock_events import (
    AdminAsked,
    BankChanged,
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    GameResumed,
    TurnTimedOut,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.events import Recorded
from pbem.domain.log.motion_events import CLOCK
from pbem.domain.table.game import Game, OpenDeadline, replace, with_fact, with_news, with_seat
from pbem.domain.table.punctuality import with_passed
from pbem.domain.table.rows import Rows, row, unless

# --- deadlines ------------------------------------------------------------------------------------


def opened(event: DeadlineSet, version: int) -> OpenDeadline:
    """Create the open deadline from a `DeadlineSet` event."""
    return OpenDeadline(
        version,
        event.seats,
        event.starts_at,
        event.base_at,
        event.due_at,
        event.fires_at,
        event.reminders,
    )


def _extended(game: Game, event: DeadlineExtended, item: Recorded) -> Game:
    before = game.deadline
    game = _later(game, event)
    if event.reason == "vacation" and before is not None and game.deadline is not None:
        moved = before.vacation_moved + int((event.due_at - before.due_at).total_seconds())
        game = replace(game, deadline=replace(game.deadline, vacation_moved=moved))
    return with_fact(game, item.version, "deadline_extended", data={"reason": event.reason})


def _compensated(game: Game, event: ClockCompensated, item: Recorded) -> Game:
    game = replace(_later(game, event), compensated=event.end)
    for number, seat in enumerate(game.seats):
        if seat.silent_since is not None and seat.silent_since < event.end:
            later = seat.silent_since + (event.end - event.begin)
            game = with_seat(game, number, silent_since=later)
    minutes = round((event.end - event.begin).total_seconds() / 60)
    return with_fact(game, item.version, "compensated", data={"minutes": minutes})


def _later(game: Game, event: DeadlineExtended | ClockCompensated) -> Game:
    if game.deadline is None:  # pragma: no cover  (refused before)
        return game
    deadline = replace(
        game.deadline,
        base_at=event.base_at,
        due_at=event.due_at,
        fires_at=event.fires_at,
        reminders=event.reminders,
    )
    return replace(game, deadline=deadline, asked=())


def _against_extension(game: Game, event: DeadlineExtended | ClockCompensated) -> str | None:
    if game.deadline is None or game.deadline.version != event.deadline:
        return "that deadline is not open"
    if isinstance(event, ClockCompensated) and event.begin >= event.end:
        return "a gap of no time"
    return "it makes the deadline earlier" if event.due_at < game.deadline.due_at else None


def _timed_out(game: Game, event: TurnTimedOut, item: Recorded) -> Game:
    """Count a missed turn, or excuse it. The ply played for the seat is reported separately."""
    game = with_passed(game, event.seat)
    state, left = game.seats[event.seat], excuses_left(game, event.seat)
    if not left:
        return with_seat(game, event.seat, misses=state.misses + 1)
    game = with_seat(game, event.seat, excused=(*state.excused, 0))
    of, moves = game.timing.excused
    seat, data = Seat(event.seat), {"left": left - 1, "of": of, "moves": moves}
    return with_news(game, item.version, [Fact("miss_excused", seat, {**data}, audience=seat)])


def excuses_left(game: Game, seat: int) -> int:
    """Return how many more missed turns of a seat can be excused."""
    of = game.timing.excused[0] if game.timing.excused else 0
    return of - len(game.seats[seat].excused)


def _against_timeout(game: Game, event: TurnTimedOut | AdminAsked) -> str | None:
    if game.deadline is None or game.deadline.version != event.deadline:
        return "that deadline is not open"
    if isinstance(event, TurnTimedOut) and event.seat not in game.to_act:
        return "the seat is not to act"
    return None


def _extension_asked(game: Game, event: AdminAsked, item: Recorded) -> Game:
    # A silent seat has not chosen, and no one may find out who has (GEN-6).
    seat = Seat(event.seat)
    fact = Fact("admin_asked", seat, {}, seat if game.is_choosing else None)
    game = with_passed(game, event.seat)
    return with_news(replace(game, asked=(*game.asked, event.seat)), item.version, [fact])


def _bank_changed(game: Game, event: BankChanged, item: Recorded) -> Game:
    before = game.timing.bank - game.seats[event.seat].bank_used
    game = with_seat(game, event.seat, bank_used=game.timing.bank - event.left)
    data = {"left": event.left, "used": before - event.left}
    return with_fact(game, item.version, "bank_changed", event.seat, {**data})


# --- vacations and pauses -------------------------------------------------------------------------


def _away(game: Game, event: VacationTaken, item: Recorded) -> Game:
    vacations = (*game.seats[event.seat].vacations, (event.first, event.last))
    game = with_seat(game, event.seat, vacations=vacations)
    data = {"first": event.first, "last": event.last}
    return with_fact(game, item.version, "vacation", event.seat, {**data})


def _back(game: Game, event: VacationEnded, item: Recorded) -> Game:
    """Cut vacations off after the given day. Vacations that would begin later are dropped."""
    end = date.fromisoformat(event.last)
    left = tuple(
        (first, min(date.fromisoformat(last), end).isoformat())
        for first, last in game.seats[event.seat].vacations
        if date.fromisoformat(first) <= end
    )
    game = with_seat(game, event.seat, vacations=left)
    return with_fact(game, item.version, "vacation_ended", event.seat)


def _paused(game: Game, event: GamePaused, item: Recorded) -> Game:
    then = tuple(seat.vacations for seat in game.seats)
    game = replace(game, paused_at=item.recorded_at, paused_by=event.by, vacations_then=then)
    data = {"by": event.by, "reason": event.reason}
    return with_fact(_without_votes(game), item.version, "paused", data={**data})


def _resumed(game: Game, event: GameResumed, item: Recorded) -> Game:
    for number, seat in enumerate(game.seats):
        if seat.silent_since is not None and game.paused_at is not None:
            stood = item.recorded_at - max(game.paused_at, seat.silent_since)
            game = with_seat(game, number, silent_since=seat.silent_since + stood)
    game = replace(game, paused_at=None, paused_by="", vacations_then=())
    return with_fact(_without_votes(game), item.version, "resumed", data={"by": event.by})


def _without_votes(game: Game) -> Game:
    """Drop the votes on pausing and resuming. Other motions continue."""
    left = {kind: given for kind, given in game.votes.items() if kind not in CLOCK}
    return replace(game, votes=left)


ROWS: Rows = {
    **row(
        DeadlineSet,
        lambda game, event, item: replace(
            game, compensated=None, asked=(), deadline=opened(event, item.version)
        ),
        unless(lambda game, event: event.seats == game.to_decide, "other seats are to act"),
    ),
    **row(DeadlineExtended, _extended, _against_extension),
    **row(ClockCompensated, _compensated, _against_extension),
    **row(TurnTimedOut, _timed_out, _against_timeout),
    **row(AdminAsked, _extension_asked, _against_timeout, by_player=True),
    **row(
        BankChanged,
        _bank_changed,
        unless(lambda game, event: 0 <= event.left <= game.timing.bank, "no bank holds so much"),
        by_player=True,
    ),
    **row(
        VacationTaken,
        _away,
        unless(
            lambda _, event: date.fromisoformat(event.first) <= date.fromisoformat(event.last),
            "no vacation",
        ),
        by_player=True,
    ),
    **row(VacationEnded, _back, by_player=True),
    **row(
        GamePaused,
        _paused,
        unless(lambda game, _: game.paused_at is None, "the clock is so already"),
    ),
    **row(
        GameResumed,
        _resumed,
        unless(lambda game, _: game.paused_at is not None, "the clock is so already"),
    ),
}

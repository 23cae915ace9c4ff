"""What the events of time change in a game: banks, vacations, votes, pauses, who decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any, TypeAlias

from engine.api import Fact, Seat
from pbem.domain.log.clock_events import (
    AdminAsked,
    BankChanged,
    GamePaused,
    GameResumed,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.events import Recorded, VoteCast
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.table.game import Game, with_news, with_seat
from pbem.domain.table.motions import CLOCK, voted

TimedEvent: TypeAlias = (
    BankChanged
    | VacationTaken
    | VacationEnded
    | VoteCast
    | GamePaused
    | GameResumed
    | SeatControllerChanged
    | AdminAsked
)


def timed(game: Game, recorded: Recorded) -> Game:
    """Apply an event of time; news for everybody where it is one."""
    version, event = recorded.version, recorded.event
    match event:
        case BankChanged(seat=seat, left=left):
            return with_seat(game, seat, bank_used=game.timing.bank - left)
        case VacationTaken(seat=seat, first=first, last=last):
            vacations = (*game.seats[seat].vacations, (first, last))
            return _told(
                with_seat(game, seat, vacations=vacations),
                version,
                "vacation",
                seat,
                {"first": first, "last": last},
            )
        case VacationEnded(seat=seat, last=last):
            ended = _until(game.seats[seat].vacations, last)
            return _told(with_seat(game, seat, vacations=ended), version, "vacation_ended", seat)
        case VoteCast():
            return voted(game, recorded, event)
        case GamePaused(by=by):
            then = tuple(one.vacations for one in game.seats)
            game = replace(game, paused_at=recorded.recorded_at, vacations_then=then)
            game = _clock_voted(replace(game, paused_by=by))
            return _told(game, version, "paused", None, {"by": by, "reason": event.reason})
        case GameResumed(by=by):
            return _told(
                _clock_voted(replace(game, paused_at=None, paused_by="", vacations_then=())),
                version,
                "resumed",
                None,
                {"by": by},
            )
        case SeatControllerChanged(seat=seat, controller=controller, why=why):
            misses = 0 if why == "back" else game.seats[seat].misses
            game = with_seat(game, seat, controller=controller, misses=misses)
            return _told(game, version, f"{controller}_decides", seat, {"why": why})
        case AdminAsked(seat=seat):
            # who is silent has not chosen, and nobody may see who has (GEN-6)
            audience = Seat(seat) if game.is_choosing else None
            fact = Fact("admin_asked", Seat(seat), {}, audience)
            return with_news(replace(game, asked=(*game.asked, seat)), version, [fact])
        case _:
            raise AssertionError(f"{type(event).__name__} is no event of time")


def _clock_voted(game: Game) -> Game:
    """Forget the votes about the clock's standing still; other motions go on."""
    left = {kind: given for kind, given in game.votes.items() if kind not in CLOCK}
    return replace(game, votes=left)


def _told(
    game: Game, version: int, kind: str, seat: int | None, data: dict[str, Any] | None = None
) -> Game:
    who = None if seat is None else Seat(seat)
    return with_news(game, version, [Fact(kind, who, data or {})])


def _until(vacations: tuple[tuple[str, str], ...], last: str) -> tuple[tuple[str, str], ...]:
    """Cut vacations off after a day; what had not begun by then is gone."""
    end = date.fromisoformat(last)
    return tuple(
        (first, min(date.fromisoformat(until), end).isoformat())
        for first, until in vacations
        if date.fromisoformat(first) <= end
    )

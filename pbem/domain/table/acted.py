"""What the acts of an admin, and disputes, change in a game, beside moves that are taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from engine.api import Fact, JsonObject, Seat
from pbem.domain.log.events import (
    Adjudicated,
    DisputeOpened,
    DisputeResolved,
    GameFinished,
    HandsRevealedToAdmin,
    ReasonGiven,
    Recorded,
)
from pbem.domain.log.seat_events import SeatReplaced
from pbem.domain.table.game import REVEALED, Game, OpenDispute, Standing, with_news, with_seat
from pbem.domain.terms.occupants import controller_of, first_status

ActEvent: TypeAlias = (
    Adjudicated
    | DisputeOpened
    | DisputeResolved
    | HandsRevealedToAdmin
    | ReasonGiven
    | SeatReplaced
)


def acted(game: Game, recorded: Recorded) -> Game:
    """Apply one of these events; news for everybody."""
    event = recorded.event
    if isinstance(event, Adjudicated):
        finished = GameFinished(event.ranking, "adjudicated", None, event.server_secret)
        game = replace(ended(game, "finished"), finished=finished)
        return _told(game, recorded, "adjudicated", None, {"with_judge": event.with_judge})
    if isinstance(event, DisputeOpened):
        dispute = OpenDispute(event.number, event.seat, recorded.version)
        game = replace(game, disputes=(*game.disputes, dispute), disputed=event.number)
        fact = Fact("dispute_opened", Seat(event.seat), {"number": event.number})
        return with_news(game, recorded.version, [fact])
    if isinstance(event, DisputeResolved):
        left = tuple(dispute for dispute in game.disputes if dispute.number != event.number)
        data: JsonObject = {"number": event.number, "reason": event.text}
        return with_news(
            replace(game, disputes=left), recorded.version, [Fact("dispute_resolved", None, data)]
        )
    if isinstance(event, HandsRevealedToAdmin):
        return _told(game, recorded, REVEALED, None, {})
    if isinstance(event, ReasonGiven):
        return _told(game, recorded, "reason_given", None, {})
    if isinstance(event, SeatReplaced):
        was = game.seats[event.seat]
        is_act = recorded.actor.startswith("admin:")
        return _told(
            _replaced(game, event, recorded.version),
            recorded,
            "seat_replaced" if is_act else "seat_taken_over",
            event.seat,
            {"was": was.player},
        )
    raise AssertionError(f"{type(event).__name__} is no act of an admin")


def ended(game: Game, status: str) -> Game:
    """End a game: nobody has anything to decide any more."""
    seats = tuple(replace(seat, decision=None, standing=Standing()) for seat in game.seats)
    return replace(game, status=status, deadline=None, seats=seats)


def _replaced(game: Game, event: SeatReplaced, version: int) -> Game:
    """Seat another person: what the first one's silence, votes and days away meant is over."""
    seat = game.seats[event.seat]
    votes = {
        kind: {voter: is_for for voter, is_for in given.items() if voter != event.seat}
        for kind, given in game.votes.items()
    }
    game = with_seat(
        replace(game, votes=votes),
        event.seat,
        player=event.player,
        generation=seat.generation + 1,
        is_unreachable=False,
        misses=0,
        vacations=(),
        controller=controller_of(event.player),
        standing=Standing(),
        muted=(),
        seen=version,
        decision=None if seat.decision is None else version,
    )
    left = tuple(one for one in game.observers if one != event.player)
    game = replace(game, observers=left)
    if game.status == "inviting":  # the new person is asked like any other
        status = first_status(event.player)
        game = with_seat(game, event.seat, status=status, phrase=None, seen=0)
    return game


def _told(game: Game, recorded: Recorded, kind: str, seat: int | None, data: JsonObject) -> Game:
    event = recorded.event
    said: JsonObject = {
        **data,
        "admin": recorded.actor.removeprefix("admin:"),
        "reason": getattr(event, "reason", ""),
    }
    fact = Fact(kind, None if seat is None else Seat(seat), said)
    return with_news(game, recorded.version, [fact])

"""Sends reminders of invitations, lets them expire, and gives up unfilled games.

Offers of seats in running games expire as well.

Several processes can run it, late or twice: the log under the game's lock decides what is
done, and every mail has its own key.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from pbem.domain.play import handover, seating
from pbem.domain.table.decision import CLOCK
from pbem.domain.table.game import Game
from pbem.errors import (
    LogError,
    Refusal,
    UnknownStreamError,
    UpcastError,
    VersionConflictError,
)
from pbem.mail_out.kinds import INVITATION, SeatingParams
from pbem.service.change import changing, lock
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_for_seat
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.invitations import Invitation

log = structlog.get_logger(__name__)

DECIDE = timedelta(days=7)
"""Time in which the maker of a game can decide about a vacant seat."""
AT_ONCE = 100


def look(service: Service) -> int:
    """Do what is due; return the number of invitations that were handled."""
    with service.store.reading() as uow:
        due = uow.invitations.due(service.now(), AT_ONCE)
    return sum(_look_at(service, one) for one in due)


def _look_at(service: Service, one: Invitation) -> bool:
    try:
        with service.store.unit_of_work() as uow:
            lock(uow, one.game_id)
            newest = uow.invitations.of(one.game_id, one.seat)
            if newest is None or newest.next_at is None or newest.next_at > service.now():
                return False  # another process was here
            if newest.version != one.version:
                uow.invitations.look_again(one, None)
                return False
            return _decide(service, uow, newest)
    except VersionConflictError:
        return False  # somebody answered in the meantime: the next look decides again
    except (LogError, UpcastError, UnknownStreamError, Refusal) as error:
        log.error(
            "invitation not looked at", action="log_broken", game=one.game_id, error=str(error)
        )
        with service.store.unit_of_work() as uow:
            uow.invitations.look_again(one, service.now() + games.PAUSE)
            if not isinstance(error, Refusal):
                games.note_stopped(service, uow, one.game_id)
        return False


def _decide(service: Service, uow: UnitOfWork, one: Invitation) -> bool:
    game, now = games.load(uow, one.game_id), service.now()
    limits = service.config.limits
    if game.status == "running" and _offer_runs_out(service, uow, game, one):
        return True
    seat = game.seats[one.seat]
    if (
        game.league
        or game.status != "inviting"
        or seat.status == "joined"
        or seat.player != one.player_id
    ):
        uow.invitations.look_again(one, None)
        return False
    if seat.status in ("declined", "expired"):
        return _give_up(service, uow, game, one, now)
    expires, reminder = (
        one.since + limits.invitation_expires,
        one.since + limits.invitation_reminder,
    )
    if now >= expires:
        _record(service, uow, game, one.seat, is_given_up=not game.creator or game.is_challenge)
        return True
    is_reminded = seat.status != "open" and limits.invitation_reminder and reminder < expires
    if not is_reminded:
        uow.invitations.look_again(one, expires)
        return False
    if now < reminder:
        uow.invitations.look_again(one, reminder)
        return False
    key = f"{game.id}:{one.version}:invitation:{one.seat}:again"
    mail = Mailing(INVITATION, SeatingParams(again=True), key)
    queue_for_seat(service, uow, game, one.seat, mail)
    uow.invitations.look_again(one, expires)
    return True


def _offer_runs_out(service: Service, uow: UnitOfWork, game: Game, one: Invitation) -> bool:
    """Tell the table that the player who was offered a seat did not answer in time."""
    with changing(service, uow, game.id, actor=CLOCK, cause=None) as change:
        return handover.expire(change.decision, one.version)


def _give_up(service: Service, uow: UnitOfWork, game: Game, one: Invitation, now: datetime) -> bool:
    """Abandon a game if its maker, who was asked, did not fill the seat in time."""
    at = one.since + DECIDE
    if now < at:
        uow.invitations.look_again(one, at)
        return False
    with changing(service, uow, game.id, actor=CLOCK, cause=None) as change:
        seating.call_off(change.decision, "expired")
    return True


def _record(service: Service, uow: UnitOfWork, game: Game, seat: int, *, is_given_up: bool) -> None:
    with changing(service, uow, game.id, actor=CLOCK, cause=None) as change:
        seating.expire(change.decision, seat)
        if is_given_up:
            seating.call_off(change.decision, "expired")
    log.info("invitation expired", action="invitation_expired", game=game.id, seat=seat)

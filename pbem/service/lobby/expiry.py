"""Send reminders of invitations, expire them, and abandon games that cannot be filled.

Offers of seats in running games expire here as well.

Processing is idempotent: it may run late, twice or concurrently, because the log is read again
under the game's lock and every message has a key.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from pbem.domain.league.ladder import COUNTS, LAPSES
from pbem.domain.play import handover, seating
from pbem.domain.table.decision import CLOCK
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_out.kinds import INVITATION
from pbem.service.change import changing, lock, set_apart
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.notify import mailings
from pbem.service.notify.intentions import Mailing, queue_for_seat
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.lobby_rows import Invitation

log = structlog.get_logger(__name__)

DECIDE = timedelta(days=7)
"""Time in which the creator of a game can decide about a vacant seat."""
AT_ONCE = 100
DAY = timedelta(days=1)
HELD_GRACE = timedelta(hours=12)
"""How long a held answer to a challenge postpones its expiry."""
WAIT_FOR_ANSWER = timedelta(minutes=5)
"""Interval at which to recheck a challenge whose answer has not been processed yet."""


def process_due(service: Service) -> int:
    """Process due invitations, and return how many were reminded, expired or abandoned."""
    with service.store.reading() as uow:
        due = uow.invitations.due(service.now(), AT_ONCE)
    return sum(_process(service, one) for one in due)


def _process(service: Service, one: Invitation) -> bool:
    def put_off(uow: UnitOfWork) -> None:
        uow.invitations.schedule_check(one, service.now() + games.PAUSE)
        games.note_stopped(service, uow, one.game_id)

    with set_apart(service, one.game_id, put_off):
        try:
            return _check(service, one)
        except Refusal as error:
            # the game itself can continue, so it is not reported as stopped
            log.error("invitation not checked", action="fault", game=one.game_id, error=error.code)
            with service.store.unit_of_work() as uow:
                uow.invitations.schedule_check(one, service.now() + games.PAUSE)
    return False


def _check(service: Service, one: Invitation) -> bool:
    with service.store.unit_of_work() as uow:
        lock(uow, one.game_id)
        newest = uow.invitations.of(one.game_id, one.seat)
        if newest is None or newest.next_at is None or newest.next_at > service.now():
            return False  # another process has handled it
        if newest.version != one.version:
            uow.invitations.schedule_check(one, None)
            return False
        return _decide(service, uow, newest)


def _decide(service: Service, uow: UnitOfWork, invitation: Invitation) -> bool:
    game, now = games.load(uow, invitation.game_id), service.now()
    if game.status == "running" and _offer_runs_out(service, uow, game, invitation):
        return True
    seat = game.seats[invitation.seat]
    if (
        game.league
        or game.status != "inviting"
        or seat.status == "joined"
        or seat.player != invitation.player_id
    ):
        uow.invitations.schedule_check(invitation, None)
        return False
    if seat.status in ("declined", "expired"):
        return _give_up(service, uow, game, invitation, now)
    if game.is_challenge and uow.inbox.has_open_in_time(
        game.id, invitation.seat, now, held_after=now - HELD_GRACE
    ):
        uow.invitations.schedule_check(invitation, now + WAIT_FOR_ANSWER)
        return False
    expires = _expires_at(service, uow, game, invitation)
    if now >= expires:
        _record(
            service, uow, game, invitation.seat, is_given_up=not game.creator or game.is_challenge
        )
        return True
    reminder = _reminded_at(service, game, invitation)
    if seat.status == "open" or reminder is None or reminder >= expires:
        uow.invitations.schedule_check(invitation, _next_look(game, invitation, now, expires))
        return False
    if now < reminder:
        uow.invitations.schedule_check(invitation, reminder)
        return False
    key = f"{game.id}:{invitation.version}:invitation:{invitation.seat}:again"
    params = replace(mailings.last_invitation(uow, game, invitation.seat), again=True)
    mail = Mailing(INVITATION, params, key)
    queue_for_seat(service, uow, game, invitation.seat, mail)
    uow.invitations.schedule_check(invitation, _next_look(game, invitation, now, expires))
    return True


def _expires_at(service: Service, uow: UnitOfWork, game: Game, invitation: Invitation) -> datetime:
    """Return when an invitation expires.

    A challenge expires three days after its message was sent, extended by downtime of the service.
    A player whom no message reached gets the usual time, and its expiry has no effect on the
    ladder.
    """
    usual = service.config.limits.invitation_expires
    if not game.is_challenge:
        return invitation.since + usual
    sent = [mail.sent_at for mail in uow.outbox.sent_to(game.id, invitation.seat) if mail.sent_at]
    if not sent or uow.deliverability.unreachable(invitation.player_id) is not None:
        return invitation.since + max(usual, COUNTS + DAY)
    expires = max(invitation.since, min(sent)) + LAPSES
    for gap in uow.outages.within(invitation.since, service.now()):
        if gap.begin < expires:
            expires += gap.end - max(gap.begin, invitation.since)
    return expires


def _reminded_at(service: Service, game: Game, invitation: Invitation) -> datetime | None:
    """Return when to send a reminder of an invitation, or None for never."""
    after = service.config.limits.invitation_reminder
    if not after:
        return None
    return invitation.since + (LAPSES / 2 if game.is_challenge else after)


def _next_look(game: Game, invitation: Invitation, now: datetime, expires: datetime) -> datetime:
    """Return when to check an invitation next.

    Usually this is its expiry. A challenge is also checked `LAPSES` after it was made, because its
    expiry depends on when its message was sent.
    """
    lapses = invitation.since + LAPSES
    return min(expires, lapses) if game.is_challenge and now < lapses else expires


def _offer_runs_out(service: Service, uow: UnitOfWork, game: Game, invitation: Invitation) -> bool:
    """Let the offer of a seat in a running game expire. Return False if it has not expired."""
    with changing(service, uow, game.id, actor=CLOCK, cause=None) as change:
        return handover.expire(change.decision, invitation.version)


def _give_up(
    service: Service, uow: UnitOfWork, game: Game, invitation: Invitation, now: datetime
) -> bool:
    """Abandon a game if its creator did not fill a vacant seat in time."""
    expires_at = invitation.since + DECIDE
    if now < expires_at:
        uow.invitations.schedule_check(invitation, expires_at)
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

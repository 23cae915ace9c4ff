"""Sending what is due: claim with a lease, render once, keep the bytes, hand them on, mark.

At least once, always with the same Message-ID and the same bytes. A mail whose decision is over is
superseded; a fault of ours delays a mail and never refuses a move.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

import structlog

from pbem.domain import clockwork
from pbem.domain.deadlines import is_late
from pbem.domain.tokens import BounceToken
from pbem.errors import (
    LogError,
    PermanentDeliveryError,
    StoreError,
    TransientDeliveryError,
    UnknownStreamError,
    UpcastError,
    VersionConflictError,
)
from pbem.mail_out.deliver import Delivery
from pbem.service import alerts, contents, games, merging, reach, rendering
from pbem.service.context import Service
from pbem.service.intentions import ANONYMOUS
from pbem.service.mailings import DECISION_KINDS, QUIET, TALK
from pbem.store.outgoing import Outgoing
from pbem.store.pauses import NEXT_SERVER
from pbem.store.uow import UnitOfWork

log = structlog.get_logger(__name__)

T = TypeVar("T")

CONFLICT_TRIES = 20
BATCH = 20
FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)
TROUBLE_TRIES = 3
"""How often a step is tried when the database is in trouble that may pass."""
GIVE_UP_AFTER = timedelta(days=5)
"""As long as mail servers try (RFC 5321 §4.5.4.1)."""


async def send_due(
    service: Service, delivery: Delivery, *, should_stop: Callable[[], bool] = lambda: False
) -> int:
    """Send everything that is due; give how many mails were handed on.

    Once `should_stop` says so, it ends after the mails that are being sent and claims no more.
    """
    sent = 0
    while not should_stop() and (rows := await asyncio.to_thread(_claim, service)):
        async with delivery:
            sent += await _send_batch(service, delivery, rows, should_stop)
    return sent


async def _send_batch(
    service: Service, delivery: Delivery, rows: list[Outgoing], should_stop: Callable[[], bool]
) -> int:
    """Send mails, several at once; what is left when it is time to stop is given back."""
    waiting = deque(rows)

    async def work() -> int:
        sent = 0
        while waiting and not should_stop():
            sent += await _send_one(service, delivery, waiting.popleft())
        return sent

    workers = min(service.settings.connections, len(rows))
    results = await asyncio.gather(*(work() for _ in range(workers)), return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    if waiting:
        await asyncio.to_thread(_give_back, service, list(waiting))
    return sum(result for result in results if isinstance(result, int))


def retry_after(attempts: int) -> timedelta:
    """Give the pause after so many failed attempts (from 1): doubling, up to two hours."""
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def server_pause(failures: int) -> timedelta:
    """Give the pause after so many failures of the next server itself: it is asked oftener."""
    doublings = min(max(failures - 1, 0), 20)
    return min(FIRST_SERVER_PAUSE * (1 << doublings), LONGEST_SERVER_PAUSE)


def _claim(service: Service) -> list[Outgoing]:
    with service.store.unit_of_work() as uow:
        return uow.outbox.claim_due(service.now(), service.settings.lease, BATCH)


def _give_back(service: Service, rows: list[Outgoing]) -> None:
    with service.store.unit_of_work() as uow:
        for row in rows:
            uow.outbox.release(row)


async def _send_one(service: Service, delivery: Delivery, row: Outgoing) -> bool:
    try:
        until = service.now() + service.settings.lease
        prepared = await _insist(lambda: _prepare(service, row, until))
    except Exception as error:  # noqa: BLE001  (a template or a log at fault must not stop the others)
        log.error(
            "mail not rendered", action="render_failed", outbox=row.id, error=repr(type(error))
        )
        await asyncio.to_thread(_render_later, service, row, f"rendering: {type(error).__name__}")
        return False
    if prepared is None:
        return False
    raw, rcpt_to = prepared
    mail_from = service.tokens.address(BounceToken(row.id))
    try:
        await delivery.send(raw, mail_from, rcpt_to)
    except TransientDeliveryError as error:
        log.warning("delivery put off", action="delivery_retry", outbox=row.id)
        await asyncio.to_thread(_put_off, service, row, rcpt_to, error)
        return False
    except PermanentDeliveryError as error:
        log.error("delivery failed", action="delivery_failed", outbox=row.id)
        await asyncio.to_thread(_fail, service, row, error)
        return False
    sent_at = service.now()
    await _insist(lambda: _mark_sent(service, row, rcpt_to, sent_at))
    log.info("mail sent", action="mail_sent", outbox=row.id, kind=row.kind)
    return True


async def _insist(step: Callable[[], T]) -> T:
    """Carry out a step in a thread; passing trouble of the database, a broken connection, is no end.

    The step may have been committed when the trouble came: it must do no harm to do it again.
    """
    for _ in range(TROUBLE_TRIES - 1):
        try:
            return await asyncio.to_thread(step)
        except (UnknownStreamError, UpcastError):
            raise  # does not pass by itself
        except StoreError as error:
            log.warning("database trouble", action="store_error", error=str(error))
    return await asyncio.to_thread(step)


def _prepare(service: Service, row: Outgoing, until: datetime) -> tuple[bytes, str] | None:
    """Render a mail once and keep its bytes; None if it is not sent now, or not ours any more.

    The lease counts from here anew: a batch may take long, and a mail that another worker claimed
    meanwhile is that worker's.
    """
    with service.store.unit_of_work() as uow:
        if not uow.outbox.renew(row, until):
            return None
        row = _brought_up(uow, row)
        if is_superseded(uow, row):
            uow.outbox.mark_superseded(row.id)
            return None
        if reach.is_unwanted(uow, row):
            uow.outbox.cancel(row.id, "the reader cannot be reached, or wants no mails")
            return None
        rcpt_to = _recipient(uow, row)
        raw = row.rendered
        if raw is None:
            raw = uow.outbox.keep_rendered(row.id, rendering.render(service, uow, row, rcpt_to))
        pause = uow.pauses.until(_domain_of(rcpt_to), service.now())
        if pause is not None:
            uow.outbox.put_off(row.id, pause)
            return None
        return raw, rcpt_to


def _brought_up(uow: UnitOfWork, row: Outgoing) -> Outgoing:
    """Let a mail that tells what was said show its game as it is now: it may have waited long."""
    if row.kind not in (TALK, ANONYMOUS) or row.game_id is None or row.rendered is not None:
        return row
    version = games.load(uow, row.game_id).version
    uow.outbox.bring_up_to(row.id, version)
    return replace(row, version=version)


def _recipient(uow: UnitOfWork, row: Outgoing) -> str:
    if row.player_id is None:
        return row.rcpt_to or ""
    if row.kind in ("confirm_address", merging.KIND):
        return str(row.params["to"])
    addresses = uow.players.addresses(row.player_id)
    if not addresses:
        raise StoreError("the player has no address")
    return addresses[0]


def is_superseded(uow: UnitOfWork, row: Outgoing) -> bool:
    """Say whether a mail has nothing left to say: its decision is over, or others have said it."""
    if row.kind in (TALK, ANONYMOUS):
        return not contents.has_talk(uow, row)
    if row.kind not in DECISION_KINDS or row.game_id is None or row.seat is None:
        return False
    game = games.load(uow, row.game_id)
    if game.status == "moved":
        return True
    if row.kind == "turn" and row.version is not None and row.version < game.position:
        return True
    return game.seats[row.seat].decision != row.decision


def _domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


def _render_later(service: Service, row: Outgoing, error: str) -> None:
    """Put off a mail that our own fault keeps from being rendered."""
    now = service.now()
    with service.store.unit_of_work() as uow:
        _retry_or_give_up(service, uow, row, now, now + retry_after(row.failures + 1), error)
        alerts.note_unrendered(service, uow, row, error)


def _put_off(service: Service, row: Outgoing, rcpt_to: str, error: TransientDeliveryError) -> None:
    """Try a mail again later; leave its domain, or the next server, alone for a while."""
    now = service.now()
    with service.store.unit_of_work() as uow:
        at = now + retry_after(row.failures + 1)
        if error.scope == "server":
            at = uow.pauses.extend(NEXT_SERVER, now, server_pause)
        elif error.scope == "recipient" and not _is_about_mailbox(error.status):
            at = max(at, uow.pauses.extend(_domain_of(rcpt_to), now, retry_after))
        _retry_or_give_up(service, uow, row, now, at, str(error))


def _is_about_mailbox(status: str | None) -> bool:
    """Say whether a code is about one address or mailbox (RFC 3463 §3.2, §3.3), not its server."""
    return status is not None and status.split(".")[1] in ("1", "2")


def _retry_or_give_up(
    service: Service, uow: UnitOfWork, row: Outgoing, now: datetime, at: datetime, error: str
) -> None:
    if now - row.created_at > GIVE_UP_AFTER:
        uow.outbox.mark_failed(row.id, error, now)
        alerts.note_given_up(service, uow, row, error)
    else:
        uow.outbox.retry_at(row.id, at, error)


def _fail(service: Service, row: Outgoing, error: PermanentDeliveryError) -> None:
    """Give up on a mail; a refused reader is a bounce, anything else a matter for the admins."""
    with service.store.unit_of_work() as uow:
        uow.outbox.mark_failed(row.id, str(error), service.now())
        if error.scope == "recipient":
            reach.note_refusal(service, uow, row, error.status)
        else:
            alerts.note_refused(service, uow, row, str(error))


def _mark_sent(service: Service, row: Outgoing, rcpt_to: str, sent_at: datetime) -> None:
    """Note that a mail has left and, with that, when its reader's clock starts; once."""
    for _ in range(CONFLICT_TRIES):
        try:
            with service.store.unit_of_work() as uow:
                uow.pauses.end(_domain_of(rcpt_to))
                if uow.outbox.mark_sent(row.id, sent_at):
                    _start_clock_late(service, uow, row, sent_at)
        except VersionConflictError:
            continue  # somebody moved meanwhile: look again at what is to be answered by when
        return
    raise VersionConflictError(f"{CONFLICT_TRIES} writers in a row were first")


def _start_clock_late(service: Service, uow: UnitOfWork, row: Outgoing, now: datetime) -> None:
    """Move the deadline of a seat whose turn mail left late.

    Only the first mail that shows the decision counts: answers to later questions and mistakes buy
    nobody time. A game whose log is at fault is no reason to send its mails again and again.
    """
    if row.game_id is None or row.seat is None or row.decision is None or row.kind == "reminder":
        return
    try:
        game = games.load(uow, row.game_id)
    except (LogError, UpcastError) as error:
        log.error("deadline not moved", action="log_broken", game=row.game_id, error=str(error))
        return
    deadline = game.deadline
    if (
        deadline is None
        or row.seat not in game.to_act
        or game.seats[row.seat].controller == "bot"
        or game.seats[row.seat].decision != row.decision
        or row.version is None
        or row.version < deadline.version
        or not is_late(deadline.starts_at, now, game.time_per_move)
        or _was_told(uow, row, deadline.version)
    ):
        return
    decision = games.begin(uow, service, game, actor="clock", cause=None, now=now)
    clockwork.extend_for_delivery(decision)
    games.record(uow, decision)


def _was_told(uow: UnitOfWork, row: Outgoing, since: int) -> bool:
    """Say whether an earlier mail (version >= `since`) showed the seat its decision already."""
    if row.game_id is None or row.seat is None:
        return False
    return any(
        mail.status == "sent" and mail.id != row.id and (mail.version or 0) >= since
        for mail in uow.outbox.sent_to(row.game_id, row.seat, unless=QUIET)
    )

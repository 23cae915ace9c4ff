"""Sending what is due: claim with a lease, render once, keep the bytes, hand them on, mark.

At least once, always with the same Message-ID and the same bytes. A mail whose decision is over is
superseded; a fault of ours delays a mail and never refuses a move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

import structlog

from pbem.domain import decide
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
from pbem.mail_out.compose import MailHead, compose
from pbem.mail_out.content import ServiceMail
from pbem.mail_out.deliver import Delivery
from pbem.service import contents, games
from pbem.service.context import Service
from pbem.service.mailings import DECISION_KINDS
from pbem.store.outbox import Outgoing
from pbem.store.uow import UnitOfWork

log = structlog.get_logger(__name__)

T = TypeVar("T")

CONFLICT_TRIES = 20
BATCH = 20
FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
TROUBLE_TRIES = 3
"""How often a step is tried when the database is in trouble that may pass."""
GIVE_UP_AFTER = timedelta(days=5)
"""As long as mail servers try (RFC 5321 §4.5.4.1)."""


async def send_due(
    service: Service, delivery: Delivery, *, should_stop: Callable[[], bool] = lambda: False
) -> int:
    """Send everything that is due; give how many mails were handed on.

    Once `should_stop` says so, it ends after the mail that is being sent and claims no more.
    """
    sent = 0
    while not should_stop() and (rows := await asyncio.to_thread(_claim, service)):
        async with delivery:
            for number, row in enumerate(rows):
                if should_stop():
                    await asyncio.to_thread(_give_back, service, rows[number:])
                    break
                sent += await _send_one(service, delivery, row)
    return sent


def retry_after(attempts: int) -> timedelta:
    """Give the pause after so many failed attempts (from 1): doubling, up to two hours."""
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


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
        await asyncio.to_thread(
            _put_off, service, row, f"rendering: {type(error).__name__}: {error}"
        )
        return False
    if prepared is None:
        return False
    raw, rcpt_to = prepared
    mail_from = service.tokens.address(BounceToken(row.id))
    try:
        await delivery.send(raw, mail_from, rcpt_to)
    except TransientDeliveryError as error:
        log.warning("delivery put off", action="delivery_retry", outbox=row.id)
        await asyncio.to_thread(_put_off, service, row, str(error))
        return False
    except PermanentDeliveryError as error:
        log.error("delivery failed", action="delivery_failed", outbox=row.id)
        await asyncio.to_thread(_fail, service, row, str(error))
        return False
    sent_at = service.now()
    await _insist(lambda: _mark_sent(service, row, sent_at))
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
    """Render a mail once and keep its bytes; None if it is superseded, or not ours any more.

    The lease counts from here anew: a batch may take long, and a mail that another worker claimed
    meanwhile is that worker's.
    """
    with service.store.unit_of_work() as uow:
        if not uow.outbox.renew(row, until):
            return None
        if is_superseded(uow, row):
            uow.outbox.mark_superseded(row.id)
            return None
        rcpt_to = _recipient(uow, row)
        raw = row.rendered
        if raw is None:
            raw = uow.outbox.keep_rendered(row.id, render(service, uow, row, rcpt_to))
        return raw, rcpt_to


def _recipient(uow: UnitOfWork, row: Outgoing) -> str:
    if row.player_id is None:
        return row.rcpt_to or ""
    addresses = uow.players.addresses(row.player_id)
    if not addresses:
        raise StoreError("the player has no address")
    return addresses[0]


def is_superseded(uow: UnitOfWork, row: Outgoing) -> bool:
    """Say whether a mail has nothing left to say: its decision is over."""
    if row.kind not in DECISION_KINDS or row.game_id is None or row.seat is None:
        return False
    game = games.load(uow, row.game_id)
    if row.kind == "turn" and row.version is not None and row.version < game.position:
        return True
    return game.seats[row.seat].decision != row.decision


def render(service: Service, uow: UnitOfWork, row: Outgoing, rcpt_to: str) -> bytes:
    """Build the bytes of a mail."""
    content = contents.build(service, uow, row)
    rendered = service.renderer.render(content)
    position = None if isinstance(content, ServiceMail) else (content.head, content.version)
    return compose(
        rendered,
        MailHead(
            sender_name=service.settings.name,
            sender=content.reply_to,
            recipient=rcpt_to,
            message_id=row.message_id,
            date=row.created_at,
            own_address=service.own_address,
            root=f"{row.game_id}.{row.seat}@{service.message_domain}" if position else None,
            answers=row.answers,
            automatic="auto-replied" if row.answers else "auto-generated",
            game_id=row.game_id,
            head=position[0] if position else None,
            version=position[1] if position else None,
        ),
    )


def _put_off(service: Service, row: Outgoing, error: str) -> None:
    now = service.now()
    with service.store.unit_of_work() as uow:
        if now - row.created_at > GIVE_UP_AFTER:
            uow.outbox.mark_failed(row.id, error)
        else:
            uow.outbox.retry_at(row.id, now + retry_after(row.failures + 1), error)


def _fail(service: Service, row: Outgoing, error: str) -> None:
    with service.store.unit_of_work() as uow:
        uow.outbox.mark_failed(row.id, error)


def _mark_sent(service: Service, row: Outgoing, sent_at: datetime) -> None:
    """Note that a mail has left and, with that, when its reader's clock starts; once."""
    for _ in range(CONFLICT_TRIES):
        try:
            with service.store.unit_of_work() as uow:
                if uow.outbox.mark_sent(row.id, sent_at):
                    _start_clock_late(uow, row, sent_at)
        except VersionConflictError:
            continue  # somebody moved meanwhile: look again at what is to be answered by when
        return
    raise VersionConflictError(f"{CONFLICT_TRIES} writers in a row were first")


def _start_clock_late(uow: UnitOfWork, row: Outgoing, now: datetime) -> None:
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
        or game.seats[row.seat].decision != row.decision
        or row.version is None
        or row.version < deadline.version
        or not is_late(deadline.starts_at, now, game.time_per_move)
        or _was_told(uow, row, deadline.version)
    ):
        return
    decision = decide.decision_on(game, actor="clock", cause=None, now=now)
    decide.extend_for_delivery(decision)
    games.record(uow, decision)


def _was_told(uow: UnitOfWork, row: Outgoing, since: int) -> bool:
    """Say whether an earlier mail (version >= `since`) showed the seat its decision already."""
    if row.game_id is None or row.seat is None:
        return False
    return any(
        mail.status == "sent" and mail.id != row.id and (mail.version or 0) >= since
        for mail in uow.outbox.sent_to(row.game_id, row.seat)
    )

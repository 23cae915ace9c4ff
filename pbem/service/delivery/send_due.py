"""Send due messages: claim with a lease, render once, store, hand over, mark as sent.

Each message is sent at least once, always with the same Message-ID and bytes. A message whose
decision has been made is superseded. An internal error delays a message but never loses a move. The
time of sending is recorded once and starts the reader's clock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import structlog

from pbem.domain.clock import clockwork
from pbem.domain.clock.deadlines import is_late
from pbem.domain.terms.tokens import BounceToken
from pbem.errors import (
    DeliveryError,
    LogError,
    StoreAwayError,
    StoreError,
    UpcastError,
    VersionConflictError,
    place_of,
)
from pbem.mail_out.deliver import Delivery
from pbem.mail_out.kinds import ALERT, PING, QUIET, REMINDER
from pbem.service.change import LASTING, TROUBLE_TRIES, Change, retried
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.delivery import failures
from pbem.service.delivery.prepare import Ready, domain_of, make_ready
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import REFUSED
from pbem.store.rows.core import Outgoing

log = structlog.get_logger(__name__)

T = TypeVar("T")

CLAIM_SIZE = 10
"""Number of messages that are claimed and rendered together."""
MAX_SENT = 1000
"""Maximum number of messages sent before other work runs and a heartbeat is written."""
MAX_UNRECORDED = 5
"""Maximum number of sent messages that are not recorded yet.

Further messages wait for the database.
"""
BATCH_SECONDS = 1.0
"""Seconds after which sent messages are recorded. All of them share a transaction."""


async def send_due(
    service: Service,
    delivery: Delivery,
    *,
    limit: int = MAX_SENT,
    should_stop: Callable[[], bool] = lambda: False,
    are_pings: bool = False,
) -> int:
    """Send due messages, about `limit` at most. Return the number handed over.

    With `are_pings`, only pings are sent, so that pings and messages never delay each other. The
    provider's daily limit applies to messages only. Once `should_stop` returns True, no more
    messages are claimed and the current messages are finished.
    """
    sendings: list[_Sending] = []
    if service.config.smtp.mails_a_day and not are_pings:
        limit = min(limit, await asyncio.to_thread(_left_today, service))

    def sent() -> int:
        return sum(sending.sent for sending in sendings)

    def is_over() -> bool:
        return should_stop() or sent() >= limit

    async with delivery:
        while not is_over() and (rows := await asyncio.to_thread(_claim, service, are_pings)):
            sendings.append(_Sending(service, delivery, is_over, are_pings=are_pings))
            await sendings[-1].run(rows)
    return sent()


def _left_today(service: Service) -> int:
    """Return how many more messages the provider accepts in the current 24 hours."""
    with service.store.reading() as uow:
        sent = uow.outbox.sent_since(service.now() - timedelta(days=1))
    left = service.config.smtp.mails_a_day - sent
    if left <= 0:
        log.warning("daily mail limit reached", action="daily_limit_reached", sent=sent)
    return left


class _Sending:
    """Send claimed messages. Rendering, sending and recording run concurrently.

    Each of `connections` workers repeatedly takes a rendered message and sends it. One task renders
    the next messages, and another task records sent messages.

    Attributes:
        sent: number of messages accepted by the next server.
    """

    def __init__(
        self,
        service: Service,
        delivery: Delivery,
        should_stop: Callable[[], bool],
        *,
        are_pings: bool,
    ) -> None:
        self.sent = 0
        self._are_pings = are_pings
        self._service = service
        self._delivery = delivery
        self._should_stop = should_stop
        self._claimed: list[Outgoing] = []
        self._unrendered: list[Outgoing] = []
        """Claimed messages that could not be rendered because the database was unavailable."""
        self._rendered: deque[tuple[Ready, int]] = deque()
        """Rendered messages, each with the number of failures at the time of rendering."""
        self._rendering: asyncio.Task[list[tuple[Ready, int]]] | None = None
        self._is_all_claimed = False
        self._unrecorded: list[Sent] = []
        self._recording: asyncio.Task[None] | None = None
        self._is_batch_full = asyncio.Event()
        """Set to record the sent messages immediately, without waiting for more."""
        self._failures = 0
        """Number of delivery failures. Messages rendered before a failure are rendered again."""

    async def run(self, rows: list[Outgoing]) -> None:
        """Send these messages and messages due after them. On exit, release the unsent messages."""
        self._claimed, self._is_all_claimed = rows, len(rows) < CLAIM_SIZE
        workers = (self._work() for _ in range(self._service.config.smtp.connections))
        results = await asyncio.gather(*workers, return_exceptions=True)
        results += await asyncio.gather(self._finish_rendering(), return_exceptions=True)
        results += await asyncio.gather(self._record_all(), return_exceptions=True)
        left = [*self._claimed, *self._unrendered, *(mail.row for mail, _ in self._rendered)]
        if left:
            await asyncio.to_thread(_release, self._service, left)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    async def _work(self) -> None:
        while (mail := await self._next()) is not None:
            await self._deliver(mail)

    async def _next(self) -> Ready | None:
        """Return a rendered message, and start rendering more. Return None at the end."""
        while not self._should_stop():
            if self._rendered:
                mail, failures_before = self._rendered.popleft()
                if failures_before != self._failures or self._may_expire(mail):
                    self._claimed.append(mail.row)
                    continue
                self._start_rendering()
                return mail
            self._start_rendering()
            if self._rendering is None:
                return None
            await self._collect_rendered(self._rendering)
        return None

    def _may_expire(self, mail: Ready) -> bool:
        """True if the lease may expire while the message is being sent."""
        until = mail.row.lease_until
        return until is None or until - self._service.now() < self._service.lease / 2

    def _start_rendering(self) -> None:
        """Start a task that renders more messages, unless one is running or none are left."""
        if self._rendering is None and (self._claimed or not self._is_all_claimed):
            self._rendering = asyncio.create_task(self._render())

    async def _render(self) -> list[tuple[Ready, int]]:
        """Render the claimed messages, or claim new ones if there are none."""
        rows, self._claimed = self._claimed, []
        if not rows:
            rows = await asyncio.to_thread(_claim, self._service, self._are_pings)
            self._is_all_claimed = len(rows) < CLAIM_SIZE
        failures_before = self._failures
        try:
            ready = await _render_all(self._service, rows)
        except StoreAwayError:
            self._unrendered += rows
            raise
        return [(mail, failures_before) for mail in ready]

    async def _collect_rendered(self, task: asyncio.Task[list[tuple[Ready, int]]]) -> None:
        """Wait for a rendering task, and collect its messages unless another worker has done so."""
        await asyncio.wait([task])
        if self._rendering is task:
            self._rendering = None
            self._rendered.extend(task.result())

    async def _finish_rendering(self) -> None:
        if self._rendering is not None:
            await self._collect_rendered(self._rendering)

    async def _deliver(self, mail: Ready) -> None:
        """Send a message, and record the success or failure."""
        row, service = mail.row, self._service
        try:
            await self._send(mail)
        except DeliveryError as error:
            await self._record_all()  # a success recorded later would end the new pause
            is_over = await asyncio.to_thread(
                failures.note_failure, service, row, mail.rcpt_to, error
            )
            if is_over:
                log.error("delivery failed", action="delivery_failed", outbox=row.id)
            else:
                log.warning("delivery deferred", action="delivery_retry", outbox=row.id)
            self._failures += 1
        else:
            self.sent += 1
            self._unrecorded.append(Sent(row, mail.rcpt_to, service.now()))
            await self._start_recording()

    async def _send(self, mail: Ready) -> None:
        """Hand a message to the next server, and extend its lease in the meantime.

        An alert has our plain address as its envelope sender, because it may report that the server
        rejects our other addresses.
        """
        row, service = mail.row, self._service
        mail_from = service.tokens.shown(service.tokens.address(BounceToken(row.id)))
        if row.kind == ALERT.name:
            mail_from = service.own_address
        sending = asyncio.ensure_future(self._delivery.send(mail.raw, mail_from, mail.rcpt_to))
        try:
            while not (await asyncio.wait([sending], timeout=service.lease.total_seconds() / 3))[0]:
                row = await asyncio.to_thread(_renew_lease, service, row)
        finally:
            sending.cancel()
        sending.result()

    async def _start_recording(self) -> None:
        """Start a task that records the sent messages. Wait for it if there are too many."""
        if self._recording is not None and self._recording.done():
            self._recording.result()
            self._recording = None
        if self._recording is None:
            self._recording = asyncio.create_task(self._record_soon())
        if len(self._unrecorded) >= MAX_UNRECORDED:
            self._is_batch_full.set()
            await asyncio.wait([self._recording])

    async def _record_all(self) -> None:
        """Record all sent messages now."""
        while self._recording is not None and not self._recording.done():
            self._is_batch_full.set()
            await asyncio.wait([self._recording])
        await self._record()
        if self._recording is not None:
            self._recording.result()

    async def _record_soon(self) -> None:
        """Wait until the batch is full or `BATCH_SECONDS` have passed, then record the sent messages."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BATCH_SECONDS):
                await self._is_batch_full.wait()
        self._is_batch_full.clear()
        await self._record()
        if self._unrecorded:  # further messages were sent in the meantime
            self._recording = asyncio.create_task(self._record_soon())

    async def _record(self) -> None:
        sent, self._unrecorded = self._unrecorded, []
        if sent:
            await record_sent(self._service, sent)
        for mail in sent:
            log.info("mail sent", action="mail_sent", outbox=mail.row.id, kind=mail.row.kind)


def _claim(service: Service, are_pings: bool) -> list[Outgoing]:
    with service.store.unit_of_work() as uow:
        return uow.outbox.claim_due(service.now(), service.lease, CLAIM_SIZE, are_pings=are_pings)


def _renew_lease(service: Service, row: Outgoing) -> Outgoing:
    """Extend the lease of a message that is being sent, if it is still ours."""
    until = service.now() + service.lease
    with service.store.unit_of_work() as uow:
        return row.changed(lease_until=until) if uow.outbox.renew(row, until) else row


def _release(service: Service, rows: list[Outgoing]) -> None:
    with service.store.unit_of_work() as uow:
        for row in rows:
            uow.outbox.release(row)


async def _render_all(service: Service, rows: list[Outgoing]) -> list[Ready]:
    """Render a batch of messages, or each message separately if that fails.

    A faulty message therefore does not stop the others.

    Raises: StoreAwayError if the database is unavailable.
    """
    until = service.now() + service.lease
    if len(rows) > 1:
        try:
            return await asyncio.to_thread(make_ready, service, rows, until)
        except Exception as error:  # noqa: BLE001  (after any error, the messages are tried one by one)
            log.info(
                "batch failed; retrying messages one at a time",
                action="one_by_one",
                error=repr(type(error)),
            )
    ready: list[Ready] = []
    for row in rows:
        try:
            ready += await insist(partial(make_ready, service, [row], until))
        except StoreAwayError:
            raise
        except Exception as error:  # noqa: BLE001  (a bad template or log must not stop the others)
            log.error(
                "mail not rendered", action="render_failed", outbox=row.id, error=repr(type(error))
            )
            await asyncio.to_thread(failures.render_later, service, row, error)
    return ready


@dataclass(frozen=True, slots=True)
class Sent:
    """A message accepted by the next server.

    Attributes:
        at: when it was accepted.
    """

    row: Outgoing
    rcpt_to: str = field(repr=False)
    at: datetime


async def record_sent(service: Service, sent: list[Sent]) -> None:
    """Record a batch of messages as sent, or each message separately if that fails.

    Raises: the first error, after trying all messages.
    """
    if len(sent) > 1:
        try:
            await asyncio.to_thread(_mark_sent, service, sent)
        except Exception as error:  # noqa: BLE001  (after any error, the messages are tried one by one)
            log.warning(
                "batch failed; retrying messages one at a time",
                action="one_by_one",
                error=repr(type(error)),
            )
        else:
            return
    problems: list[Exception] = []
    for mail in sent:
        try:
            await _record_one(service, mail)
        except (StoreError, VersionConflictError) as error:
            problems.append(error)
    if problems:
        raise problems[0]


async def _record_one(service: Service, mail: Sent) -> None:
    """Record a message as sent, even if an internal error prevents moving its deadline."""
    try:
        await insist(partial(_mark_sent, service, [mail]))
    except (StoreError, VersionConflictError):
        raise
    except Exception as error:  # noqa: BLE001  (a message that is not recorded would be sent again and again)
        log.error(
            "deadline not moved",
            action="clock_fault",
            game=mail.row.game_id,
            error=type(error).__name__,
            place=place_of(error),
        )
        await insist(partial(_mark_sent, service, [mail], starts_clocks=False))


async def insist(step: Callable[[], T]) -> T:
    """Run a function in a thread, and retry it after temporary database errors.

    The function must be safe to repeat, because it may have been committed when the error occurred.
    """
    for _ in range(TROUBLE_TRIES - 1):
        try:
            return await asyncio.to_thread(step)
        except LASTING:
            raise  # retrying does not help
        except StoreError as error:
            log.warning("database error", action="store_error", error=str(error))
    return await asyncio.to_thread(step)


def _mark_sent(service: Service, sent: Sequence[Sent], *, starts_clocks: bool = True) -> None:
    """Record messages as sent and start the clocks of their readers. Can be repeated safely."""

    def mark(uow: UnitOfWork) -> None:
        domains = {domain_of(mail.rcpt_to) for mail in sent if mail.row.kind != PING.name}
        if any(mail.row.kind not in (ALERT.name, PING.name) for mail in sent):
            # an alert has another envelope sender, so it does not show that we are accepted
            domains.add(REFUSED)
        if domains:
            uow.pauses.end(domains)
        for mail in sent:
            if uow.outbox.mark_sent(mail.row.id, mail.at) and starts_clocks:
                _start_clock_late(service, uow, mail.row, mail.at)

    retried(service, mark)


def _start_clock_late(service: Service, uow: UnitOfWork, row: Outgoing, now: datetime) -> None:
    """Extend the deadline of a seat whose turn message was sent late.

    Only the first message that shows the decision counts, so that later questions and mistakes give
    no extra time. A reminder counts if the turn message was abandoned. A damaged game log does not
    prevent recording.
    """
    if row.game_id is None or row.seat is None or row.decision is None:
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
        or (
            row.kind == REMINDER.name
            and not uow.outbox.has_failed(row.game_id, row.seat, deadline.version)
        )
        or _was_shown(uow, row, deadline.version)
    ):
        return
    decision = games.begin(service, uow, game, actor="clock", cause=None, now=now)
    clockwork.extend_for_delivery(decision)
    # without the game's lock: the message must be recorded even if the game is locked
    Change(service, uow, game, decision).finish()


def _was_shown(uow: UnitOfWork, row: Outgoing, since: int) -> bool:
    """True if an earlier message (version >= `since`) already showed the decision."""
    if row.game_id is None or row.seat is None:
        return False
    return any(
        mail.status == "sent" and mail.id != row.id and (mail.version or 0) >= since
        for mail in uow.outbox.sent_to(row.game_id, row.seat, unless=QUIET)
    )

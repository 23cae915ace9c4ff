"""Send due messages: claim with a lease, render once, store, hand over, mark as sent.

Each message is sent at least once, always with the same Message-ID and bytes. A message whose
decision has been made is superseded. An internal error delays a message but never loses a move. The
time of sending is recorded once and starts the reader's clock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

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
    source_location,
)
from pbem.mail_out.deliver import Delivery
from pbem.mail_out.kinds import ALERT, PING, QUIET, REMINDER
from pbem.service.change import TROUBLE_TRIES, Change, insist, retried
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.delivery import failures
from pbem.service.delivery.prepare import Prepared, domain_of, make_ready
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import REFUSED
from pbem.store.rows.core import OutboxMail

log = structlog.get_logger(__name__)

CLAIM_SIZE = 10
"""Number of messages that are claimed and rendered together."""
MAX_SENT = 1000
"""Maximum number of messages sent before other work runs and a heartbeat is written."""
MAX_UNRECORDED = 5
"""Number of sent messages at which they are recorded. Workers with a sent message wait for that."""
RECORD_SECONDS = 1.0
"""Seconds after which sent messages are recorded, however few they are."""


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
    if service.config.smtp.mails_a_day and not are_pings:
        limit = min(limit, await asyncio.to_thread(_left_today, service))
    sending = _Sending(service, delivery, limit, should_stop, are_pings)
    async with delivery:
        await sending.run()
    return sending.sent


def _left_today(service: Service) -> int:
    """Return how many more messages the provider accepts in the current 24 hours."""
    with service.store.reading() as uow:
        sent = uow.outbox.sent_since(service.now() - timedelta(days=1))
    left = service.config.smtp.mails_a_day - sent
    if left <= 0:
        log.warning("daily mail limit reached", action="daily_limit_reached", sent=sent)
    return left


Sent = tuple[Prepared, datetime]
"""A message accepted by the next server, and when."""


@dataclass(slots=True)
class _Sending:
    """Send due messages. Each of `connections` workers repeatedly takes a message and sends it.

    Attributes:
        sent: number of messages accepted by the next server.
    """

    service: Service
    delivery: Delivery
    limit: int
    should_stop: Callable[[], bool]
    are_pings: bool
    sent: int = 0
    _ready: deque[Prepared] = field(default_factory=deque)
    """Messages that are claimed and rendered."""
    _is_all_claimed: bool = False
    """True if no further messages were due at the last claim."""
    _filling: asyncio.Lock = field(default_factory=asyncio.Lock)
    _failures: int = 0
    """Number of failed deliveries. After each, pauses have to be looked up again."""
    _unrecorded: list[Sent] = field(default_factory=list)
    """Messages that are not recorded as sent yet."""
    _recording: asyncio.Lock = field(default_factory=asyncio.Lock)
    _problem: BaseException | None = None
    """The first error that is not a failed delivery. Sending then stops."""

    async def run(self) -> None:
        """Send messages until none is due or sending has to stop.

        Every `RECORD_SECONDS`, sent messages are recorded and workers without a message look for
        new ones, even if a delivery takes minutes.
        """
        workers: set[asyncio.Task[None]] = set()
        try:
            while workers or not (self._is_all_claimed or self._is_over()):
                self._is_all_claimed = False
                while len(workers) < self.service.config.smtp.connections:
                    workers.add(asyncio.create_task(self._work()))
                ended, workers = await asyncio.wait(workers, timeout=RECORD_SECONDS)
                results = await asyncio.gather(*ended, self._record(), return_exceptions=True)
                self._problem = self._problem or next(filter(None, results), None)
            await self._release_ready()
        finally:
            for worker in workers:
                worker.cancel()
        if self._problem is not None:
            raise self._problem

    def _is_over(self) -> bool:
        return self._problem is not None or self.should_stop() or self.sent >= self.limit

    async def _work(self) -> None:
        while (mail := await self._next()) is not None:
            await self._deliver(mail)
            await self._record(MAX_UNRECORDED)

    async def _next(self) -> Prepared | None:
        """Return a rendered message, or None if none is due or sending has to stop."""
        async with self._filling:
            if self._ready and self._may_expire(self._ready[0]):
                await self._release_ready()
            while not (self._ready or self._is_all_claimed or self._is_over()):
                await self._fill()
            return self._ready.popleft() if self._ready and not self._is_over() else None

    def _may_expire(self, mail: Prepared) -> bool:
        """True if the lease may expire while the message is being sent."""
        until = mail.row.lease_until
        return until is None or until - self.service.now() < self.service.lease / 2

    async def _fill(self) -> None:
        """Claim and render due messages."""
        service, failures_before = self.service, self._failures
        await self._record()  # so that sent messages are not claimed again when their lease ends
        rows = await asyncio.to_thread(_claim, service, self.are_pings)
        try:
            ready = await _render_all(service, rows)
        except StoreAwayError:
            await asyncio.to_thread(_release, service, rows)
            raise
        self._ready.extend(ready)
        # a seat's next message becomes due when the one before it is superseded
        self._is_all_claimed = len(rows) < CLAIM_SIZE and len(ready) == len(rows)
        if failures_before != self._failures:
            await self._release_ready()

    async def _release_ready(self) -> None:
        """Release the messages that are not sent yet, so that they are claimed again if they are due."""
        rows = [mail.row for mail in self._ready]
        self._ready.clear()
        if rows:
            await asyncio.to_thread(_release, self.service, rows)
        self._is_all_claimed = False

    async def _deliver(self, mail: Prepared) -> None:
        """Send a message, and record a failure."""
        row, service = mail.row, self.service
        try:
            await self._send(mail)
        except DeliveryError as error:
            self._failures += 1
            await self._record()  # a success recorded later would end the new pause
            is_over = await asyncio.to_thread(
                failures.note_failure, service, row, mail.rcpt_to, error
            )
            # the next server or a domain may have to be left alone for a while
            await self._release_ready()
            if is_over:
                log.error("delivery failed", action="delivery_failed", outbox=row.id)
            else:
                log.warning("delivery deferred", action="delivery_retry", outbox=row.id)
        else:
            self.sent += 1
            self._unrecorded.append((mail, service.now()))

    async def _send(self, mail: Prepared) -> None:
        """Hand a message to the next server, and extend its lease in the meantime.

        An alert has our plain address as its envelope sender, because it may report that the server
        rejects our other addresses.
        """
        row, service = mail.row, self.service
        mail_from = service.tokens.shown(service.tokens.address(BounceToken(row.id)))
        if row.kind == ALERT.name:
            mail_from = service.own_address
        sending = asyncio.ensure_future(self.delivery.send(mail.raw, mail_from, mail.rcpt_to))
        try:
            while not (await asyncio.wait([sending], timeout=service.lease.total_seconds() / 3))[0]:
                row = await asyncio.to_thread(_renew_lease, service, row)
        finally:
            sending.cancel()
        sending.result()

    async def _record(self, min_count: int = 1) -> None:
        """Record the sent messages if at least `min_count` are not recorded yet."""
        async with self._recording:
            sent = [*self._unrecorded]
            if len(sent) < min_count:
                return
            await _record_all(self.service, sent)
            del self._unrecorded[: len(sent)]
            self._is_all_claimed = False  # the next messages of these seats become due
        for mail, _ in sent:
            log.info("mail sent", action="mail_sent", outbox=mail.row.id, kind=mail.row.kind)


def _claim(service: Service, are_pings: bool) -> list[OutboxMail]:
    with service.store.unit_of_work() as uow:
        return uow.outbox.claim_due(service.now(), service.lease, CLAIM_SIZE, are_pings=are_pings)


def _renew_lease(service: Service, row: OutboxMail) -> OutboxMail:
    """Extend the lease of a message that is being sent, if it is still ours."""
    until = service.now() + service.lease
    with service.store.unit_of_work() as uow:
        return row.changed(lease_until=until) if uow.outbox.renew(row, until) else row


def _release(service: Service, rows: list[OutboxMail]) -> None:
    with service.store.unit_of_work() as uow:
        for row in rows:
            uow.outbox.release(row)


async def _render_all(service: Service, rows: list[OutboxMail]) -> list[Prepared]:
    """Render a batch of messages, or each message separately if that fails.

    A faulty message therefore does not stop the others.

    Raises: StoreAwayError if the database is unavailable.
    """
    until = service.now() + service.lease
    try:
        return await asyncio.to_thread(make_ready, service, rows, until)
    except Exception as error:  # noqa: BLE001  (after any error, the messages are tried one by one)
        _log_one_by_one(error)
    ready: list[Prepared] = []
    for row in rows:
        try:
            render = partial(make_ready, service, [row], until)
            ready += await asyncio.to_thread(insist, render, trouble_tries=TROUBLE_TRIES)
        except StoreAwayError:
            raise
        except Exception as error:  # noqa: BLE001  (a bad template or log must not stop the others)
            log.error(
                "mail not rendered", action="render_failed", outbox=row.id, error=repr(type(error))
            )
            await asyncio.to_thread(failures.render_later, service, row, error)
    return ready


async def _record_all(service: Service, sent: list[Sent]) -> None:
    """Record a batch of messages as sent, or each message separately if that fails.

    Raises: the first error, after trying all messages.
    """
    try:
        await asyncio.to_thread(_mark_sent, service, sent)
    except Exception as error:  # noqa: BLE001  (after any error, the messages are tried one by one)
        _log_one_by_one(error)
    else:
        return
    problems: list[Exception] = []
    for mail, sent_at in sent:
        try:
            await _record_one(service, mail, sent_at)
        except Exception as error:  # noqa: BLE001  (the other messages must be recorded)
            problems.append(error)
    if problems:
        raise problems[0]


async def _record_one(service: Service, mail: Prepared, sent_at: datetime) -> None:
    """Record a message as sent, even if an internal error prevents moving its deadline."""
    try:
        await asyncio.to_thread(_mark_sent, service, [(mail, sent_at)])
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  (a message that is not recorded would be sent again and again)
        log.error(
            "deadline not moved",
            action="clock_fault",
            game=mail.row.game_id,
            error=type(error).__name__,
            place=source_location(error),
        )
        await asyncio.to_thread(_mark_sent, service, [(mail, sent_at)], starts_clocks=False)


def _log_one_by_one(error: Exception) -> None:
    log.warning(
        "batch failed; retrying messages one at a time",
        action="one_by_one",
        error=repr(type(error)),
    )


def _mark_sent(service: Service, sent: Sequence[Sent], *, starts_clocks: bool = True) -> None:
    """Record messages as sent and start the clocks of their readers. Can be repeated safely."""

    def mark(uow: UnitOfWork) -> None:
        domains = {domain_of(mail.rcpt_to) for mail, _ in sent if mail.row.kind != PING.name}
        if any(mail.row.kind not in (ALERT.name, PING.name) for mail, _ in sent):
            # an alert has another envelope sender, so it does not show that we are accepted
            domains.add(REFUSED)
        if domains:
            uow.pauses.end(domains)
        for mail, sent_at in sent:
            if uow.outbox.mark_sent(mail.row.id, sent_at) and starts_clocks:
                _start_clock_late(service, uow, mail.row, sent_at)

    retried(service, mark, trouble_tries=TROUBLE_TRIES)


def _start_clock_late(service: Service, uow: UnitOfWork, row: OutboxMail, now: datetime) -> None:
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


def _was_shown(uow: UnitOfWork, row: OutboxMail, since: int) -> bool:
    """True if an earlier message (version >= `since`) already showed the decision."""
    if row.game_id is None or row.seat is None:
        return False
    return any(
        mail.status == "sent" and mail.id != row.id and (mail.version or 0) >= since
        for mail in uow.outbox.sent_to(row.game_id, row.seat, unless=QUIET)
    )

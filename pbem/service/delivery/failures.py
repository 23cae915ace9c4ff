"""Retry or abandon messages that could not be handed to the next server.

`DeliveryError.scope` is the party that a failure concerns. Only failures about the recipient or the
message end a message, and only those about the recipient count against the recipient.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from pbem import smtp_replies
from pbem.errors import DeliveryError, PermanentDeliveryError, RowVerificationError
from pbem.mail_out.kinds import ALERT, PING
from pbem.service.core.context import Service
from pbem.service.delivery.prepare import domain_of
from pbem.service.notify import deliverability, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import NEXT_SERVER, REFUSED, UNANSWERED
from pbem.store.rows.core import OutboxMail

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(days=5)
"""How long to retry, following RFC 5321 §4.5.4.1."""
CLEARLY_REFUSED = 2
"""Number of unclear rejections, while other messages are accepted, that count as a rejection of the recipient."""
_MAILBOX, _SYSTEM = ("1", "2"), "3"
"""Subject digits of an enhanced status code (RFC 3463 §3): address or mailbox, and our own server."""


def retry_after(attempts: int) -> timedelta:
    """Return the pause after this number of failed attempts, which must be at least 1.

    The pause doubles with each attempt, up to two hours.
    """
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def is_hopeless(refusals: int) -> bool:
    """True if this many consecutive rejections use up the time for retrying.

    Attempts are counted instead of hours, so that time during which our service or server was down
    does not count.
    """
    pauses = (retry_after(attempt) for attempt in range(1, refusals))
    return sum(pauses, timedelta()) >= GIVE_UP_AFTER


def server_pause(failures: int) -> timedelta:
    """Return the pause after consecutive failures of the next server.

    It is shorter than the pauses of other servers.
    """
    doublings = min(max(failures - 1, 0), 20)
    return min(FIRST_SERVER_PAUSE * (1 << doublings), LONGEST_SERVER_PAUSE)


def render_later(service: Service, row: OutboxMail, error: Exception) -> None:
    """Postpone a message that could not be rendered because of a bug or damaged data.

    It is never abandoned.
    """
    retry_at = service.now() + retry_after(row.attempts)
    what = f"rendering: {type(error).__name__}"
    with service.store.unit_of_work() as uow:
        uow.outbox.retry_at(row.id, retry_at, what, is_refused=False)
        if isinstance(error, RowVerificationError):
            to_admins.alert_failed_verification(service, uow, error)
        elif row.kind != ALERT.name:  # an alert about an alert would fail, too
            to_admins.alert(service, uow, "unrendered", row, error=what)


def note_failure(service: Service, row: OutboxMail, rcpt_to: str, error: DeliveryError) -> bool:
    """Reschedule or abandon a message after a delivery failure. Return True if it is abandoned.

    The next server belongs to us, so its failures delay messages but never end them.
    """
    now, scope = service.now(), error.scope
    next_own_try = now + retry_after(row.attempts)
    with service.store.unit_of_work() as uow:
        if scope == "server":
            next_try = uow.pauses.extend(NEXT_SERVER, now, server_pause)
            # the server accepted other messages, so this message may be the cause
            if uow.pauses.failures(NEXT_SERVER) == 1:
                next_try = max(next_try, next_own_try)
        elif scope == "unanswered":
            next_try = now + LONGEST_RETRY  # because each attempt may deliver another copy
            uow.pauses.extend(UNANSWERED, now, lambda _: timedelta())
            if (count := uow.pauses.failures(UNANSWERED)) > 1:
                to_admins.alert(service, uow, "unanswered", row, count=count)
        elif row.kind == ALERT.name:
            # An alert may be the only report of a stopped game, so it pauses no other messages and
            # is abandoned only after its recipient has been rejected for days.
            next_try = next_own_try
            if scope == "recipient" and now - row.created_at > GIVE_UP_AFTER:
                uow.outbox.mark_failed(row.id, str(error), now)
                return True
        elif scope == "sender":
            return _wait_as_refused(service, uow, row, error, is_hopeless)
        elif not isinstance(error, PermanentDeliveryError):
            return _pause_domain(service, uow, row, rcpt_to, error)
        elif smtp_replies.is_uncertain(error.status) and row.kind != PING.name:
            return _wait_as_refused(
                service, uow, row, error, lambda count: count >= CLEARLY_REFUSED
            )
        else:
            _fail(service, uow, row, error)
            return True
        uow.outbox.retry_at(row.id, next_try, str(error), is_refused=False)
        return False


def _wait_as_refused(
    service: Service,
    uow: UnitOfWork,
    row: OutboxMail,
    error: DeliveryError,
    is_enough: Callable[[int], bool],
) -> bool:
    """Pause all delivery, because the next server rejects us.

    Return True if the message is abandoned.

    A rejection counts against the message only if the server has accepted another message since its
    last rejection, which shows that it does not reject us.
    """
    now = service.now()
    pause_end = uow.pauses.extend(REFUSED, now, server_pause)
    takes_others = uow.pauses.failures(REFUSED) == 1
    refusals = row.failures + takes_others
    if takes_others and is_enough(refusals):
        _fail(service, uow, row, error)
        return True
    next_try = max(pause_end, now + retry_after(refusals))
    uow.outbox.retry_at(row.id, next_try, str(error), is_refused=takes_others)
    to_admins.alert(service, uow, "refused as sender", row, error=error)
    return False


def _pause_domain(
    service: Service, uow: UnitOfWork, row: OutboxMail, rcpt_to: str, error: DeliveryError
) -> bool:
    """Pause delivery to the recipient's domain. Abandon the message after days of rejections."""
    now = service.now()
    subject = None if error.status is None else error.status.split(".")[1]
    if subject == _SYSTEM:
        next_try = now + retry_after(row.attempts)
        uow.outbox.retry_at(row.id, next_try, str(error), is_refused=False)
        return False
    refusals = row.failures + 1
    next_try = now + retry_after(refusals)
    if error.scope == "recipient" and subject not in _MAILBOX:
        domain = domain_of(rcpt_to)
        next_try = max(next_try, uow.pauses.extend(domain, now, retry_after))
        # other messages to the domain waited for the first failed message
        refusals = max(refusals, uow.pauses.failures(domain))
    if is_hopeless(refusals) and now - row.created_at > GIVE_UP_AFTER:
        uow.outbox.mark_failed(row.id, str(error), now)
        if error.scope == "recipient":
            deliverability.note_refusal(service, uow, row, error.status or "4.0.0")
        if row.kind != PING.name:  # the recipient also gets a message with the same content
            to_admins.alert(service, uow, "given-up", row, error=error)
        return True
    uow.outbox.retry_at(row.id, next_try, str(error))
    return False


def _fail(service: Service, uow: UnitOfWork, row: OutboxMail, error: DeliveryError) -> None:
    """Mark a message as failed.

    Count a bounce if its recipient was rejected, otherwise alert the admins.
    """
    uow.outbox.mark_failed(row.id, str(error), service.now())
    if error.scope == "recipient":
        deliverability.note_refusal(service, uow, row, error.status)
    else:
        to_admins.alert(service, uow, "refused", row, error=error)

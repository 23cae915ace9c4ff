"""Mails that could not be handed on: tried again later, or given up.

`DeliveryError.scope` says what a failure is about. Only failures about the reader or the mail end a
mail, and only those about the reader count against the reader.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from pbem import smtp_replies
from pbem.errors import DeliveryError, PermanentDeliveryError, UnboundError
from pbem.mail_out.kinds import ALERT, PING
from pbem.service.core.context import Service
from pbem.service.delivery.prepare import domain_of
from pbem.service.notify import reach, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import NEXT_SERVER, REFUSED, UNANSWERED
from pbem.store.rows.core import Outgoing

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(days=5)
"""The time for which mail servers try (RFC 5321 §4.5.4.1)."""
CLEARLY_REFUSED = 2
"""A refusal without a clear reason is taken for the reader's after so many that other mails survived."""
_MAILBOX, _SYSTEM = ("1", "2"), "3"
"""Subjects of a code (RFC 3463 §3): address or mailbox; our own server."""


def retry_after(attempts: int) -> timedelta:
    """Return the pause after so many failed attempts (from 1).

    It doubles, up to two hours.
    """
    doublings = min(max(attempts - 1, 0), 20)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def is_hopeless(refusals: int) -> bool:
    """True if so many refusals in a row use up the time to give up.

    Attempts count, not hours: while we are off, or our own server takes nothing, the reader's side
    is not asked.
    """
    pauses = (retry_after(attempt) for attempt in range(1, refusals))
    return sum(pauses, timedelta()) >= GIVE_UP_AFTER


def server_pause(failures: int) -> timedelta:
    """Return the pause after so many failures of the next server.

    It is asked more often than other servers.
    """
    doublings = min(max(failures - 1, 0), 20)
    return min(FIRST_SERVER_PAUSE * (1 << doublings), LONGEST_SERVER_PAUSE)


def render_later(service: Service, row: Outgoing, error: Exception) -> None:
    """Put off a mail that cannot be rendered because of our own fault.

    It is never given up.
    """
    at = service.now() + retry_after(row.attempts)
    what = f"rendering: {type(error).__name__}"
    with service.store.unit_of_work() as uow:
        uow.outbox.retry_at(row.id, at, what, is_refused=False)
        if isinstance(error, UnboundError):
            to_admins.note_unbound(service, uow, error)
        else:
            to_admins.note_unrendered(service, uow, row, what)


def note_failure(service: Service, row: Outgoing, rcpt_to: str, error: DeliveryError) -> bool:
    """Decide when a mail that could not be handed on is tried again; return True if it is given up.

    The next server is ours, so its trouble delays mails but never ends them.
    """
    with service.store.unit_of_work() as uow:
        if error.scope == "server":
            return _wait_for_server(service, uow, row, error)
        if error.scope == "unanswered":
            return _wait_for_answer(service, uow, row, error)
        if row.kind == ALERT.name:
            return _retry_alert(service, uow, row, error)
        if error.scope == "sender":
            return _wait_as_refused(service, uow, row, error, is_hopeless)
        if not isinstance(error, PermanentDeliveryError):
            return _put_off(service, uow, row, rcpt_to, error)
        if smtp_replies.is_uncertain(error.status) and row.kind != PING.name:
            return _wait_as_refused(
                service, uow, row, error, lambda count: count >= CLEARLY_REFUSED
            )
        _fail(service, uow, row, error)
        return True


def _subject(error: DeliveryError) -> str | None:
    return None if error.status is None else error.status.split(".")[1]


def _wait_for_server(
    service: Service, uow: UnitOfWork, row: Outgoing, error: DeliveryError
) -> bool:
    now = service.now()
    retry_at = uow.pauses.extend(NEXT_SERVER, now, server_pause)
    if uow.pauses.failures(NEXT_SERVER) == 1:  # it took others: this mail can be the cause
        retry_at = max(retry_at, now + retry_after(row.attempts))
    uow.outbox.retry_at(row.id, retry_at, str(error), is_refused=False)
    return False


def _wait_for_answer(
    service: Service, uow: UnitOfWork, row: Outgoing, error: DeliveryError
) -> bool:
    """Wait long before the next attempt, because each can bring the reader another copy."""
    now = service.now()
    uow.pauses.extend(UNANSWERED, now, lambda _: timedelta())
    uow.outbox.retry_at(row.id, now + LONGEST_RETRY, str(error), is_refused=False)
    if (count := uow.pauses.failures(UNANSWERED)) > 1:
        to_admins.note_unanswered(service, uow, row, count)
    return False


def _retry_alert(service: Service, uow: UnitOfWork, row: Outgoing, error: DeliveryError) -> bool:
    """Try an alert again, and pause no other mail; return True if it is given up.

    It may be the only word about a game that stands still. So it is given up only if its reader is
    refused for days.
    """
    now = service.now()
    if error.scope == "recipient" and now - row.created_at > GIVE_UP_AFTER:
        uow.outbox.mark_failed(row.id, str(error), now)
        return True
    uow.outbox.retry_at(row.id, now + retry_after(row.attempts), str(error), is_refused=False)
    return False


def _wait_as_refused(
    service: Service,
    uow: UnitOfWork,
    row: Outgoing,
    error: DeliveryError,
    is_enough: Callable[[int], bool],
) -> bool:
    """Pause all delivery, because the next server refuses us; return True if the mail is given up.

    A refusal counts against the mail only if the server took other mails since it refused us last:
    then it does not refuse us.
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
    to_admins.note_refused_as_sender(service, uow, row, str(error))
    return False


def _put_off(
    service: Service, uow: UnitOfWork, row: Outgoing, rcpt_to: str, error: DeliveryError
) -> bool:
    """Pause delivery to a reader's domain; give the mail up after days of refusals."""
    now = service.now()
    subject = _subject(error)
    if subject == _SYSTEM:
        next_try = now + retry_after(row.attempts)
        uow.outbox.retry_at(row.id, next_try, str(error), is_refused=False)
        return False
    refusals = row.failures + 1
    next_try = now + retry_after(refusals)
    if error.scope == "recipient" and subject not in _MAILBOX:
        domain = domain_of(rcpt_to)
        next_try = max(next_try, uow.pauses.extend(domain, now, retry_after))
        refusals = max(refusals, uow.pauses.failures(domain))  # mails wait for the first one
    if is_hopeless(refusals) and now - row.created_at > GIVE_UP_AFTER:
        uow.outbox.mark_failed(row.id, str(error), now)
        if error.scope == "recipient":
            reach.note_refusal(service, uow, row, error.status or "4.0.0")
        if row.kind != PING.name:  # its reader has the mail that says the same
            to_admins.note_given_up(service, uow, row, str(error))
        return True
    uow.outbox.retry_at(row.id, next_try, str(error))
    return False


def _fail(service: Service, uow: UnitOfWork, row: Outgoing, error: DeliveryError) -> None:
    """Abandon a mail: a refused reader is a bounce, any other cause an alert."""
    uow.outbox.mark_failed(row.id, str(error), service.now())
    if error.scope == "recipient":
        reach.note_refusal(service, uow, row, error.status)
    else:
        to_admins.note_refused(service, uow, row, str(error))

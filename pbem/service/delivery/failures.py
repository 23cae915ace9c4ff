"""Mails that could not be handed on: tried again later, or given up."""

from __future__ import annotations

from datetime import timedelta

from pbem.errors import PermanentDeliveryError, TransientDeliveryError, UnboundError
from pbem.mail_out.kinds import PING
from pbem.service.core.context import Service
from pbem.service.delivery.prepare import domain_of
from pbem.service.notify import reach, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing
from pbem.store.post.pauses import NEXT_SERVER

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=2)
FIRST_SERVER_PAUSE = timedelta(seconds=5)
LONGEST_SERVER_PAUSE = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(days=5)
"""The time for which mail servers try (RFC 5321 §4.5.4.1)."""
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


def put_off(service: Service, row: Outgoing, rcpt_to: str, error: TransientDeliveryError) -> None:
    """Try a mail again later; leave its domain or the next server alone for a while.

    It is given up once its reader's side has refused it for days. The next server is ours: its
    trouble delays mails but never ends them.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        if error.scope == "server":
            at = uow.pauses.extend(NEXT_SERVER, now, server_pause)
            if uow.pauses.failures(NEXT_SERVER) == 1:  # it took others: this mail can be the cause
                at = max(at, now + retry_after(row.attempts))
            uow.outbox.retry_at(row.id, at, str(error), is_refused=False)
            return
        subject = None if error.status is None else error.status.split(".")[1]
        if subject == _SYSTEM:
            at = now + retry_after(row.attempts)
            uow.outbox.retry_at(row.id, at, str(error), is_refused=False)
            return
        refusals = row.failures + 1
        at = now + retry_after(refusals)
        if error.scope == "recipient" and subject not in _MAILBOX:
            domain = domain_of(rcpt_to)
            at = max(at, uow.pauses.extend(domain, now, retry_after))
            refusals = max(refusals, uow.pauses.failures(domain))  # mails wait for the first one
        if is_hopeless(refusals) and now - row.created_at > GIVE_UP_AFTER:
            _give_up(service, uow, row, error)
        else:
            uow.outbox.retry_at(row.id, at, str(error))


def fail(service: Service, row: Outgoing, error: PermanentDeliveryError) -> None:
    """Abandon a mail: a refused reader is a bounce, any other cause an alert.

    A mail is not given up if the next server rejects us as a sender: that is not the fault of the
    mail.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        if error.scope == "server":
            at = now + retry_after(row.attempts)
            uow.outbox.retry_at(row.id, at, str(error), is_refused=False)
            return
        uow.outbox.mark_failed(row.id, str(error), now)
        if error.scope == "recipient":
            reach.note_refusal(service, uow, row, error.status)
        else:
            to_admins.note_refused(service, uow, row, str(error))


def _give_up(
    service: Service, uow: UnitOfWork, row: Outgoing, error: TransientDeliveryError
) -> None:
    """Abandon a mail after many tries; a refused reader is also a bounce."""
    uow.outbox.mark_failed(row.id, str(error), service.now())
    if error.scope == "recipient":
        reach.note_refusal(service, uow, row, error.status or "4.0.0")
    if row.kind != PING.name:  # its reader has the mail that says the same
        to_admins.note_given_up(service, uow, row, str(error))

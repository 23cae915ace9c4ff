"""What becomes of a mail that could not be handed on: tried again later, or given up."""

from __future__ import annotations

from pbem.errors import PermanentDeliveryError, TransientDeliveryError, UnboundError
from pbem.service.core.context import Service
from pbem.service.delivery.backoff import GIVE_UP_AFTER, is_hopeless, retry_after, server_pause
from pbem.service.delivery.making_ready import domain_of
from pbem.service.notify import reach
from pbem.service.upkeep import alerts
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing
from pbem.store.post.pauses import NEXT_SERVER

_MAILBOX, _SYSTEM = ("1", "2"), "3"
"""What a code is about (RFC 3463 §3): one address or mailbox; the server that answers, which is ours."""


def render_later(service: Service, row: Outgoing, error: Exception) -> None:
    """Put off a mail that our own fault keeps from being rendered; it is never given up."""
    at = service.now() + retry_after(row.attempts)
    what = f"rendering: {type(error).__name__}"
    with service.store.unit_of_work() as uow:
        uow.outbox.retry_at(row.id, at, what, is_refused=False)
        if isinstance(error, UnboundError):
            alerts.note_unbound(service, uow, error)
        else:
            alerts.note_unrendered(service, uow, row, what)


def put_off(service: Service, row: Outgoing, rcpt_to: str, error: TransientDeliveryError) -> None:
    """Try a mail again later; leave its domain, or the next server, alone for a while.

    It is given up once its reader's side has refused it for days. Trouble of the next server, which is
    ours, delays mails and is the end of none.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        if error.scope == "server":
            at = uow.pauses.extend(NEXT_SERVER, now, server_pause)
            if uow.pauses.failures(NEXT_SERVER) == 1:  # it took others: this mail may be why
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
    """Return up on a mail; a refused reader is a bounce, anything else a matter for the admins.

    Where the next server does not take us as a sender the mail is kept: that is no fault of it.
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
            alerts.note_refused(service, uow, row, str(error))


def _give_up(
    service: Service, uow: UnitOfWork, row: Outgoing, error: TransientDeliveryError
) -> None:
    """Try a mail no more; where its reader was refused all the time it is a bounce, too."""
    uow.outbox.mark_failed(row.id, str(error), service.now())
    if error.scope == "recipient":
        reach.note_refusal(service, uow, row, error.status or "4.0.0")
    alerts.note_given_up(service, uow, row, str(error))

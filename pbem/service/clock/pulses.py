"""Signs of life of every way in and of delivery, beside the service's heartbeat.

They move no deadlines: unread mailboxes and unsent turn mails stop deadlines anyway. They show people
what is stuck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pauses import REFUSED

DELIVERY, LISTENER, IMAP, MAILDIR = "delivery", "listener", "imap", "maildir"


@dataclass(frozen=True, slots=True)
class Pulse:
    """When a way in, or delivery, last gave a sign of life; None = never.

    Attributes:
        is_late: it should have given one since.
    """

    name: str
    at: datetime | None
    is_late: bool


def note(service: Service, instants: Mapping[str, datetime | None]) -> None:
    """Note when each was last known to do its work; None = not yet."""
    with service.store.unit_of_work() as uow:
        for name, at in instants.items():
            if at is not None:
                uow.outages.note(name, at)


def note_delivery(service: Service) -> None:
    """Note that delivery works: every mail was tried, and the next server takes mails."""
    with service.store.unit_of_work() as uow:
        if uow.pauses.until(REFUSED, service.now()) is None:
            uow.outages.note(DELIVERY, service.now())


def look(service: Service, uow: UnitOfWork) -> list[Pulse]:
    """Return the pulses that this installation should have, in the order of its settings."""
    now = service.now()
    found = []
    for name, patience in service.pulses:
        at = uow.outages.last_beat(name)
        found.append(Pulse(name, at, at is None or at < now - patience))
    return found

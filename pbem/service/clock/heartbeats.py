"""Heartbeats of every inbound transport and of delivery.

They do not affect deadlines, which wait for unread mailboxes and unsent turn messages anyway. They
show admins what is stuck.
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
class Heartbeat:
    """The last heartbeat of an inbound transport or of delivery, or None for never.

    Attributes:
        at: time of the heartbeat, or None for never.
        is_late: True if the next heartbeat is overdue.
    """

    name: str
    at: datetime | None
    is_late: bool


def note(service: Service, instants: Mapping[str, datetime | None]) -> None:
    """Record when each transport last worked. Transports with None are skipped."""
    with service.store.unit_of_work() as uow:
        for name, beat_at in instants.items():
            if beat_at is not None:
                uow.outages.note(name, beat_at)


def note_delivery(service: Service) -> None:
    """Record that delivery works, unless the next server has refused messages."""
    with service.store.unit_of_work() as uow:
        if uow.pauses.until(REFUSED, service.now()) is None:
            uow.outages.note(DELIVERY, service.now())


def expected_heartbeats(service: Service, uow: UnitOfWork) -> list[Heartbeat]:
    """Return the heartbeats that this installation should have, in the order of its settings."""
    now = service.now()
    found = []
    for name, patience in service.heartbeats:
        at = uow.outages.last_beat(name)
        found.append(Heartbeat(name, at, at is None or at < now - patience))
    return found

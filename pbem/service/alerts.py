"""What the people who run this server are told by mail about the outbox; once a day each."""

from __future__ import annotations

from datetime import timedelta

from pbem.service import to_admins
from pbem.service.context import Service
from pbem.store.outgoing import Outgoing
from pbem.store.uow import UnitOfWork

STUCK = timedelta(hours=1)
"""A mail that could not be handed on for so long needs somebody to look."""


def look_for_stuck(service: Service) -> bool:
    """Tell the admins if mails do not leave; True if they are told now."""
    now = service.now()
    key = f"stuck:{now:%Y-%m-%d}"
    with service.store.reading() as uow:
        count = uow.outbox.count_waiting(now - STUCK)
        if not count or not service.settings.admins or to_admins.was_told(uow, key):
            return False
    what = "1 mail has" if count == 1 else f"{count} mails have"
    with service.store.unit_of_work() as uow:
        to_admins.queue(
            uow,
            service,
            key=key,
            message=f"{what} waited to be handed on for an hour or longer. `pbem mail outbox list"
            " --status pending` shows which and why; `pbem mail outbox retry` tries them at once."
            " This is told once a day, for as long as it lasts.",
        )
    return True


def note_refused(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was refused for good, for no fault of its reader."""
    _tell(service, uow, row, "refused", f"Mail {row.id} was refused for good ({error})")


def note_given_up(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was tried for days and is not tried any more."""
    _tell(service, uow, row, "given-up", f"Mail {row.id} was given up after days ({error})")


def note_unrendered(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail could not be written; it is kept and tried again."""
    _tell(
        service,
        uow,
        row,
        "unrendered",
        f"Mail {row.id} ({row.kind}) could not be written ({error}); it is kept and tried again. A"
        " template of your own may be broken: `pbem doctor` says where",
        status="pending",
    )


def _tell(
    service: Service,
    uow: UnitOfWork,
    row: Outgoing,
    what: str,
    words: str,
    *,
    status: str = "failed",
) -> None:
    if row.kind == "alert":
        return  # it would be told by one more of them
    to_admins.queue(
        uow,
        service,
        key=f"{what}:{service.now():%Y-%m-%d}",
        message=f"{words}; today's others may follow. `pbem mail outbox list --status {status}`"
        " shows them.",
    )

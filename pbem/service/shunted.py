"""Mails that our code failed on: an admin looks, and tries them again or drops them."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.service import games, looking
from pbem.service.context import Service
from pbem.store.inbox import InboxEntry, InboxMail
from pbem.store.uow import UnitOfWork

STATUS = "shunted"


def list_shunted(service: Service, limit: int = 1000) -> list[InboxEntry]:
    """List them, oldest first."""
    with service.store.reading() as uow:
        return uow.inbox.list(STATUS, limit)[::-1]


def show(service: Service, mail_id: int) -> InboxMail:
    """Give one, with its bytes. Raises: Refusal."""
    with service.store.reading() as uow:
        return _found(uow, mail_id)


def open_raw(service: Service, mail_id: int, reason: str | None) -> bytes:
    """Give the bytes of one. Mails quote the hand: in a running game that is a reveal.

    Raises: Refusal.
    """
    with service.store.reading() as uow:
        found = _found(uow, mail_id)
        game = None if found.game_id is None else games.load(uow, found.game_id)
    if game is not None and not game.is_over:
        seats = range(len(game.seats)) if found.seat is None else (found.seat,)
        looking.record_reveal(service, game.id, seats, game.version, reason=reason)
    return found.raw


def retry(service: Service, mail_ids: list[int]) -> None:
    """Put them back to be handled again, all or none. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        for mail_id in mail_ids:
            _found(uow, mail_id)
            uow.inbox.mark(mail_id, "new")


def drop(service: Service, mail_id: int, reason: str) -> None:
    """Give one up; its bytes stay. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        found = _found(uow, mail_id)
        uow.inbox.mark(
            mail_id,
            "dropped",
            verdict={"why": f"dropped by an admin: {reason}"},
            error=found.error,
            handled_at=service.now(),
        )


def _found(uow: UnitOfWork, mail_id: int) -> InboxMail:
    found = uow.inbox.get(mail_id)
    if found is None or found.status != STATUS:
        what = "there is no such mail" if found is None else f"its status is {found.status}"
        raise Refusal("not-shunted", f"mail {mail_id} is not set aside: {what}")
    return found

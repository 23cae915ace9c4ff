"""Mails to the admins of this server, and their secret reply addresses."""

from __future__ import annotations

import base64
import hashlib

from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import AdminToken
from pbem.mail_out.kinds import ALERT, AlertParams
from pbem.service.core.context import Service
from pbem.service.notify.intentions import Mailing, queue_to_address
from pbem.store.db.uow import UnitOfWork

MARK_LENGTH = 12
HINT = """\
You can answer this mail with orders, one on a line:
- "extend GAME 2d": more time for who is to act
- "pause GAME", "resume GAME": the clock
- "standby GAME SEAT": a cautious move for who let the time pass
- "bot GAME SEAT": a bot, until the player writes
- "remove GAME SEAT reason: ...": out of the game for good
- "resolve GAME NUMBER ...": a dispute, and what you decided
Leave GAME out where this mail is about one; SEAT may be a name. Behind
each may stand a reason. Every player reads what you did, and why.
"""
"""The end of every mail to an admin that does not answer a command."""


def queue(
    service: Service,
    uow: UnitOfWork,
    *,
    key: str,
    message: str,
    game_id: GameId | None = None,
) -> None:
    """Queue an alert to all admins.

    Args:
        uow: the unit of work.
        service: of the server.
        key: names its subject.
        message: its text.
        game_id: the game of an answer that does not name one.
    """
    for address in sorted(service.config.service.admins):
        mail = Mailing(ALERT, AlertParams(message, game=game_id), _key(key, address))
        queue_to_address(service, uow, address, mail)


def answer(
    service: Service,
    uow: UnitOfWork,
    *,
    address: str,
    key: str,
    text: str,
    is_done: bool,
    game_id: GameId | None,
    answers: str | None,
) -> None:
    """Queue the answer to a mail of an admin."""
    title = "What you asked for is done" if is_done else "What you asked for was not done"
    params = AlertParams(title=title, text=f"{text}\n\n{'' if is_done else HINT}", game=game_id)
    queue_to_address(service, uow, address, Mailing(ALERT, params, key, answers))


def was_told(service: Service, uow: UnitOfWork, key: str) -> bool:
    """True if an alert with this key was queued to all admins."""
    return all(uow.outbox.has_key(_key(key, address)) for address in service.config.service.admins)


def token_for(address: str, game_id: str | None) -> AdminToken:
    """Return the token of the mails to an admin.

    Only the address that it was made for can use it.
    """
    digest = hashlib.sha256(f"pbem-admin-v1\n{address.lower()}".encode()).digest()
    mark = base64.b32encode(digest).decode().lower()[:MARK_LENGTH]
    return AdminToken(mark, None if game_id is None else GameId(game_id))


def _key(key: str, address: str) -> str:
    return f"alert:{key}:{hashlib.sha256(address.encode()).hexdigest()[:16]}"

"""Mails to the people who run this server, and their secret reply addresses."""

from __future__ import annotations

import base64
import hashlib

from engine.api import JsonObject
from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import AdminToken
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Intention

KIND = "alert"
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
"""What stands in every mail to an admin that tells of nothing that they did."""


def queue(
    service: Service,
    uow: UnitOfWork,
    *,
    key: str,
    message: str,
    game_id: GameId | None = None,
) -> None:
    """Queue an alert to all of them.

    Args:
        uow: where to.
        service: of the server.
        key: names what it is about.
        message: what there is to say.
        game_id: which game an answer is about that names none.
    """
    for address in sorted(service.config.service.admins):
        _add(service, uow, address, _key(key, address), {"message": message}, game_id, None)


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
    """Queue the answer to a mail of one of them."""
    title = "What you asked for is done" if is_done else "What you asked for was not done"
    params: JsonObject = {
        "message": "",
        "title": title,
        "text": f"{text}\n\n{'' if is_done else HINT}",
    }
    _add(service, uow, address, key, params, game_id, answers)


def was_told(service: Service, uow: UnitOfWork, key: str) -> bool:
    """True if an alert with this key was queued to all of them."""
    return all(uow.outbox.has_key(_key(key, address)) for address in service.config.service.admins)


def token_for(address: str, game_id: str | None) -> AdminToken:
    """Return the token of the mails to an admin; only the address that it was made for may use it."""
    digest = hashlib.sha256(f"pbem-admin-v1\n{address.lower()}".encode()).digest()
    mark = base64.b32encode(digest).decode().lower()[:MARK_LENGTH]
    return AdminToken(mark, None if game_id is None else GameId(game_id))


def _key(key: str, address: str) -> str:
    return f"alert:{key}:{hashlib.sha256(address.encode()).hexdigest()[:16]}"


def _add(
    service: Service,
    uow: UnitOfWork,
    address: str,
    key: str,
    params: JsonObject,
    game_id: GameId | None,
    answers: str | None,
) -> None:
    about: JsonObject = {} if game_id is None else {"game": game_id}
    uow.outbox.add(
        Intention(
            key=key,
            kind=KIND,
            player_id=None,
            rcpt_to=address,
            params={**params, **about},
            answers=answers,
            message_id=f"{service.new_id(26)}@{service.message_domain}",
            created_at=service.now(),
        )
    )

"""Strange addresses that wrote to a player's reply address and await an answer.

The question is written when it is sent, so that it lists every address that wrote until then.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import parse_time
from pbem.mail_out.kinds import ASK_SENDERS
from pbem.service.core import limits
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

MOST_HELD = 200
"""At most this many strange addresses wait for one player; later ones are ignored."""
KEPT = timedelta(days=7)
"""We ask about an address for this long."""


def key(player_id: str, mail_id: int) -> str:
    """Return the name of the question that a mail led to."""
    return f"{limits.STRANGERS}{player_id}:{mail_id}:"


def last_list(uow: UnitOfWork, player_id: str) -> datetime | None:
    """Return until when the newest question lists addresses; it may not be sent yet."""
    return _until(uow.outbox.newest_with_key(f"{limits.STRANGERS}{player_id}:"))


def listed_until(uow: UnitOfWork, player_id: str, mail_id: int) -> datetime | None:
    """Return until when a mail's question lists addresses; None if it is about one."""
    return _until(uow.outbox.newest_with_key(key(player_id, mail_id)))


def waiting(uow: UnitOfWork, player_id: str, until: datetime) -> dict[str, list[int]]:
    """Return the strange addresses and their held mails, newest first."""
    own = uow.players.addresses(player_id)
    found: dict[str, list[int]] = {}
    for mail_id, sender in uow.inbox.strangers_of(player_id, until - KEPT, until):
        if sender not in own:
            found.setdefault(sender, []).append(mail_id)
    return found


def suggested(addresses: Iterable[str]) -> tuple[Sentence, ...]:
    """Return the answers to suggest to the player."""
    said = [sentence("yes {address}", address=address) for address in addresses]
    return (*said, sentence("no"))


def _until(question: Outgoing | None) -> datetime | None:
    if question is None:
        return None
    until = ASK_SENDERS.read(question.params).until
    return parse_time(until) if until else question.not_before

"""Strange addresses that wrote to a player's reply address and await an answer.

The question is written when it is sent, so that it lists every address that wrote until then.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from engine.sentences import Sentence, sentence
from pbem.store.db.uow import UnitOfWork

MOST_HELD = 200
"""At most this many strange addresses wait for one player; later ones are ignored."""
KEPT = timedelta(days=7)
"""We ask about an address for this long."""


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

"""Mails to the bare address that would bind somebody: From alone proves nothing, so they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import sentence
from pbem.domain.orders import Line
from pbem.domain.service_words import Word
from pbem.mail_in.message import InboundMail
from pbem.service import limits, mailings
from pbem.service.context import Service
from pbem.service.refusing import refuse
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

NEEDS_PROOF = frozenset({Word.NEW, Word.TAKE, Word.TUTORIAL, Word.NEVER})
"""What makes a game, takes a seat, or closes a door: done for who has proven to read their mails.

So is what changes their addresses: From alone must not turn mails away from who reads them.
"""


def is_needed(lines: Sequence[Line]) -> bool:
    """Say whether one of these lines must be confirmed."""
    return any(
        line.word in NEEDS_PROOF or (line.word is Word.ADDRESS and line.argument is not None)
        for line in lines
    )


def ask(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, player: Player
) -> Verdict:
    """Keep a mail and ask at its own address whether it is the player's."""
    if not limits.may_ask(service, uow, player.id):
        message = sentence(
            "So many of your mails were asked about today that this one was not: please answer any of"
            " my mails with what you want, since its reply address is proof enough."
        )
        return refuse(service, uow, row, mail, player, message, ())
    uow.inbox.attribute(row.id, mail.sender, player.id)
    mailings.queue_to_player(
        uow,
        service,
        kind="ask_new",
        player_id=player.id,
        key=f"{limits.QUESTION}{row.id}",
        params={"inbox_id": row.id},
        answers=mail.message_id,
    )
    return Verdict("held", "to the bare address: asked whether it is theirs")

"""Mails to the bare address that would change something: From alone proves nothing, so they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import sentence
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.mail_in.mime.message import InboundMail
from pbem.service.clock import time_orders
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.notify import mailings
from pbem.service.notify.refusing import refuse
from pbem.service.people import preferences
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail

NEEDS_PROOF = frozenset(
    {
        Word.NEW,
        Word.TAKE,
        Word.TUTORIAL,
        Word.NEVER,
        Word.OBSERVE,
        Word.UNOBSERVE,
        *time_orders.EVERYWHERE,
    }
)
"""What other people notice, or what closes a door; and any setting (`preferences.WORDS`)."""


def is_needed(lines: Sequence[OrderLine]) -> bool:
    """True if one of these lines would change anything: what proves nothing may only ask."""
    return any(
        line.word in NEEDS_PROOF or (line.word in preferences.WORDS and line.argument is not None)
        for line in lines
    )


def ask(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    proof: Proof,
) -> Verdict:
    """Keep a mail that proves nothing, and ask at its own address whether it is the player's."""
    permit = limits.permit(service, uow, row.id, player.id, proof, limits.ASK)
    if permit is None:
        message = sentence(
            "You were asked about another mail a short time ago, so you are not asked about this one,"
            " and nothing in it was carried out. Please send it again as a reply to this mail: then it"
            " counts as yours."
        )
        return refuse(service, uow, row, mail, player, message, (), proof)
    uow.inbox.attribute(row.id, mail.sender, player.id)
    mailings.queue_to_player(
        service,
        uow,
        kind=limits.ASK,
        player_id=player.id,
        key=permit.key,
        params={"inbox_id": row.id, "notes": [*permit.notes(1)]},
        answers=mail.message_id,
    )
    return Verdict("held", "to the bare address: asked whether it is theirs")

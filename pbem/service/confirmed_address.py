"""The answer to the question whether an address is a player's."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.orders import read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import AddressToken
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.service import mailings
from pbem.service.context import Service
from pbem.service.own_addresses import day_of, token_for
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.uow import UnitOfWork

VALID_DAYS = 7
"""So long a new address may be confirmed."""


def confirm(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, token: AddressToken
) -> Verdict:
    """Take the word of a new address that it is a player's; any other sender is left unanswered."""
    player = uow.players.get(token.player_id)
    sender = (mail.sender or "").lower()
    if player is None or token != token_for(player, sender, token.day):
        return Verdict("ignored", "a confirmation from another address than was asked")
    if not 0 <= day_of(service.now()) - token.day <= VALID_DAYS:
        return Verdict("ignored", "a confirmation that comes too late")
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, (), (), player.language))
    words = {line.word for line in read_lines(reply.text, (), (), player.language)}
    if Word.YES not in words or Word.NO in words:
        return Verdict("ignored", "no confirmation of an address")
    if uow.players.add_address(player.id, sender):
        said = sentence("{address} is an address of yours from now on.", address=sender)
    else:
        said = sentence(
            "{address} belongs to a player here already, so nothing changed.", address=sender
        )
    mailings.queue_to_player(
        uow,
        service,
        kind="noted",
        player_id=player.id,
        key=f"noted:{row.id}",
        params={"message": said},
        answers=mail.message_id,
    )
    return Verdict("done", "an address was confirmed")

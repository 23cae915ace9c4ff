"""The answer to the question whether an address is a player's: it is theirs, or two players are one."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.orders import read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import AddressToken
from pbem.errors import Refusal
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.service import mailings, merging
from pbem.service.context import Service
from pbem.service.own_addresses import day_of, token_for
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

VALID_DAYS = 7
"""So long a new address may be confirmed."""


def confirm(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, token: AddressToken
) -> Verdict:
    """Take the word of a new address that it is a player's; any other sender is left unanswered."""
    player = uow.players.get(token.player_id)
    sender = (mail.sender or "").lower()
    other = uow.players.by_address(sender)
    if player is None or not _was_asked(token, player, sender, other):
        return Verdict("ignored", "a confirmation from another address than was asked")
    if not 0 <= day_of(service.now()) - token.day <= VALID_DAYS:
        return Verdict("ignored", "a confirmation that comes too late")
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, (), (), player.language))
    words = {line.word for line in read_lines(reply.text, (), (), player.language)}
    if Word.YES not in words or Word.NO in words:
        return Verdict("ignored", "no confirmation of an address")
    if uow.players.add_address(player.id, sender):
        said = sentence("{address} is an address of yours from now on.", address=sender)
    elif other is None or other.id == player.id or token == _plain(token, player, sender):
        said = sentence(
            "{address} belongs to a player here already, so nothing changed.", address=sender
        )
    else:
        return _unite(service, uow, row, mail, other, player)
    _answer(service, uow, row, mail, player, "noted", said)
    return Verdict("done", "an address was confirmed")


def _answer(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    kind: str,
    said: str,
) -> None:
    mailings.queue_to_player(
        uow,
        service,
        kind=kind,
        player_id=player.id,
        key=f"noted:{row.id}",
        params={"message": said},
        answers=mail.message_id,
    )


def _unite(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    was: Player,
    player: Player,
) -> Verdict:
    """Make two players one, if they can be."""
    cause = row.cause
    actor = f"player:{player.id}"
    try:
        merging.unite(service, uow, was, player, actor=actor, cause=cause, answers=mail.message_id)
    except Refusal as refusal:
        _answer(service, uow, row, mail, player, "refusal", refusal.message)
        return Verdict("done", "refused: two players cannot be one")
    return Verdict("done", "two players are one")


def _plain(token: AddressToken, player: Player, sender: str) -> AddressToken:
    return token_for(player, sender, token.day)


def _was_asked(token: AddressToken, player: Player, sender: str, other: Player | None) -> bool:
    """Say whether this address got the token, with the question that it was asked."""
    asked = [_plain(token, player, sender)]
    if other is not None:
        asked.append(token_for(player, sender, token.day, other.id))
    return token in asked

"""`address add NEW`, `address remove OLD`, `address primary ONE`: the addresses of one person.

A new address counts only once a mail from there has answered the mail that was sent there.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime

from engine.sentences import Sentence, all_of, sentence
from pbem.domain.orders import read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import AddressToken
from pbem.errors import Refusal
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.service import limits, lobby, mailings
from pbem.service.context import Service
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

VALID_DAYS = 7
"""So long a new address may be confirmed."""
MARK_LENGTH = 12


def carry_out(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out what follows `address`; gives a sentence. Raises: Refusal."""
    known = uow.players.addresses(player.id)
    if words is None:
        return sentence(
            "Your addresses: {addresses}. Mails go to the first.", addresses=all_of(known)
        )
    act, _, text = words.partition(" ")
    address = lobby.checked_address(text.strip().strip("<>"))
    if act.lower() == "add":
        return _ask(service, uow, player, address, known)
    if address not in known:
        raise Refusal("address", sentence("That is no address of yours."))
    if act.lower() == "primary":
        uow.players.set_primary(player.id, address)
        return sentence("From now on your mails go to {address}.", address=address)
    if len(known) == 1:
        raise Refusal("address", sentence("That is your only address; add another one first."))
    uow.players.remove_address(player.id, address)
    return sentence("Mails from {address} are not yours any more.", address=address)


def _ask(
    service: Service, uow: UnitOfWork, player: Player, address: str, known: list[str]
) -> Sentence:
    if address in known:
        raise Refusal("address", sentence("That is an address of yours already."))
    if not limits.may_ask(service, uow, player.id):
        raise Refusal("address", sentence("That was asked often enough today; try again tomorrow."))
    mailings.queue_to_player(
        uow,
        service,
        kind="confirm_address",
        player_id=player.id,
        key=f"{limits.QUESTION}address:{service.new_id(16)}",
        params={
            "to": address,
            "day": _day(service.now()),
            "message": sentence(
                "Somebody named {name} wants to play from this address, too. If that is you, reply to"
                ' this mail with "yes"; otherwise do nothing, and nothing happens.',
                name=player.name,
            ),
        },
    )
    return sentence(
        "A mail went to {address}: reply to it from there, and the address is yours.",
        address=address,
    )


def token_for(player_id: str, address: str, day: int) -> AddressToken:
    """Give the token that only who reads a new address gets."""
    text = f"pbem-address-v1\n{player_id}\n{address.lower()}"
    digest = hashlib.sha256(text.encode()).digest()
    return AddressToken(player_id, day, base64.b32encode(digest).decode().lower()[:MARK_LENGTH])


def confirm(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, token: AddressToken
) -> Verdict:
    """Take the word of a new address that it is a player's; any other sender is left unanswered."""
    player = uow.players.get(token.player_id)
    sender = (mail.sender or "").lower()
    if player is None or token != token_for(player.id, sender, token.day):
        return Verdict("ignored", "a confirmation from another address than was asked")
    if not 0 <= _day(service.now()) - token.day <= VALID_DAYS:
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


def _day(moment: datetime) -> int:
    return moment.toordinal()

"""Decide whether a message with mailing-list headers is a player's order.

Alias services add `List-Unsubscribe` to each message that they forward, and a group address in
front of the mailbox adds `List-ID` and `Precedence: list`. Old vacation programs use the same
headers, so such a message counts only if a program is unlikely to have written it.
"""

from __future__ import annotations

from dataclasses import replace

from engine import registry
from pbem.domain.terms.tokens import AdminToken, BounceToken, QuestionToken
from pbem.domain.words import admin_orders
from pbem.domain.words.orders import LineKind
from pbem.mail_in.quotes.body import extract_reply
from pbem.service.core import whose
from pbem.service.core.incoming import MAILS_COMPARED, Incoming, quoted

_ORDERS = (LineKind.SERVICE, LineKind.GAME)


def is_order(incoming: Incoming) -> bool:
    """True if a message contains an order and was sent by the owner of its valid reply address."""
    service, uow, token = incoming.service, incoming.uow, incoming.token
    if token is None or isinstance(token, BounceToken):
        return False
    if service.trusted is not None and not incoming.auth_level.is_trusted:
        return False
    if isinstance(token, AdminToken):  # its handler compares the sender with the token
        return bool(admin_orders.read(extract_reply(incoming.mail, recogniser=admin_orders).text))
    reader = incoming
    asked = uow.questions.get(token.question_id) if isinstance(token, QuestionToken) else None
    # its handler also compares the sender with the token
    if asked is not None and asked.what.address and asked.player_id:
        reader = replace(incoming, writer=uow.players.get(asked.player_id))
    elif not whose.is_token_of(uow, token, incoming.writer):
        return False
    answered = uow.outbox.said_in(service.tokens.stored_ids(incoming.mail.answers))
    quoting = quoted(one.forms for one in answered[:MAILS_COMPARED] if one.forms)
    own = reader.own_words(registry.latest(), quoting=quoting)
    return any(line.kind in _ORDERS for line in own.lines)

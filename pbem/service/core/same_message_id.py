"""Distinguish copies of a message from other messages with the same Message-ID.

A message can arrive by two routes that change its header, date or text. Some programs
give all their messages the same Message-ID. `reply_digest` is equal for copies: it covers the
sender and the reply text, without quotes and signatures.
"""

from __future__ import annotations

import hashlib
import hmac

from engine import registry
from pbem.domain.words.orders import order_reader
from pbem.errors import MailError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.service.core import whose
from pbem.service.core.context import Service

_HEAD_END = b"\r\n\r\n"


def reply_digest(service: Service, raw: bytes) -> str:
    """Return a keyed digest of a message's sender and reply text, for idempotency keys.

    If the text contains orders, only they are hashed, because a server may add a warning or a
    footer and no move may be played twice. If the message cannot be read, its whole body is hashed.
    """
    sender, words = "", list[str]()
    try:
        mail = whose.read(service, raw, None)
    except MailError:
        mail = None
    if mail is not None:
        sender = mail.sender or ""
        words = _words(service, mail)
    if mail is None or mail.unread is not None:
        words.append(hashlib.sha256(raw[raw.find(_HEAD_END) :]).hexdigest())
    data = "\n".join(["pbem-same-v2", sender, *words]).encode("utf-8", "replace")
    return hmac.new(service.tokens.keys[0], data, hashlib.sha256).hexdigest()[:24]


def _words(service: Service, mail: InboundMail) -> list[str]:
    """Return the words of a message that `reply_digest` hashes."""
    with service.store.reading() as uow:
        writer = uow.players.by_address(mail.sender or "")
    language = service.config.service.language if writer is None else writer.language
    reader = order_reader(tuple(registry.latest()), (), language)
    reply = extract_reply(mail, recogniser=reader)
    lines = [*reply.text.splitlines(), *reply.doubts]
    orders = [line for line in lines if reader.is_order(line)]
    return " ".join(orders or lines).split()

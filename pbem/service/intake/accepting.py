"""Accept a message: commit its raw bytes to the inbox before the transport confirms it.

Only the columns of the inbox row are parsed here: the idempotency key and the game.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from engine import registry
from pbem.domain.terms.tokens import SeatToken, Token, find_token
from pbem.domain.words.orders import order_reader
from pbem.errors import MailError, MalformedMailError
from pbem.mail_in.mime.addresses import RECIPIENT_FIELDS
from pbem.mail_in.mime.headers import decode_words, header_of
from pbem.mail_in.mime.message import Envelope, InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.transports.transport import RejectedMail
from pbem.service.core import sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import Verdict
from pbem.service.notify import refusing
from pbem.store.rows.core import InboxMail

log = structlog.get_logger(__name__)

_MESSAGE_ID = re.compile(rb"^message-id:\s*<([^<>\s]{1,990})>", re.IGNORECASE | re.MULTILINE)
_ADDRESS_HEADER = re.compile(
    rb"^(?:(?:to|cc|delivered-to|x-original-to|envelope-to|subject):[^\r\n]{0,2000}"
    rb"|(?:references|in-reply-to):[^\r\n]{0,20000})",
    re.IGNORECASE | re.MULTILINE,
)
_ID = re.compile(r"<([^<>\s]{1,990})>")
_ANSWERS = 30
_ADDRESS = re.compile(r"[^\s<>,;:\"()]{1,128}@[a-z0-9.-]{1,253}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The result of storing a message: its inbox ID (None for a duplicate), and its game."""

    inbox_id: int | None
    game_id: str | None


def receive(service: Service, raw: bytes, envelope: Envelope) -> Acceptance:
    """Store a raw message durably and once, perhaps in a transaction shared with other threads.

    Raises: MalformedMailError if the message exceeds the size limit. It is not stored in that case.
    """
    limit = service.config.limits.max_mail_bytes
    if len(raw) > limit:
        raise MalformedMailError(
            f"the mail has {len(raw)} bytes, more than the {limit} that are accepted:"
            " answer with a few lines of text and without attachments"
        )
    head = header_of(raw)
    address, token = _token_of(service, head, envelope)
    game_id, seat = (token.game_id, token.seat) if isinstance(token, SeatToken) else (None, None)

    def keep(key: str) -> int | None:
        arrival = InboxMail(
            raw=raw,
            key=key,
            mail_from=envelope.mail_from,
            rcpt_to=envelope.rcpt_to,
            transport=envelope.transport,
            arrived_at=envelope.arrived_at,
            game_id=game_id,
            seat=seat,
        )
        return service.store.run_grouped(lambda uow: uow.inbox.add(arrival))

    key = idempotency_key(raw, head, address)
    inbox_id = keep(key)
    if inbox_id is None:
        inbox_id = _keep_another(service, raw, key, keep)
    return Acceptance(inbox_id, game_id)


def _keep_another(
    service: Service, raw: bytes, taken: str, keep: Callable[[str], int | None]
) -> int | None:
    """Store a message that has the Message-ID of an earlier message, unless it is a copy of it."""
    with service.store.reading() as uow:
        earlier, fingerprint = uow.inbox.raw_of(taken)
    if fingerprint == hashlib.sha256(raw).hexdigest():
        return None
    digest = _reply_digest(service, raw)
    if earlier and _reply_digest(service, earlier) == digest:
        return None
    return keep(f"{taken}.{digest}")


def set_aside(
    service: Service, raw: bytes, envelope: Envelope, rejected: RejectedMail
) -> Acceptance:
    """Store a message that cannot be accepted, and notify its sender once.

    The message is not assigned to a game, so that an oversized message does not stop a clock. It is
    settled immediately, or quarantined if it could not be stored or fetched.

    Args:
        service: the service.
        raw: the message or its beginning. May be empty.
        envelope: its SMTP envelope.
        rejected: why the message cannot be accepted.
    """
    mail = _head_of(service, raw, envelope)
    head = header_of(raw)
    address, _ = _token_of(service, head, envelope)
    key = idempotency_key(raw or rejected.name.encode(), head, address)
    with service.store.unit_of_work() as uow:
        inbox_id = uow.inbox.add(
            InboxMail(
                raw=raw,
                key=key,
                mail_from=envelope.mail_from,
                rcpt_to=envelope.rcpt_to,
                transport=envelope.transport,
                arrived_at=envelope.arrived_at,
            )
        )
        if inbox_id is None:
            return Acceptance(None, None)
        status = "shunted" if rejected.size is None else "ignored"
        verdict = Verdict(status, rejected.why).as_json()
        now = service.now()
        uow.inbox.mark(inbox_id, status, verdict=verdict, error=rejected.why, handled_at=now)
        row = uow.inbox.get(inbox_id)
        if mail is not None and row is not None:
            message = refusing.SET_ASIDE
            if rejected.size is not None:
                message = refusing.too_large(rejected.size, service.config.limits.max_mail_bytes)
            refusing.tell_set_aside(service, uow, row, mail, message)
    if status == "shunted":
        log.error("mail quarantined", action="mail_shunted", inbox=inbox_id, error=rejected.why)
    else:
        log.info("mail too large", action="mail_too_large", inbox=inbox_id, why=rejected.why)
    return Acceptance(inbox_id, None)


def _head_of(service: Service, raw: bytes, envelope: Envelope) -> InboundMail | None:
    """Parse the header of a message. Return None if it is unreadable."""
    try:
        return sender_identity.read(service, raw, envelope.mail_from, head_only=True)
    except MailError:
        return None


def is_deliverable(service: Service, address: str) -> bool:
    """True if a recipient address is ours and its MAC, if any, is valid.

    The SMTP listener rejects other addresses at RCPT.
    """
    if not service.tokens.is_ours(address):
        return False
    text = service.tokens.token_text(address)
    return text is None or service.tokens.decode(text) is not None


def idempotency_key(raw: bytes, head: bytes, address: str | None) -> str:
    """Return the key of a message: a hash of its recipient and Message-ID, or of its bytes.

    A different message with the same Message-ID gets a separate key, see `_reply_digest`.

    Args:
        raw: the message.
        head: its header.
        address: our address that received it. If a message is sent to both a reply address and the
            plain address, two copies can arrive. Both have the reply address.
    """
    match = _MESSAGE_ID.search(head)
    name = match.group(1) if match else b"sha256:" + hashlib.sha256(raw).digest()
    return hashlib.sha256((address or "").lower().encode() + b"\n" + name).hexdigest()


def _token_of(service: Service, head: bytes, envelope: Envelope) -> tuple[str | None, Token | None]:
    """Return our address that a message was sent to, and its token, like `sender_identity.token_of`."""
    fields: dict[str, list[str]] = {}
    for header in _ADDRESS_HEADER.findall(head)[:20]:
        name, _, value = header.decode("ascii", "replace").partition(":")
        fields.setdefault(name.lower(), []).append(value)
    addresses = [envelope.rcpt_to] if envelope.rcpt_to else []
    for name in RECIPIENT_FIELDS:
        for value in fields.get(name, ()):
            addresses.extend(_ADDRESS.findall(value)[:20])
    subject = decode_words(next(iter(fields.get("subject", ())), ""))
    text, token = find_token(service.tokens, addresses, subject)
    if text is None:
        chain = " ".join(fields.get("references", [])[:1] + fields.get("in-reply-to", [])[:1])
        answered = list(dict.fromkeys(reversed(_ID.findall(chain))))[:_ANSWERS]
        with service.store.reading() as uow:
            text, token = sender_identity.answered_token(service, uow, answered)
    if token is None:
        return envelope.rcpt_to, None
    return f"{service.tokens.local}+{text}@{service.tokens.domain}", token


_HEAD_END = b"\r\n\r\n"


def _reply_digest(service: Service, raw: bytes) -> str:
    """Return a keyed digest of a message's sender and reply text, for idempotency keys.

    It is equal for copies of a message, which can arrive by two routes that change header, date or
    text, and differs for other messages with the same Message-ID, which some programs send.

    If the text contains orders, only they are hashed, because a server may add a warning or a
    footer and no move may be played twice. If the message cannot be read, its whole body is hashed.
    """
    sender, words = "", list[str]()
    try:
        mail = sender_identity.read(service, raw, None)
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

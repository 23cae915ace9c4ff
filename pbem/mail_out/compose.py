"""Composition of MIME messages with all headers (RFC 5322, 2045, 2047, 3834).

Every octet is written here, so that the same input gives the same bytes in every Python version: a
message that is resent must be the same message. Control characters never get into a header. Cc and
Bcc are never used: each message has one recipient.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote

from pbem import openpgp
from pbem.domain.log.chain import Head
from pbem.mail_out.render import Rendered
from pbem.plain import clean

CRLF = "\r\n"
_MIME = f"{CRLF}MIME-Version: 1.0{CRLF}"
"""Separator between the header of a mail and the headers of its body."""
_REPLY_TO = re.compile(r"\r\nReply-To:[^\r]*(?:\r\n [^\r]*)*")
_FOLD_AT = 76
_LINE_OCTETS = 57  # 76 columns of base64
_ENCODED_BYTES = 42  # UTF-8 octets in one encoded word: 56 of base64, 68 with its frame

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_ID = re.compile(r"[\x21-\x3b\x3d\x3f-\x7e]{1,200}")
_LINK = re.compile(r"mailto:[\x21-\x3b\x3d\x3f-\x7e]{1,600}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
_PLAIN_PHRASE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
_HEX = re.compile(r"[0-9a-f]{64}")

AUTOMATIC = ("auto-generated", "auto-replied")
SUPPRESS = "OOF, AutoReply, RN, NRN, DR"
"""Types of answers that Exchange must not send us. Not `All`, because we want bounces."""


@dataclass(frozen=True, slots=True)
class MailHead:
    """Values for the headers of a message. IDs have no angle brackets.

    Attributes:
        sender_name: display name of the service. May be empty.
        recipient: address of the recipient.
        date: timezone-aware time.
        message_id: assigned when the message is queued and kept for every delivery attempt.
        own_address: the service's address without a token. It is the From address of every
            message, so that mail programs can remember it. PBEM-Loop contains it too, so that
            intake recognises our messages.
        reply_to: the address with the token, or `own_address`.
        token: identifies replies to `own_address`. It appears in a header, in
            References (which replies repeat) and at the end of the text (which replies quote).
            None if `reply_to` contains it.
        recipient_name: may be empty.
        root: ID that all messages for the same game and seat refer to, or None outside games. The
            message with this ID has no reference.
        answers: ID of the message that this message answers, as received. Omitted if malformed.
        automatic: `auto-generated`, or `auto-replied` for an answer (RFC 3834 §5).
        heads: for each game in the message, the log heads reported in this and in the previous
            message.
        unsubscribe: `mailto:` link that unsubscribes from all messages, or None.
    """

    recipient: str = field(repr=False)
    date: datetime
    message_id: str
    own_address: str = field(repr=False)
    reply_to: str = field(repr=False)
    sender_name: str = ""
    recipient_name: str = field(default="", repr=False)
    root: str | None = None
    answers: str | None = None
    automatic: str = "auto-generated"
    heads: tuple[tuple[str, Head, Head], ...] = ()
    unsubscribe: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


HTML_LIMIT = 100_000
"""Maximum size in bytes. Some mail programs cut larger messages, which hides their end."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file in a message, byte for byte.

    Attributes:
        kind: the value of its Content-Type, without the name.
    """

    name: str
    kind: str
    data: bytes = field(repr=False)


def forms(rendered: Rendered) -> tuple[str, str]:
    """Return the plain text and the HTML of a message. HTML is empty if missing or too large."""
    is_fit = len(rendered.html.encode("utf-8", "replace")) <= HTML_LIMIT
    return rendered.text, rendered.html if is_fit else ""


def compose(rendered: Rendered, head: MailHead, attachment: Attachment | None = None) -> bytes:
    """Compose a message. HTML that is empty or too large is omitted.

    Args:
        rendered: the rendered content.
        head: values for the headers.
        attachment: a file to attach, or None.

    Raises:
        ValueError: an address or ID of the service is malformed. The error text does not contain
            it.
    """
    name = hashlib.sha256(head.message_id.encode()).hexdigest()[:40]
    text, html = forms(rendered)
    bodies = [("plain", text), *([("html", html)] if html else [])]
    body = _multipart(
        "alternative", f"=_{name}", [_format_part(subtype, text) for subtype, text in bodies]
    )
    if attachment is not None:
        body = _multipart("mixed", f"=.{name}", [body, _attached(attachment)])
    headers = CRLF.join(_headers(rendered.subject, head))
    return f"{headers}{_MIME}{body}".encode("ascii")


def encrypted(raw: bytes, own_address: str, key: bytes, secret: bytes) -> bytes:
    """Encrypt a message (PGP/MIME, RFC 3156) and add our own key to its header (Autocrypt).

    Mail programs store our key only for the address in From, so replies must go there. Reply-To is
    therefore removed, and replies are recognised by the Message-ID that they refer to, as with
    `addressing = "plain"`.

    Raises:
        OpenPgpError: encryption failed.
    """
    head, _, inside = raw.decode("ascii").partition(_MIME)
    head = _REPLY_TO.sub("", head)
    message = openpgp.encrypted(inside.encode("ascii"), key, secret).replace("\n", CRLF)
    own = base64.b64encode(openpgp.public(secret)).decode("ascii")
    lines = [own[start : start + _FOLD_AT] for start in range(0, len(own), _FOLD_AT)]
    autocrypt = f"Autocrypt: addr={own_address}; prefer-encrypt=mutual; keydata="
    body = _multipart(
        'encrypted; protocol="application/pgp-encrypted"',
        f"=-{hashlib.sha256(head.encode()).hexdigest()[:40]}",
        [
            f"Content-Type: application/pgp-encrypted{CRLF}{CRLF}Version: 1{CRLF}",
            f"Content-Type: application/octet-stream{CRLF}{CRLF}{message}",
        ],
    )
    return f"{CRLF.join([head, autocrypt, *(f' {line}' for line in lines)])}{_MIME}{body}".encode()


def without_words(raw: bytes, instead: str) -> bytes:
    """Return a message with its body replaced by a plain text. The header is not changed."""
    head, _, _ = raw.decode("ascii").partition(_MIME)
    return f"{head}{_MIME}{_format_part('plain', instead)}".encode("ascii")


def _multipart(subtype: str, boundary: str, parts: Sequence[str]) -> str:
    """Combine parts, which include their own headers, into one multipart part."""
    inside = "".join(f"--{boundary}{CRLF}{content}{CRLF}" for content in parts)
    header = f'Content-Type: multipart/{subtype};{CRLF} boundary="{boundary}"'
    return f"{header}{CRLF}{CRLF}{inside}--{boundary}--{CRLF}"


def _attached(file: Attachment) -> str:
    """Encode a file as a base64 attachment, so that mail systems do not change its bytes."""
    data = file.data
    lines = [data[start : start + _LINE_OCTETS] for start in range(0, len(data), _LINE_OCTETS)]
    encoded = CRLF.join(base64.b64encode(line).decode("ascii") for line in lines)
    return CRLF.join(
        [
            f'Content-Type: {file.kind};{CRLF} name="{file.name}"',
            "Content-Transfer-Encoding: base64",
            f'Content-Disposition: attachment; filename="{file.name}"',
            "",
            encoded,
        ]
    )


def _headers(subject: str, head: MailHead) -> Iterable[str]:
    own_address = _checked(_ADDRESS, head.own_address, "own address")
    yield _fold("From", _mailbox(head.sender_name, own_address))
    yield _fold("To", _mailbox(head.recipient_name, head.recipient))
    yield _fold("Reply-To", _mailbox(head.sender_name, head.reply_to))
    if head.token is not None:
        yield _fold("PBEM-Token", _checked(_NAME, head.token, "token"))
    yield _fold("Subject", _unstructured(subject))
    yield _fold("Date", format_datetime(head.date.astimezone(UTC)))
    yield _fold("Message-ID", _own_id(head.message_id))
    references = _references(head)
    if references:
        yield _fold("In-Reply-To", references[-1])
    if head.token is not None:  # replies repeat it, even if a provider replaces our Message-ID
        domain = head.message_id.rpartition("@")[2]
        references[1:1] = [_own_id(f"{head.token}@{domain}")]
    if references:
        yield _fold("References", " ".join(references))
    if head.unsubscribe is not None:
        yield f"List-Unsubscribe:{CRLF} <{_checked(_LINK, head.unsubscribe, 'unsubscribe link')}>"
    if head.automatic not in AUTOMATIC:
        raise ValueError(f"automatic is one of {', '.join(AUTOMATIC)}")
    yield f"Auto-Submitted: {head.automatic}"
    yield f"X-Auto-Response-Suppress: {SUPPRESS}"
    yield _fold(
        "PBEM-Loop", own_address
    )  # Evolution takes X-Loop, like List-Id, for a mailing list
    for game, own, before in head.heads:
        yield _chain_header("Head", game, own)
        yield _chain_header("Before", game, before)


def _chain_header(name: str, game_id: str, head: Head) -> str:
    digest = _checked(_HEX, head.hash, "chain head")
    game = _checked(_NAME, game_id, "game id")
    return f"PBEM-Chain-{name}:{CRLF} {digest}{CRLF} {int(head.version)} {game}"


def _references(head: MailHead) -> list[str]:
    """Return the IDs that a message refers to, oldest first. A malformed received ID is omitted."""
    result: list[str] = []
    if head.root is not None and head.root != head.message_id:
        result.append(_own_id(head.root))
    answers = (head.answers or "").strip().removeprefix("<").removesuffix(">")
    if _ID.fullmatch(answers) and f"<{answers}>" not in result:
        result.append(f"<{answers}>")
    return result


def _own_id(message_id: str) -> str:
    return f"<{_checked(_ID, message_id, 'message id')}>"


def _checked(form: re.Pattern[str], text: str, what: str) -> str:
    """Return the text if it matches the pattern.

    Raises:
        ValueError: it does not match. The error does not contain the text, which may be an address.
    """
    if not form.fullmatch(text):
        raise ValueError(f"the {what} is malformed")
    return text


def _mailbox(name: str, address: str) -> str:
    checked = _checked(_ADDRESS, address, "address")
    shown = clean(name, 100)
    if not shown:
        return checked
    if not shown.isascii() or "=?" in shown:
        return f"{_encoded_words(shown)} <{checked}>"
    if _PLAIN_PHRASE.fullmatch(shown):
        return f"{shown} <{checked}>"
    escaped = re.sub(r'(["\\])', r"\\\1", shown)
    return f'"{escaped}" <{checked}>'


def _unstructured(text: str) -> str:
    shown = clean(text, 400)
    is_plain = shown.isascii() and "=?" not in shown
    too_long = any(len(word) > _FOLD_AT - len("Subject: ") for word in shown.split(" "))
    return shown if is_plain and not too_long else _encoded_words(shown)


def _encoded_words(text: str) -> str:
    """Encode a text as RFC 2047 words, base64 over UTF-8. Never split a character."""
    words: list[bytes] = [b""]
    for char in text:
        encoded = char.encode("utf-8", "replace")
        if len(words[-1]) + len(encoded) > _ENCODED_BYTES:
            words.append(b"")
        words[-1] += encoded
    return " ".join(f"=?utf-8?b?{base64.b64encode(word).decode('ascii')}?=" for word in words)


def _fold(name: str, value: str) -> str:
    """Format one header. Fold it at spaces to stay within 78 columns if possible."""
    lines: list[str] = []
    line, is_bare = f"{name}:", True
    for word in value.split(" "):
        if not is_bare and len(line) + 1 + len(word) > _FOLD_AT:
            lines.append(line)
            line = ""
        line += f" {word}"
        is_bare = False
    return CRLF.join([*lines, line])


def _format_part(subtype: str, body: str) -> str:
    """Format one body with its headers: 7bit if possible, else quoted-printable."""
    lines = body.rstrip("\n").split("\n")
    text = CRLF.join(lines) + CRLF
    is_plain = text.isascii() and all(_is_harmless(line) for line in lines)
    if is_plain:
        encoding, encoded = "7bit", text
    else:
        encoding = "quoted-printable"
        encoded = binascii.b2a_qp(text.encode("utf-8", "replace")).decode("ascii")
        encoded = f"\n{encoded}".replace("\nFrom ", "\n=46rom ")[1:]  # mbox folders would change it
    return (
        f'Content-Type: text/{subtype}; charset="utf-8"{CRLF}'
        f"Content-Transfer-Encoding: {encoding}{CRLF}{CRLF}{encoded}"
    )


def _is_harmless(line: str) -> bool:
    """True if a line needs no encoding: it is short and contains nothing that mail systems change."""
    return (
        len(line) <= _FOLD_AT
        and line.isprintable()
        and not line.endswith(" ")
        and not line.startswith(("From ", "."))
    )


def mailto_link(address: str, subject: str = "", body: str = "") -> str:
    """Return a `mailto:` link (RFC 6068) that opens a prepared message.

    Spaces become `%20` and line breaks `%0D%0A`. A `+` in the address becomes `%2B`, because some
    mail programs interpret a plain `+` as a space.
    """
    fields = [
        f"{name}={quote(CRLF.join(text.splitlines()), safe='')}"
        for name, text in (("subject", subject), ("body", body))
        if text
    ]
    link = f"mailto:{quote(address, safe='@')}"
    return f"{link}?{'&'.join(fields)}" if fields else link

"""Strict parsing of addresses in header fields, which decide who may act.

Some libraries read `From: alice@example.org <bob@evil.example>` as alice, most mail clients as bob.
A sender is therefore taken only from an unambiguous field. Any other field results in a reason
instead of a sender.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from email_validator import EmailNotValidError, validate_email

from pbem.mail_in.mime.headers import Headers

_FIELD_LENGTH: Final = 16_384
_ADDRESS_LENGTH: Final = 254
_RECIPIENTS: Final = 100
_AUTHORS: Final = 5
_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
RECIPIENT_FIELDS: Final = ("to", "delivered-to", "x-original-to", "envelope-to", "cc")
"""Header fields with recipients, the most likely ones first."""


@dataclass(slots=True)
class Mailbox:
    """One entry of an address list, split but not yet validated.

    Attributes:
        phrase: the text before the first bracket, without quoted strings and comments.
        angle: the text in each pair of brackets.
        tail: the text after a bracket.
        comments: the text in parentheses, including the parentheses.
        quoted: True if there is a quoted string.
    """

    phrase: str = ""
    angle: list[str] = field(default_factory=list)
    tail: str = ""
    comments: list[str] = field(default_factory=list)
    quoted: bool = False


_TOKEN: Final = re.compile(
    r"""
    (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<comment>\((?:[^()\\]|\\.)*\))
    | (?P<angle><[^<>"(]*>)
    | (?P<comma>[,;])
    | (?P<text>[^"()<>,;]+)
    """,
    re.VERBOSE | re.DOTALL,
)


def split_list(value: str) -> list[Mailbox] | None:
    """Split an address list in one pass.

    None if quotes, comments or brackets are unclosed or nested: a comment in a comment, or a
    comment or a quoted string in brackets.
    """
    value = value[:_FIELD_LENGTH]
    boxes = [Mailbox()]
    index = 0
    while index < len(value):
        match = _TOKEN.match(value, index)
        if match is None:
            return None
        index, text, box = match.end(), match.group(), boxes[-1]
        match match.lastgroup:
            case "quoted":
                box.quoted = True
            case "comment":
                box.comments.append(text)
            case "angle":
                box.angle.append(text[1:-1].strip())
            case "comma":
                boxes.append(Mailbox())
            case _ if box.angle:
                box.tail += text.strip()
            case _:
                box.phrase = f"{box.phrase}{text}".strip()
    return [box for box in boxes if box.phrase or box.angle or box.tail or box.quoted]


def normal_address(text: str) -> str | None:
    """Normalise an address: lower case, with the domain in ASCII (`xn--…`). None if malformed.

    Internationalised domains are compared only in their ASCII form, so that look-alikes stay
    distinct. Non-ASCII local parts are rejected, because some characters, such as the Kelvin sign,
    have an ASCII letter as their lower case.
    """
    address = text.strip()
    local, separator, domain = address.rpartition("@")
    if not local.isascii():
        return None
    address = address.lower()
    local, separator, domain = address.rpartition("@")
    if separator and not domain.isascii() and len(address) <= _ADDRESS_LENGTH:
        domain = _ascii_domain(domain)
        address = f"{local}@{domain}"
    if not separator or len(address) > _ADDRESS_LENGTH or not address.isascii():
        return None
    if len(local) > 64 or not _LOCAL.fullmatch(local):  # noqa: PLR2004  (RFC 5321 §4.5.3.1.1)
        return None
    labels = domain.split(".")
    if any(len(label) > 63 or not _LABEL.fullmatch(label) for label in labels):  # noqa: PLR2004  (RFC 1035 §2.3.4)
        return None
    return address


def _ascii_domain(domain: str) -> str:
    """Convert a domain to its DNS form. Return an empty text if it is invalid."""
    try:
        checked = validate_email(f"x@{domain}", check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return ""
    return checked.ascii_domain.lower()


def sender_of(headers: Headers) -> tuple[str | None, str | None]:
    """Return the only address in From. If there is not exactly one, return None and the reason."""
    values = headers.all("from")
    if len(values) != 1:
        return None, "no From field" if not values else "more than one From field"
    value = values[0]
    if len(value) > _FIELD_LENGTH:
        return None, "the From field is too long"
    if not value.isprintable():
        return None, "control characters in the From field"
    boxes = split_list(value) or []
    if len(boxes) != 1:
        return None, "the From field is not exactly one address"
    return _address_of(boxes[0])


def _address_of(box: Mailbox) -> tuple[str | None, str | None]:
    """Return the address of a From entry, or None and the reason."""
    if any(mark in comment for comment in box.comments for mark in "@<"):
        return None, "a comment in the From field that could be an address"
    if len(box.angle) > 1 or box.tail or ":" in box.phrase or (box.quoted and not box.angle):
        return None, "the From field can be read in more than one way"
    text = box.angle[0] if box.angle else box.phrase
    address = normal_address(text)
    if address is None:
        reason = "has no well-formed address" if text.isascii() else "has non-ASCII letters"
        return None, f"the From field {reason}"
    if box.angle and "@" in box.phrase and box.phrase.lower() != address:
        return None, "the From field shows a second address"
    return address, None


def authors_of(headers: Headers) -> tuple[str, ...]:
    """Return all addresses of a From field with several unambiguous entries, or an empty tuple.

    Entries without an address are treated as parts of a name with a comma. If Sender is one of the
    authors, only that author is returned (RFC 5322 §3.6.2).
    """
    values, senders = headers.all("from"), headers.all("sender")
    value = values[0] if len(values) == 1 else ""
    boxes = split_list(value) if len(value) <= _FIELD_LENGTH and value.isprintable() else None
    if boxes is None or not 1 < len(boxes) <= _AUTHORS:
        return ()
    addresses = [_address_of(box)[0] for box in boxes if box.angle or "@" in box.phrase]
    authors = tuple(dict.fromkeys(address for address in addresses if address is not None))
    if len(authors) != len(set(addresses)):
        return ()
    sender = normal_address(senders[0].rpartition("<")[2].rstrip("> ")) if senders else None
    return (sender,) if sender in authors else authors


def recipients_of(headers: Headers) -> tuple[str, ...]:
    """Return up to 100 distinct recipient addresses from the header of a message."""
    result: dict[str, None] = {}
    for name in RECIPIENT_FIELDS:
        for value in headers.all(name)[:20]:
            for box in split_list(value) or ():
                text = box.angle[0] if box.angle else box.phrase.rpartition(":")[2]
                address = normal_address(text)
                if address is not None:
                    result[address] = None
                if len(result) >= _RECIPIENTS:
                    return tuple(result)
    return tuple(result)

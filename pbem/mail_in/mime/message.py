"""Value types of parsed messages."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime

from pbem.mail_in.mime.lines import BodyLine


class Triage(enum.Enum):
    """Kind of a message by its origin.

    Only `HUMAN` is answered (RFC 3834 §2), and `LISTED` if it is a player's order.
    """

    HUMAN = "human"
    AUTO = "auto"
    """Vacation notices, read receipts (MDN) and other automatic messages."""
    LISTED = "listed"
    """List or bulk mail without other signs of automation.

    It is from a mailing list, or from a person and forwarded by an alias service or group.
    """
    BOUNCE = "bounce"
    """A delivery status notification, or a failure notice in another format."""
    COMPLAINT = "complaint"
    """A feedback report (ARF, RFC 5965)."""
    OWN = "own"
    """A message of the service that was returned to it (a mail loop)."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The envelope of a message, and how it arrived.

    Attributes:
        mail_from: envelope sender, or empty for the null sender `<>`, None if unknown (a file).
        rcpt_to: envelope recipient, None if unknown.
        transport: `smtp`, `lmtp`, `pipe`, `file`, `imap` or `maildir`.
        arrived_at: the time that counts for deadlines.
    """

    mail_from: str | None = field(repr=False)
    rcpt_to: str | None = field(repr=False)
    transport: str
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class InboundMail:
    """A parsed message whose text has not been interpreted yet.

    Attributes:
        message_id: Message-ID without angle brackets, or None if missing or malformed.
        sender: the only well-formed From address in lower case, or None if missing or ambiguous.
        recipients: addresses in To, Delivered-To, X-Original-To, Envelope-To and Cc, in lower case.
        subject: decoded subject without control characters, at most 500 characters.
        answers: Message-IDs in In-Reply-To and References, last first, at most 30.
        triage: see `Triage`.
        plain: decoded text/plain body with format=flowed undone, or None.
        html: decoded text/html body, or None.
        problems: descriptions of anomalies, without content, addresses or tokens.
        unread: the reason why the body was not read, or None. Header fields are then best effort.
        rich: the lines of `html` if they were already extracted (`Reader`), or None.
        authors: well-formed addresses of a From field that has several, in lower case.
        autocrypt: the sender's OpenPGP key, as returned by `autocrypt.key_of`.
    """

    message_id: str | None
    sender: str | None = field(repr=False)
    recipients: tuple[str, ...] = field(repr=False)
    subject: str = field(repr=False)
    answers: tuple[str, ...]
    triage: Triage
    plain: str | None = field(repr=False)
    html: str | None = field(repr=False)
    problems: tuple[str, ...] = ()
    unread: str | None = None
    rich: tuple[BodyLine, ...] | None = field(default=None, repr=False)
    authors: tuple[str, ...] = field(default=(), repr=False)
    autocrypt: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """The text that the player wrote in a message.

    Attributes:
        text: the player's text without quoted text and signature. Lines are separated by LF.
        doubts: orders in lines that may be quoted. They are not executed, and the player is asked.
        left_out: orders in lines that are almost certainly quoted, if there is also a definite
            order. They are not executed, and the answer mentions them.
        is_cleared: True if no order is left because all were classified as quoted.
        problems, unread: as in `InboundMail`.
        witness: the player's text in the other form, if the message has both plain text and HTML.
    """

    text: str = field(repr=False)
    doubts: tuple[str, ...] = field(default=(), repr=False)
    left_out: tuple[str, ...] = field(default=(), repr=False)
    is_cleared: bool = False
    problems: tuple[str, ...] = ()
    unread: str | None = None
    witness: str | None = field(default=None, repr=False)

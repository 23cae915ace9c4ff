"""The values that intake makes from raw mails."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime

from pbem.mail_in.mime.lines import BodyLine


class Triage(enum.Enum):
    """The kind of a mail.

    Only `HUMAN` is answered (RFC 3834 §2), and `LISTED` if it is a player's order.
    """

    HUMAN = "human"
    AUTO = "auto"
    """Vacation notices, read receipts (MDN) and other mails by machines."""
    LISTED = "listed"
    """Marked as list or bulk mail, and by no other sign a machine's: a list's mail, or a person's that an
    alias service or a group passed on."""
    BOUNCE = "bounce"
    """A delivery status notification, or a failure notice in some other form."""
    COMPLAINT = "complaint"
    """A feedback report (ARF, RFC 5965)."""
    OWN = "own"
    """One of our own mails that came back: a loop."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """How a mail reached us.

    Attributes:
        mail_from: envelope sender; empty for the null sender `<>`, None if unknown (a file).
        rcpt_to: envelope recipient, None if unknown.
        transport: the way in: `smtp`, `lmtp`, `pipe`, `file`, `imap`, `maildir`.
        arrived_at: the instant that counts for deadlines.
    """

    mail_from: str | None = field(repr=False)
    rcpt_to: str | None = field(repr=False)
    transport: str
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class InboundMail:
    """A raw mail as it was read, before its meaning is known.

    Attributes:
        message_id: without angle brackets, None if missing or malformed.
        sender: the one well-formed From address in lower case; None if missing or in doubt.
        recipients: addresses of To, Delivered-To, X-Original-To, Envelope-To and Cc, lower case.
        subject: decoded, control characters removed, at most 500 characters.
        answers: Message-IDs of In-Reply-To and References, last first, at most 30.
        triage: see `Triage`.
        plain: decoded text/plain body (format=flowed undone), None if there is none.
        html: decoded text/html body, None if there is none.
        problems: oddities, in words without content, addresses or tokens.
        unread: why the body was not read, None if it was; the header is as good as possible.
        rich: the lines of `html` if they were already extracted (`Reader`), else None.
        authors: well-formed addresses of a From that does not name exactly one, lower case.
        autocrypt: the sender's OpenPGP key, as `autocrypt.key_of` returns it.
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
    """The player's own words.

    Attributes:
        text: own text, lines joined with LF, quoted text and signature removed.
        doubts: lines that may be quoted and that read as orders: execute none of them, ask.
        left_out: lines that are most probably quoted and read as orders, below or within our mail,
            where an order is surely own: execute none of them, and say so.
        is_cleared: it has no order, because the lines that read as orders were taken for quoted.
        problems, unread: as in `InboundMail`.
        witness: own text of the other form, if the mail has both text and HTML.
    """

    text: str = field(repr=False)
    doubts: tuple[str, ...] = field(default=(), repr=False)
    left_out: tuple[str, ...] = field(default=(), repr=False)
    is_cleared: bool = False
    problems: tuple[str, ...] = ()
    unread: str | None = None
    witness: str | None = field(default=None, repr=False)

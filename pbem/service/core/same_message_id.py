"""Two mails with one Message-ID: copies of one mail, two mails, or in doubt.

A mail may arrive by two routes, each of which adds to its header, and a list may add a footer. Some
programs give all their mails the same Message-ID. So we compare From, Date, Subject and the words.
If in doubt, we carry out nothing and ask the sender to send the mail again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

from engine.sentences import sentence
from pbem.errors import MailError
from pbem.mail_in.mime.headers import header_of
from pbem.service.core import whose
from pbem.service.core.context import Service

DOUBT = sentence(
    "I had another mail with the same Message-ID already, and cannot tell whether this one is new; so"
    " nothing in it was carried out. If it is new, please write it once more as a new mail, or as"
    " another answer."
)
SENT_AGAIN = timedelta(hours=1)
"""A program that sends a mail once more may date it anew, so soon after the first time."""
_HEAD_END = b"\r\n\r\n"
_DATE = re.compile(rb"^date:[ \t]*([^\r\n]{1,200})", re.IGNORECASE | re.MULTILINE)
_FOOTER = re.compile(r"[-_=*~]{2,80}")
"""The word with which a signature or the footer of a list begins."""


class Likeness(Enum):
    """How a mail compares with an earlier one."""

    SAME = "same"
    OTHER = "other"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class _Essence:
    """The parts of a mail that are compared; its words without white space."""

    sender: str | None = field(repr=False)
    sent_at: datetime | None
    subject: str = field(repr=False)
    words: tuple[str, ...] = field(repr=False)


def keys(service: Service, raw: bytes, key: str) -> tuple[str, str]:
    """Return two keys for a mail whose usual key is taken by another mail.

    The first depends on its words, so that copies get the same key. The second depends on its date,
    too.
    """
    essence = _essence(service, raw)
    footer = next((n for n, word in enumerate(essence.words) if _FOOTER.fullmatch(word)), None)
    said = "\n".join([essence.sender or "", *essence.words[:footer]])
    words = f"{key}.{_mark(service, said)}"
    return words, f"{words}.{_mark(service, f'{essence.sent_at} {essence.subject}')}"


def _mark(service: Service, text: str) -> str:
    """Return a keyed digest of a text, which nobody can guess from the database alone."""
    data = b"pbem-same-v1\n" + text.encode("utf-8", "replace")
    return hmac.new(service.tokens.keys[0], data, hashlib.sha256).hexdigest()[:24]


def likeness(service: Service, raw: bytes, earlier: bytes) -> Likeness:
    """Compare a mail with an earlier one of the same Message-ID.

    Args:
        service: has the reader that parses the mails.
        raw: the bytes of the mail.
        earlier: the bytes of the earlier mail; empty once they are pruned, long after any copy
            arrives.
    """
    return (
        _compare(_essence(service, raw), _essence(service, earlier)) if earlier else Likeness.OTHER
    )


def _compare(new: _Essence, old: _Essence) -> Likeness:
    if new.sender != old.sender or not _is_same_subject(new.subject, old.subject):
        return Likeness.OTHER
    apart = timedelta(0)
    if new.sent_at is not None and old.sent_at is not None:
        apart = abs(new.sent_at - old.sent_at)
    if new.words == old.words:
        if not apart:
            return Likeness.SAME
        return Likeness.DOUBT if apart < SENT_AGAIN else Likeness.OTHER
    if apart:
        return Likeness.OTHER
    short, long = sorted((new.words, old.words), key=len)
    if not short:
        return Likeness.OTHER
    if long[: len(short)] == short and _FOOTER.fullmatch(long[len(short)]):
        return Likeness.SAME
    is_around = f" {' '.join(short)} " in f" {' '.join(long)} "
    return Likeness.DOUBT if is_around else Likeness.OTHER


def _is_same_subject(one: str, other: str) -> bool:
    """True if the subjects are equal, or differ only by a list's mark in front."""
    short, long = sorted((one, other), key=len)
    return long == short or (bool(short) and long.endswith(f"] {short}"))


def _essence(service: Service, raw: bytes) -> _Essence:
    """Return the parts of a mail to compare; its whole body if it is unreadable."""
    sent_at = _sent_at(header_of(raw))
    try:
        mail = whose.read(service, raw, None)
    except MailError:
        body = raw[raw.find(_HEAD_END) :]
        return _Essence(None, sent_at, "", tuple(body.decode("latin-1").split()))
    text = mail.plain
    if text is None:
        text = "\n".join(line.text for line in mail.rich or ())
    if mail.unread is not None:
        text += f"\n{hashlib.sha256(raw[raw.find(_HEAD_END) :]).hexdigest()}"
    subject = " ".join(mail.subject.casefold().split())
    return _Essence(mail.sender, sent_at, subject, tuple(text.split()))


def _sent_at(head: bytes) -> datetime | None:
    found = _DATE.search(head)
    if found is None:
        return None
    try:
        moment = parsedate_to_datetime(found.group(1).decode("ascii", "replace"))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None

"""Conversion of raw bytes to an `InboundMail`: total, bounded, linear in the message's size.

It uses small parsers of our own for header fields and parts instead of `email.parser`, which needs
minutes or the whole stack for some messages of a few hundred kilobytes, and raises on `Message-ID:
<>`.
"""

from __future__ import annotations

from pbem.errors import MalformedMailError
from pbem.mail_in.mime.addresses import authors_of, recipients_of, sender_of
from pbem.mail_in.mime.autocrypt import key_of
from pbem.mail_in.mime.headers import Headers, answered_ids, message_id_of, subject_of
from pbem.mail_in.mime.limits import ParseLimits, RawMail, open_raw
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_in.mime.notices import is_gesture, is_protected
from pbem.mail_in.mime.parts import (
    PROTECTED,
    SEALS,
    SKIPPED,
    PartReader,
    Texts,
    content_type_of,
    has_words,
)
from pbem.mail_in.mime.triage import classify, classify_inside

LIMITS = ParseLimits()


def bodies_of(raw: bytes) -> tuple[str | None, str | None]:
    """Return the plain text and HTML of one of our own messages, as in `parse_mail`."""
    opened = open_raw(raw, LIMITS)
    texts, _ = _texts(PartReader(LIMITS, cut=opened.cut), Headers(opened.head), opened)
    return _bodies(texts)


def parse_mail(
    raw: bytes,
    *,
    own_domains: frozenset[str] = frozenset(),
    own_addresses: frozenset[str] = frozenset(),
    mail_from: str | None = None,
    head_only: bool = False,
    secret: bytes | None = None,
) -> InboundMail:
    """Parse a message.

    If a message exceeds the limits, only its header is read, and `unread` is the reason.

    Args:
        raw: the bytes as received.
        own_domains: lower-case domains that only this service uses in Message-IDs. Do not list a
            domain that people also send from.
        own_addresses: lower-case addresses of this service, without the `+token` part.
        mail_from: envelope sender, empty for the null sender, None if unknown.
        head_only: True to skip the body.
        secret: our OpenPGP key, to decrypt an encrypted message.

    Raises:
        MalformedMailError: the message has no header at all.
    """
    opened = open_raw(raw, LIMITS)
    headers = Headers(opened.head)
    problems = list(opened.problems)
    sender, reason = sender_of(headers)
    if reason is not None:
        problems.append(reason)
    message_id = message_id_of(headers)
    if message_id is None:
        problems.append("no well-formed Message-ID")
    reader = PartReader(LIMITS, cut=opened.cut, secret=secret)
    unread: str | None = "only its header was read"
    texts, is_empty = Texts(), True
    if not head_only:
        texts, unread = _texts(reader, headers, opened)
        is_empty = not has_words(texts)
        if unread is None and is_empty:
            lenient = PartReader(LIMITS, cut=opened.cut, secret=secret, is_lenient=True)
            others, why = _texts(lenient, headers, opened)
            is_empty = not has_words(others)
            if why is not None or not is_empty:
                reader, texts, unread = lenient, others, why
    problems.extend(reader.problems)
    plain, html = _bodies(texts)
    inside = reader.opened or Headers([])
    keyed = inside if "autocrypt" in inside.names() else headers
    triage = classify(
        headers,
        content_type_of(headers),
        own_domains=own_domains,
        own_addresses=own_addresses,
        mail_from=mail_from,
    )
    if triage in (Triage.HUMAN, Triage.LISTED) and reader.opened is not None:
        within = classify_inside(inside)
        triage = triage if within is Triage.HUMAN else within
    is_silent = reader.is_reaction or (reader.has_reaction and is_empty)
    if triage in (Triage.HUMAN, Triage.LISTED) and (is_silent or is_gesture(plain, html)):
        triage = Triage.AUTO
    if unread is None and (PROTECTED in reader.problems or is_protected(plain, html)):
        unread, plain, html = PROTECTED, None, None
    elif unread is None and is_empty:
        unread = next((why for why in reader.problems if why in SEALS), None)
        if unread is None and reader.skipped is not None:
            unread = f"{SKIPPED}{reader.skipped}"
    if unread is not None:
        problems.append(f"not read: {unread}")
    elif plain is None and html is None:
        problems.append("no text")
    return InboundMail(
        message_id=message_id,
        sender=sender,
        recipients=recipients_of(headers),
        subject=subject_of(headers),
        answers=answered_ids(inside) or answered_ids(headers),
        triage=triage,
        plain=plain,
        html=html,
        problems=tuple(dict.fromkeys(problems)),
        unread=unread,
        authors=() if sender is not None else authors_of(headers),
        autocrypt=key_of(keyed, sender) if not head_only and "autocrypt" in keyed.names() else (),
    )


def _texts(reader: PartReader, headers: Headers, opened: RawMail) -> tuple[Texts, str | None]:
    """Return the texts of a message, or the reason why they could not be read."""
    if opened.unread is not None:
        return Texts(), opened.unread
    try:
        return reader.read(headers, opened.body), None
    except MalformedMailError as error:
        return Texts(), str(error)


def _bodies(texts: Texts) -> tuple[str | None, str | None]:
    plain = "\n".join(texts.plain) if texts.plain else None
    return plain, "\n".join(texts.html) if texts.rich and texts.html else None

"""Raw bytes to an `InboundMail`: total, bounded, and linear in the size of the mail.

Header fields and parts are read by our own small readers, not by `email.parser`: that one needs
minutes or the whole stack for mails of some hundred kilobytes, and raises on `Message-ID: <>`.
"""

from __future__ import annotations

from pbem.mail_in.addresses import recipients_of, sender_of
from pbem.mail_in.headers import Headers, answered_ids, message_id_of, subject_of
from pbem.mail_in.limits import Limits, open_raw
from pbem.mail_in.message import Envelope, InboundMail
from pbem.mail_in.mime import PartReader, content_type_of
from pbem.mail_in.triage import classify

DEFAULT_LIMITS = Limits()


def parse_mail(
    raw: bytes,
    *,
    own_domains: frozenset[str] = frozenset(),
    own_addresses: frozenset[str] = frozenset(),
    envelope: Envelope | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> InboundMail:
    """Read a mail.

    Args:
        raw: the bytes as they arrived.
        own_domains: lower-case domains that only this service writes into its Message-IDs; do not
            list a domain that people send from as well.
        own_addresses: lower-case addresses of this service, without the `+token` part.
        envelope: how it reached us, None if unknown.
        limits: how much to read.

    Raises:
        MalformedMailError: it is beyond the limits, or no mail.
    """
    opened = open_raw(raw, limits)
    headers = Headers(opened.head)
    problems = list(opened.problems)
    sender, reason = sender_of(headers)
    if reason is not None:
        problems.append(reason)
    message_id = message_id_of(headers)
    if message_id is None:
        problems.append("no well-formed Message-ID")
    reader = PartReader(limits, cut=opened.cut)
    texts = reader.read(headers, opened.body)
    problems.extend(reader.problems)
    plain = "\n".join(texts.plain) if texts.plain else None
    html = "\n".join(texts.html) if texts.rich and texts.html else None
    if plain is None and html is None:
        problems.append("no text")
    return InboundMail(
        message_id=message_id,
        sender=sender,
        recipients=recipients_of(headers),
        subject=subject_of(headers),
        answers=answered_ids(headers),
        triage=classify(
            headers,
            content_type_of(headers),
            own_domains=own_domains,
            own_addresses=own_addresses,
            mail_from=envelope.mail_from if envelope else None,
        ),
        plain=plain,
        html=html,
        problems=tuple(dict.fromkeys(problems)),
    )

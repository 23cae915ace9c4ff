"""Our own mails that an answer may quote, so that its lines are recognised."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.domain.terms.tokens import SeatToken
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.mime.parse import bodies_of
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

MAILS_COMPARED = 3
"""Of the mails that a reply may quote, so many of the newest are compared with it."""


def answered_mails(uow: UnitOfWork, mail: InboundMail, token: SeatToken) -> list[Outgoing]:
    """Return our mails that a mail may quote: those it names, or its seat's newest."""
    named = [
        sent
        for sent in uow.outbox.by_message_id(mail.answers)
        if (sent.game_id, sent.seat) == (token.game_id, token.seat)
    ]
    sent = named or uow.outbox.sent_to(token.game_id, token.seat, token.listing)
    return [one for one in sent[:MAILS_COMPARED] if one.rendered]


def quoted_bodies(raws: Iterable[bytes]) -> tuple[str | None, str | None]:
    """Return text and HTML of our answered mails, to recognise quoted lines."""
    ours = [bodies_of(raw) for raw in raws]
    if not ours:
        return None, None
    return "\n".join(text or "" for text, _ in ours), "\n".join(html or "" for _, html in ours)

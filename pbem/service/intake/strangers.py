"""People whom nobody knows, where anybody may register: one mail each, and nothing to exploit.

A stranger who writes an order of a newcomer gets one question within a day, to the address of From, and
all strangers together get so many a day and no more. What they wrote is carried out once they said yes.
"""

from __future__ import annotations

from datetime import timedelta

from engine import registry
from pbem.domain.words import naming
from pbem.domain.words.orders import read_lines, reads_as_order
from pbem.domain.words.service_words import Word
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out.kinds import WELCOME, NewcomerParams
from pbem.service.core import whose
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.intake import player_mail
from pbem.service.lobby import never_invite
from pbem.service.notify import addressing
from pbem.service.notify.intentions import Mailing, queue_to_address
from pbem.service.notify.reach import asks_to_stop
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.inbox import InboxMail

STRANGER = "stranger:"
DAY = timedelta(days=1)
_WELCOME = frozenset({Word.NEW, Word.HELP, Word.GAMES, Word.RULES, Word.TAKE, Word.TUTORIAL})


def answer(service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail) -> Verdict:
    """Ask a stranger whether they mean it; silent wherever that might do harm."""
    if service.config.service.registration != "open" or mail.sender is None:
        return Verdict("ignored", "no token, and a sender whom nobody knows")
    if not _may_be_answered(service, uow, row, mail.sender):
        return Verdict("ignored", "a stranger; enough were answered, or they want no mails")
    if not _words(service, mail) & _WELCOME:
        return Verdict("ignored", "a stranger, and no order of a newcomer")
    uow.inbox.attribute(row.id, mail.sender, None)
    params = NewcomerParams(row.id, naming.name_of_address(mail.sender))
    question = Mailing(WELCOME, params, _key(service, mail.sender), mail.message_id)
    queue_to_address(service, uow, mail.sender, question)
    return Verdict("held", "a stranger: asked whether they want to play here")


def confirm(
    service: Service, uow: UnitOfWork, mail: InboundMail, held: InboxMail | None
) -> Verdict:
    """Register a stranger who said yes, and carry out what they wrote first."""
    nobody = Verdict("ignored", "a confirmation by somebody who was not asked")
    sender = mail.sender
    if held is None or held.status != "held" or held.player_id is not None or sender is None:
        return nobody
    if held.sender != sender or service.config.service.registration != "open":
        return nobody
    words = _words(service, mail)
    if asks_to_stop(mail) or words & {Word.NEVER, Word.NO}:
        if Word.NO not in words:
            uow.invitations.never(never_invite.hashes(service, sender)[0], service.now())
        uow.inbox.mark(held.id, "dropped", verdict={"why": "a stranger who wants nothing"})
        return Verdict("done", "a stranger wants nothing of us")
    if Word.YES not in words:
        return Verdict("ignored", "a stranger who said neither yes nor no")
    player = uow.players.by_address(sender)
    if player is None:
        given = service.config.service
        name = naming.playable(naming.name_of_address(sender), registry.latest())
        player = uow.players.add(
            name, given.time_zone, created_at=service.now(), language=given.language
        )
        addressing.add(service, uow, player.id, sender)
    first = whose.read(service, held.raw, held.mail_from)
    uow.inbox.attribute(held.id, sender, player.id)
    verdict = player_mail.handle(service, uow, held, first, player, Proof.CONFIRMED)
    uow.inbox.mark(held.id, verdict.status, verdict=verdict.as_json(), handled_at=service.now())
    return Verdict("done", "a stranger became a player")


def _words(service: Service, mail: InboundMail) -> set[Word | None]:
    """Return the order words of a mail, in English or in the language in which strangers are asked."""
    rulesets, language = registry.latest(), service.config.service.language
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, rulesets, (), language))
    return {line.word for line in read_lines(reply.text, rulesets, (), language)}


def _may_be_answered(service: Service, uow: UnitOfWork, row: InboxMail, sender: str) -> bool:
    """True if a stranger may get a mail: once in a day, and not many strangers in all."""
    if whose.has_foreign_envelope(row.mail_from, sender):
        return False
    if never_invite.is_listed(service, uow, sender) or service.tokens.is_ours(sender):
        return False
    if uow.players.unfit:
        return False  # no stranger: the row of the address does not fit, which the admins are told
    since = service.now() - DAY
    if uow.outbox.count_since(since, prefix=_prefix(service, sender)):
        return False
    return uow.outbox.count_since(since, prefix=STRANGER) < service.config.limits.strangers_per_day


def _prefix(service: Service, sender: str) -> str:
    return f"{STRANGER}{never_invite.hashes(service, sender)[0][:32]}:"


def _key(service: Service, sender: str) -> str:
    return f"{_prefix(service, sender)}{service.now():%Y%m%dT%H%M%S}"

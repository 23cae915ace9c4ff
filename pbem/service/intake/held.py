"""A right reply address and a wrong sender: the registered address is asked who it was."""

from __future__ import annotations

from collections.abc import Iterable

from engine.sentences import sentence
from pbem.domain.log.chain import format_time
from pbem.domain.terms.tokens import ConfirmToken
from pbem.domain.words.orders import read_lines, reads_as_order
from pbem.domain.words.service_words import Word
from pbem.errors import UnboundError
from pbem.mail_in.mime.addresses import normal_address
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out.kinds import ASK_SENDER, ASK_SENDERS, QuestionParams
from pbem.service.core import limits, strange_addresses, whose
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.intake import player_mail, strangers
from pbem.service.notify import addressing
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.service.notify.refusing import refuse
from pbem.service.upkeep import alerts
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail
from pbem.store.rows.core import INBOX


def hold(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, owner: str
) -> Verdict:
    """A right token from an address that is not the player's: ask the registered address first.

    One question stands for all mails from that address. Whoever got hold of a reply address can have
    few questions asked, and cannot keep the player's own new address from being asked about: those
    that come later wait for one question that lists them all.
    """
    sender = mail.sender or ""
    if not uow.players.addresses(owner):
        known = uow.players.by_address(sender)
        if known is None:
            return Verdict("ignored", "right token, of a player who has no address any more")
        return player_mail.without_token(
            service, uow, row, mail, known, Proof.CLAIM, wrong_token=True
        )
    if uow.inbox.held_from(owner, sender):
        return Verdict("held", "right token, sender is not the seat's player: asked before")
    if limits.may_ask_sender(service, uow, owner):
        question = QuestionParams(inbox_id=row.id)
        asks = Mailing(ASK_SENDER, question, f"{limits.STRANGE}{row.id}")
        queue_to_player(service, uow, owner, asks)
        return Verdict("held", "right token, sender is not the seat's player: asked")
    now = service.now()
    if len(strange_addresses.waiting(uow, owner, now)) >= strange_addresses.MOST_HELD:
        return Verdict("ignored", "right token, a stranger's address, and too many wait")
    last = strange_addresses.last_list(uow, owner)
    if last is None or last <= now:
        at = limits.next_list(service, last)
        question = QuestionParams(inbox_id=row.id, until=format_time(at))
        key = strange_addresses.key(owner, row.id)
        queue_to_player(service, uow, owner, Mailing(ASK_SENDERS, question, key, not_before=at))
    return Verdict("held", "right token, sender is not the seat's player: to be asked with others")


def confirm(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    token: ConfirmToken,
    proof: Proof,
) -> Verdict:
    """Take the registered address's word for a held mail: `yes` releases it, `no` drops it."""
    held = uow.inbox.get(token.inbox_id)
    if held is not None and not held.fits:
        alerts.note_unbound(service, uow, UnboundError(INBOX.name, held.id))
        return Verdict("ignored", "a confirmation of a mail whose row does not fit its seal")
    if held is not None and held.player_id is None:
        return strangers.confirm(service, uow, mail, held)
    if player is None or held is None or held.player_id != player.id:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    until = strange_addresses.listed_until(uow, player.id, held.id)
    if held.status != "held" and until is None:
        message = sentence("That mail is settled already.")
        return refuse(service, uow, row, mail, player, message, (), proof)
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, (), (), player.language))
    if until is not None:
        listed = strange_addresses.waiting(uow, player.id, until)
        return _choose(service, uow, row, mail, player, reply.text, listed, proof)
    lines = read_lines(reply.text, (), (), player.language)
    word = next((line.word for line in lines if line.word in (Word.YES, Word.NO)), None)
    if word is None:
        message = sentence("Please answer yes (the mail was mine) or no (drop it).")
        return refuse(service, uow, row, mail, player, message, lines, proof)
    is_known = held.sender is not None and held.sender in uow.players.addresses(player.id)
    # A known address is asked about each of its mails, a strange one about all of them.
    all_held = (held.id,) if is_known else uow.inbox.held_from(player.id, held.sender or "")
    if word is Word.NO:
        return _drop(uow, all_held)
    if is_known:
        first = whose.read(service, held.raw, held.mail_from)
        verdict = player_mail.handle(service, uow, held, first, player, Proof.CONFIRMED)
        uow.inbox.mark(held.id, verdict.status, verdict=verdict.as_json(), handled_at=service.now())
        return Verdict("done", "a mail to the bare address was confirmed")
    return _release(service, uow, row, mail, player, held.sender, all_held, proof)


def _choose(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    text: str,
    listed: dict[str, list[int]],
    proof: Proof,
) -> Verdict:
    """Take an answer to the question about several addresses: `yes` and one of them, or `no`."""
    for line in text.splitlines():
        begin, _, rest = line.strip().partition(" ")
        words = {one.word for one in read_lines(begin.strip(":,"), (), (), player.language)}
        if Word.NO in words and not rest:
            return _drop(uow, [mail_id for ids in listed.values() for mail_id in ids])
        only = next(iter(listed), "") if len(listed) == 1 and not rest else ""
        address = normal_address(rest.strip(" <>.:,")) or only
        if Word.YES in words and address in listed:
            ids = uow.inbox.held_from(player.id, address)
            return _release(service, uow, row, mail, player, address, ids, proof)
    message = sentence(
        "Please answer with yes and the address that is yours, or with no if none of them is."
    )
    shown = strange_addresses.suggested(listed)
    return refuse(service, uow, row, mail, player, message, (), proof, shown)


def _drop(uow: UnitOfWork, mail_ids: Iterable[int]) -> Verdict:
    for mail_id in mail_ids:
        uow.inbox.mark(mail_id, "dropped", verdict={"why": "not the player's own"})
    return Verdict("done", "a held mail was disowned")


def _release(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    sender: str | None,
    mail_ids: Iterable[int],
    proof: Proof,
) -> Verdict:
    """Remember an address as the player's, and have its held mails handled."""
    if sender is not None and not addressing.add(service, uow, player.id, sender):
        known = uow.players.by_address(sender)
        if known is None or known.id != player.id:
            message = sentence("That address belongs to another player; the mail stays set aside.")
            return refuse(service, uow, row, mail, player, message, (), proof)
    for mail_id in mail_ids:
        uow.inbox.mark(mail_id, "new")
    return Verdict("done", "a held mail was confirmed")

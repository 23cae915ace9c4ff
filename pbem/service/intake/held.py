"""Asks the registered address about a mail with a right token from another sender."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine import registry
from engine.sentences import joined, sentence
from pbem.domain.log.chain import format_time
from pbem.domain.terms.tokens import ConfirmToken
from pbem.domain.words.orders import read_lines
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal, UnboundError
from pbem.mail_in.mime.addresses import normal_address
from pbem.mail_out.kinds import ASK_SENDER, ASK_SENDERS, QuestionParams
from pbem.service.core import limits, strange_addresses, whose
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.whose import Proof
from pbem.service.intake import player_mail, strangers
from pbem.service.notify import to_admins
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.service.notify.refusing import note, refuse
from pbem.service.people import own_addresses
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import INBOX


def hold(incoming: Incoming) -> Verdict:
    """Hold a mail with a right token from another address; ask the registered one.

    There is one question for all mails from that address. An attacker with a reply address can
    cause only a few questions. They cannot prevent the question about the player's own new address:
    later addresses wait for one question that lists them all.
    """
    service, uow, row, sender = incoming.service, incoming.uow, incoming.row, incoming.sender
    token = incoming.token
    found = whose.owner_of(uow, token) if isinstance(token, whose.OWNED) else None
    owner = "" if found is None else found.id
    if not uow.players.addresses(owner):
        if incoming.writer is None:
            return Verdict("ignored", "right token, of a player who has no address any more")
        return player_mail.with_broken_token(replace(incoming, proof=Proof.CLAIM))
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


def confirm(incoming: Incoming) -> Verdict:
    """Apply the registered address's answer on a held mail: `yes` or `no`.

    `yes` releases the mail, `no` drops it.
    """
    service, uow, player = incoming.service, incoming.uow, incoming.writer
    held = uow.inbox.get(incoming.token_as(ConfirmToken).inbox_id)
    if held is not None and not held.fits:
        to_admins.note_unbound(service, uow, UnboundError(INBOX.name, held.id))
        return Verdict("ignored", "a confirmation of a mail whose row does not fit its seal")
    if held is not None and held.player_id is None:
        return strangers.confirm(incoming, held)
    if player is None or held is None or held.player_id != player.id:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    until = strange_addresses.listed_until(uow, player.id, held.id)
    if held.status != "held" and until is None:
        message = sentence("That mail is settled already.")
        return refuse(incoming, message)
    own = incoming.own_words(registry.latest())
    if until is not None:
        listed = strange_addresses.waiting(uow, player.id, until)
        return _choose(incoming, own.reply.text, listed)
    word = own.yes_or_no()
    if word is None:
        which = sentence("Please answer yes (the mail was mine) or no (drop it).")
        return refuse(
            incoming, incoming.subject_order() or which, [line.text for line in own.lines]
        )
    beside = own.unused({Word.YES, Word.NO})
    if beside:
        note(incoming, joined(beside))
    is_known = held.sender is not None and held.sender in uow.players.addresses(player.id)
    # A known address is asked about each mail, a strange one about all of them.
    all_held = (held.id,) if is_known else uow.inbox.held_from(player.id, held.sender or "")
    if word is Word.NO:
        return _drop(uow, all_held)
    if is_known:
        player_mail.handle_held(incoming, held, player)
        return Verdict("done", "a mail to the bare address was confirmed")
    return _release(incoming, held.sender or "", all_held)


def _choose(incoming: Incoming, text: str, listed: dict[str, list[int]]) -> Verdict:
    """Apply an answer about several addresses: `yes` and one of them, or `no`."""
    uow, player = incoming.uow, incoming.player
    for line in text.splitlines():
        begin, _, rest = line.strip().partition(" ")
        words = {one.word for one in read_lines(begin.strip(":,"), (), (), player.language)}
        if Word.NO in words and not rest:
            return _drop(uow, [mail_id for ids in listed.values() for mail_id in ids])
        only = next(iter(listed), "") if len(listed) == 1 and not rest else ""
        address = normal_address(rest.strip(" <>.:,")) or only
        if Word.YES in words and address in listed:
            ids = uow.inbox.held_from(player.id, address)
            return _release(incoming, address, ids)
    message = sentence(
        "Please answer with yes and the address that is yours, or with no if none of them is."
    )
    shown = strange_addresses.suggested(listed)
    return refuse(incoming, message, suggestions=shown)


def _drop(uow: UnitOfWork, mail_ids: Iterable[int]) -> Verdict:
    for mail_id in mail_ids:
        uow.inbox.mark(mail_id, "dropped", verdict={"why": "not the player's own"})
    return Verdict("done", "a held mail was disowned")


def _release(incoming: Incoming, sender: str, mail_ids: Iterable[int]) -> Verdict:
    """Queue a player's held mails, and ask the address that sent them whether it is theirs.

    The player's yes counts for these mails only (`Incoming.of`). The address becomes theirs once
    its own mailbox has answered (`own_addresses`).
    """
    for mail_id in mail_ids:
        incoming.uow.inbox.mark(mail_id, "new")
    try:
        message = own_addresses.ask(incoming.service, incoming.uow, incoming.player, sender)
    except Refusal as refusal:
        message = joined([refusal.message])
    note(incoming, message)
    return Verdict("done", "a held mail was confirmed")

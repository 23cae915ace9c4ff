"""A right reply address and a wrong sender: the registered address is asked who it was."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.orders import read_lines, reads_as_order
from pbem.domain.service_words import Word
from pbem.domain.tokens import ConfirmToken, OfferToken, PlayerToken, SeatToken
from pbem.errors import UnboundError
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.service import addressing, alerts, limits, mailings, player_mail, strangers, whose
from pbem.service.context import Service
from pbem.service.refusing import refuse
from pbem.service.verdict import Verdict
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.rows import INBOX
from pbem.store.uow import UnitOfWork


def hold(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, owner: str
) -> Verdict:
    """A right token from an address that is not the player's: ask the registered address first.

    One question stands for all mails from that address; a stranger cannot have many asked.
    """
    sender = mail.sender or ""
    if not uow.players.addresses(owner):
        known = uow.players.by_address(sender)
        if known is None:
            return Verdict("ignored", "right token, of a player who has no address any more")
        return player_mail.without_token(service, uow, row, mail, known, wrong_token=True)
    if uow.inbox.held_from(owner, sender):
        return Verdict("held", "right token, sender is not the seat's player: asked before")
    if not limits.may_ask(service, uow, owner):
        return Verdict("ignored", "right token, a stranger's address, and enough was asked today")
    mailings.queue_to_player(
        uow,
        service,
        kind="ask_sender",
        player_id=owner,
        key=f"{limits.QUESTION}{row.id}",
        params={"inbox_id": row.id},
    )
    return Verdict("held", "right token, sender is not the seat's player: asked")


def confirm(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    token: ConfirmToken,
) -> Verdict:
    """Take the registered address's word for a held mail: `yes` releases it, `no` drops it."""
    held = _held(service, uow, token.inbox_id)
    if held is not None and not held.fits:
        alerts.note_unbound(service, uow, UnboundError(INBOX.name, held.id))
        return Verdict("ignored", "a confirmation of a mail whose row does not fit its seal")
    if held is not None and held.player_id is None:
        return strangers.confirm(service, uow, mail, held)
    if player is None or held is None or held.player_id != player.id:
        return Verdict("ignored", "a confirmation by somebody who was not asked")
    if held.status != "held":
        return refuse(
            service, uow, row, mail, player, sentence("That mail is settled already."), ()
        )
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, (), (), player.language))
    lines = read_lines(reply.text, (), (), player.language)
    word = next((line.word for line in lines if line.word in (Word.YES, Word.NO)), None)
    if word is None:
        message = sentence("Please answer yes (the mail was mine) or no (drop it).")
        return refuse(service, uow, row, mail, player, message, lines)
    is_known = held.sender is not None and held.sender in uow.players.addresses(player.id)
    # A known address is asked about each of its mails, a strange one about all of them.
    all_held = (held.id,) if is_known else uow.inbox.held_from(player.id, held.sender or "")
    if word is Word.NO:
        for mail_id in all_held:
            uow.inbox.mark(mail_id, "dropped", verdict={"why": "not the player's own"})
        return Verdict("done", "a held mail was disowned")
    if is_known:
        first = whose.read(service, held.raw, held.mail_from)
        verdict = player_mail.handle(service, uow, held, first, player, is_proven=True)
        uow.inbox.mark(held.id, verdict.status, verdict=verdict.as_json(), handled_at=service.now())
        return Verdict("done", "a mail to the bare address was confirmed")
    if held.sender is not None and not addressing.add(service, uow, player.id, held.sender):
        known = uow.players.by_address(held.sender)
        if known is None or known.id != player.id:
            message = sentence("That address belongs to another player; the mail stays set aside.")
            return refuse(service, uow, row, mail, player, message, ())
    for mail_id in all_held:
        uow.inbox.mark(mail_id, "new")
    return Verdict("done", "a held mail was confirmed")


def _held(service: Service, uow: UnitOfWork, mail_id: int) -> InboxMail | None:
    """Give the mail that a question is about; of one held before schema 0002, it is found out whose."""
    held = uow.inbox.get(mail_id)
    if held is None or held.status != "held" or held.player_id is not None:
        return held
    mail = whose.read(service, held.raw, held.mail_from, head_only=True)
    _, token = whose.token_of(service, held.rcpt_to, mail)
    owner = (
        whose.owner_of(uow, token)
        if isinstance(token, SeatToken | PlayerToken | OfferToken)
        else None
    )
    if owner is not None:
        uow.inbox.attribute(mail_id, mail.sender, owner.id)
    return uow.inbox.get(mail_id)

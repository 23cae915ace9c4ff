"""A mail that speaks for a person and not for a seat."""

from __future__ import annotations

import hashlib

from engine import registry
from engine.sentences import joined, sentence
from pbem.domain.orders import read_lines, reads_as_order
from pbem.errors import Refusal
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail
from pbem.service import confirming, information, limits, mailings, unreadable, wishes
from pbem.service.context import Service
from pbem.service.refusing import SILENCE, SUGGESTED, refuse
from pbem.service.verdict import Verdict
from pbem.service.wishes import Wishes
from pbem.store.inbox import InboxMail
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

NO_GAME = sentence(
    "Your mail is not about a certain game: to move, answer the turn mail of that"
    " game, whose reply address knows the position."
)


def without_token(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    *,
    wrong_token: bool,
) -> Verdict:
    """Answer a registered person who wrote to the bare address; `player` is one."""
    if wrong_token:
        message = sentence(
            "The address that you answered to is not valid (any more), so nothing was carried"
            " out. Please answer the newest mail of that game; games lists them."
        )
        return refuse(service, uow, row, mail, player, message, ())
    return handle(service, uow, row, mail, player, is_proven=False)


def handle(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    *,
    is_proven: bool = True,
) -> Verdict:
    """Carry out what needs no game, line by line; a refusal ends it (GEN-10).

    Args:
        service, uow, row, mail, player: as everywhere.
        is_proven: the mail is the player's beyond its From: it has their token, or they said yes.
    """
    if mail.unread is not None:
        message = unreadable.not_read(mail.unread)
        return refuse(service, uow, row, mail, player, message, ())
    rulesets = registry.latest()
    reply = extract_reply(
        mail, is_order=lambda line: reads_as_order(line, rulesets, (), player.language)
    )
    lines = read_lines(reply.text, rulesets, (), player.language)
    if not is_proven and confirming.is_needed(lines):
        return confirming.ask(service, uow, row, mail, player)
    wanted = Wishes(service, uow, player.id, f"mail:{hashlib.sha256(row.raw).hexdigest()}")
    wanted.message_id = mail.message_id
    refusal: Refusal | None = None
    asked = [line for line in lines if wishes.is_wish(line)]
    for line in asked:
        try:
            wishes.carry_out(wanted, line)
        except Refusal as refused:
            refusal = refused
            break
    if refusal is not None and wanted.has_acted:
        wanted.notes.append(sentence("What came after that was not carried out:"))
        wanted.notes.append(refusal.message)
    elif refusal is not None or not asked:
        said = NO_GAME if refusal is None else refusal.message
        near = () if refusal is None else refusal.suggestions
        return refuse(
            service,
            uow,
            row,
            mail,
            player,
            joined([*wanted.notes, said]),
            lines,
            suggestions=near or SUGGESTED,
        )
    return _answer(wanted, row, mail)


def _answer(wanted: Wishes, row: InboxMail, mail: InboundMail) -> Verdict:
    service, uow, player_id = wanted.service, wanted.uow, wanted.player_id
    if not wanted.has_acted and not limits.idle_answers_left(service, uow, player_id):
        return SILENCE
    for question in wanted.questions:
        information.send(service, uow, row, mail, player_id, question, None)
    if wanted.notes:
        mailings.queue_to_player(
            uow,
            service,
            kind="noted",
            player_id=player_id,
            key=f"noted:{row.id}" if wanted.has_acted else f"{limits.IDLE}{row.id}",
            params={"message": joined(wanted.notes)},
            answers=mail.message_id,
        )
    return Verdict("done", f"{len(wanted.notes)} notes, {len(wanted.questions)} questions")

"""The answer to the offer of a seat: `join` or `decline`."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.play import handover
from pbem.domain.terms.tokens import OfferToken
from pbem.domain.words.orders import read_lines, reads_as_order
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_out.kinds import NOTED, NoteParams
from pbem.service.change import changing
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.intake import player_mail
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.service.notify.refusing import refuse
from pbem.service.votes import offers
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail


def handle(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    token: OfferToken,
    proof: Proof,
) -> Verdict:
    """Carry out `join` or `decline` of whom a seat was offered; what else they ask needs no seat."""
    reply = extract_reply(mail, is_order=lambda line: reads_as_order(line, (), (), player.language))
    words = {line.word for line in read_lines(reply.text, (), (), player.language)}
    accepts, declines = words & {Word.JOIN, Word.YES}, words & {Word.DECLINE, Word.NO}
    if bool(accepts) is bool(declines) or reply.doubts:
        return player_mail.handle(service, uow, row, mail, player, proof)
    try:
        with changing(
            service, uow, token.game_id, actor=f"player:{player.id}", cause=row.cause
        ) as change:
            game = change.game
            if accepts:
                handover.accept(change.decision, token.seat, player.id)
            else:
                handover.decline(change.decision, token.seat, player.id)
    except Refusal as refused:
        return refuse(service, uow, row, mail, player, refused.message, (), proof)
    if accepts:
        offers.tell_former(service, uow, game, token.seat, sentence("The table had asked for it."))
    else:
        params = NoteParams(sentence("You do not take over the seat."))
        note = Mailing(NOTED, params, f"noted:{row.id}", mail.message_id)
        queue_to_player(service, uow, player.id, note)
    return Verdict("done", "a seat was taken over" if accepts else "a seat was declined")

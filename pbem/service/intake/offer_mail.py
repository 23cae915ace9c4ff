"""Answers to the offer of a seat: `join` or `decline`."""

from __future__ import annotations

from engine import registry
from engine.sentences import joined, sentence
from pbem.domain.play import handover
from pbem.domain.terms.tokens import OfferToken
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.service.change import changing
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.intake import player_mail
from pbem.service.notify.refusing import note, refuse
from pbem.service.votes import offers


def handle(incoming: Incoming) -> Verdict:
    """Carry out `join` or `decline` for an offered seat, or else the orders that need no seat."""
    service, uow, token = incoming.service, incoming.uow, incoming.token_as(OfferToken)
    player, own = incoming.player, incoming.own_words(registry.latest())
    accepts, declines = own.words & {Word.JOIN, Word.YES}, own.words & {Word.DECLINE, Word.NO}
    if bool(accepts) is bool(declines) or own.reply.doubts:
        return player_mail.handle(incoming, own)
    try:
        with changing(
            service, uow, token.game_id, actor=f"player:{player.id}", cause=incoming.row.cause
        ) as change:
            game = change.game
            if accepts:
                handover.accept(change.decision, token.seat, player.id)
            else:
                handover.decline(change.decision, token.seat, player.id)
    except Refusal as refused:
        return refuse(incoming, refused.message, [line.text for line in own.lines])
    beside = own.unused(accepts | declines)
    if accepts:
        if beside:
            note(incoming, joined(beside))
        offers.tell_former(service, uow, game, token.seat, sentence("The table had asked for it."))
    else:
        note(incoming, joined([sentence("You do not take over the seat."), *beside]))
    return Verdict("done", "a seat was taken over" if accepts else "a seat was declined")

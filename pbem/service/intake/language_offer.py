"""Offer another language to a player who writes orders in it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.sentences import Sentence, sentence
from pbem.domain.words.orders import LineKind, OrderLine, OrderReader
from pbem.language import SOURCE, languages, translate
from pbem.service.core.asking import SeatProgress

# Each translation of this sentence names the language into which it is translated.
_OFFER = sentence('With "language en" I write to you in English.')
_ORDERS = (LineKind.SERVICE, LineKind.GAME)


def offers(progress: SeatProgress, lines: tuple[OrderLine, ...]) -> Iterator[Sentence]:
    """Yield an offer of each language in which unrecognised lines would be orders.

    Each player gets the offer of a language once. Calling this records it.
    Only players with English messages get it, because English is always understood.
    """
    if progress.mail_orders.language != SOURCE:
        return
    texts = [line.text for line in lines if line.kind not in _ORDERS]
    for code in languages():
        reader = OrderReader((progress.game.ruleset,), tuple(progress.names), code)
        is_read = any(line.kind in _ORDERS for text in texts for line in reader.read(text))
        orders = progress.mail_orders
        if code != SOURCE and is_read and orders.uow.players.mark_offered(orders.player_id, code):
            yield Sentence(translate(_OFFER, code))

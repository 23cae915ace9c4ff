"""Messages that offer a seat. They show public facts of the game, never cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.table.game import Game, News, OpenOffer
from pbem.durations import duration_words
from pbem.mail_out.kinds import OFFER, OfferParams
from pbem.mail_out.texts import shown_names
from pbem.mail_out.times import when_text
from pbem.service.core import games
from pbem.service.notify.intentions import Mailing
from pbem.store.db.uow import UnitOfWork

FACTS = ("replacement_offered", "replacement_expired", "replacement_over")
"""Kinds of facts about offers that are reported to people without a seat."""


def mails(
    uow: UnitOfWork, game: Game, told: Sequence[News]
) -> Iterator[tuple[str, Mailing[OfferParams]]]:
    """Yield the messages about offers that follow from new facts, each with its player's ID."""
    offers = {offer.version: offer for offer in game.offers}
    for version, fact in told:
        key, player = f"{game.id}:{version}:offer", str(fact.data.get("player"))
        if fact.kind == "replacement_offered" and version in offers:
            params = offer(game, offers[version].seat, offered(uow, game, offers[version]))
            yield player, Mailing(OFFER, params, key)
        if fact.kind == "replacement_expired":
            late = sentence(
                "The seat in the game [{game}] is not offered to you any more: you did not answer in time."
                " You need not do anything.",
                game=game.id,
            )
            yield player, Mailing(OFFER, OfferParams(late), key)
        if fact.kind == "replacement_over":
            gone = sentence(
                "The seat that was offered to you in the game [{game}] is not free any more: who sat"
                " there is back.",
                game=game.id,
            )
            yield player, Mailing(OFFER, OfferParams(gone), key)


def offer(game: Game, seat: int, said: Sentence) -> OfferParams:
    """Return the parameters of a message that offers a seat."""
    return OfferParams(said, suggestions=("join", "decline"), game=game.id, seat=seat)


def offered(uow: UnitOfWork, game: Game, event: OpenOffer) -> Sentence:
    """Describe an offered seat to the player who is asked, and how to answer."""
    names = shown_names(games.seat_names(uow, game.seats))
    others = [name for seat, name in enumerate(names) if seat != event.seat]
    player = uow.players.get(event.player)
    zone = "UTC" if player is None else player.zone
    return joined(
        [
            sentence(
                "{others} play {title} by e-mail, and ask you to play on in the seat of {name}, who"
                " cannot or does not answer.",
                others=all_of(others),
                title=game.ruleset.title,
                name=names[event.seat],
            ),
            sentence("For each move you have {time}.", time=duration_words(game.time_per_move)),
            sentence(
                'If you want to, reply with "join": then a mail shows you the table and your cards.'
            ),
            sentence('If you do not, reply with "decline".'),
            sentence(
                "The offer stands until {when}, unless {name} comes back.",
                when=when_text(event.expires_at, zone),
                name=names[event.seat],
            ),
        ]
    )

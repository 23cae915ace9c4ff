"""Messages to observers and to people who are offered a seat. They show public facts (GEN-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from engine.api import Fact
from engine.sentences import Sentence, all_of, filled, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import ENDS, MovesRetracted, Recorded
from pbem.domain.table.card_folds import engine_step
from pbem.domain.table.game import Game, News, OpenOffer
from pbem.durations import duration_words
from pbem.mail_out.kinds import OBSERVED, OFFER, REFUSAL, NoteParams, OfferParams, WatchParams
from pbem.mail_out.texts import shown_names
from pbem.mail_out.times import when_text
from pbem.service.core import games
from pbem.service.notify.intentions import Mailing
from pbem.store.db.uow import UnitOfWork

BETWEEN_MAILS = timedelta(hours=20)
"""Minimum interval between two messages about a deal, so that there is at most one a day."""


def observer_mails(
    uow: UnitOfWork,
    game: Game,
    events: Sequence[Recorded],
    *,
    position_before: int,
    now: datetime,
) -> Iterator[tuple[str, Mailing[WatchParams]]]:
    """Yield the due messages to observers, each with its player's ID.

    Args:
        game: after the events.
        events: the new events. There must be an event.
        position_before: `Game.position` before the events.
    """
    before = events[0].version - 1
    is_over = any(isinstance(item.event, ENDS) for item in events)
    is_dealt = any(one.version > before and one.fact.kind == "dealt" for one in game.news)
    new = {
        one.fact.data["player"]
        for one in game.news
        if one.version > before and _is_about(one, "motion_carried")
    }
    for player in game.observers:
        prefix = f"observed:{game.id}:{player}:"
        last = uow.outbox.newest_with_key(prefix)
        is_old = last is None or now - last.created_at >= BETWEEN_MAILS
        has_moved = game.position != position_before
        if player in new or is_over or (has_moved and (is_dealt or is_old)):
            told = before if last is None else OBSERVED.read(last.params).version
            params = WatchParams(game.id, told, game.version)
            yield player, Mailing(OBSERVED, params, f"{prefix}{game.version}")


def refusals(game: Game, news: Sequence[News]) -> Iterator[tuple[str, Mailing[NoteParams]]]:
    """Yield messages to players whose request to observe was rejected."""
    message = sentence(
        "The players of the game [{game}] did not agree to let you watch.", game=game.id
    )
    mail = Mailing(REFUSAL, NoteParams(message), f"{game.id}:{game.version}:observer")
    for observer in news:
        if _is_about(observer, "motion_ended"):
            yield str(observer.fact.data["player"]), mail


def _is_about(news: News, kind: str) -> bool:
    """True if a fact has this kind and is about a motion to admit an observer."""
    return news.fact.kind == kind and news.fact.data["motion"] == "observer"


def public_facts(uow: UnitOfWork, game_id: GameId, since: int, version: int) -> tuple[Fact, ...]:
    """Return the public facts of the events between two versions, oldest first."""
    facts: list[Fact] = []
    for step in games.walk(uow, game_id, since, version):
        event, before = step.event, step.before
        if before is None:
            continue
        if isinstance(event, MovesRetracted):
            last = before.ruleset.ply(before.state)
            facts.append(Fact("went_back", None, {"first": event.ply + 1, "last": last}))
        done = engine_step(before.ruleset, before.setup, before.state, event)
        facts += [] if done is None else [fact for fact in done.facts if fact.audience is None]
    return tuple(facts)


def offer_mails(
    uow: UnitOfWork, game: Game, told: Sequence[News]
) -> Iterator[tuple[str, Mailing[OfferParams]]]:
    """Yield the messages about offers that follow from new facts, each with its player's ID."""
    offers = {offer.version: offer for offer in game.offers}
    for version, fact in told:
        if fact.kind == "replacement_offered" and version in offers:
            params = offer(game, offers[version].seat, offered(uow, game, offers[version]))
        elif fact.kind in _OFFER_ENDS:
            params = OfferParams(filled(_OFFER_ENDS[fact.kind].template, {"game": game.id}))
        else:
            continue
        yield str(fact.data.get("player")), Mailing(OFFER, params, f"{game.id}:{version}:offer")


_OFFER_ENDS = {
    "replacement_expired": sentence(
        "The seat in the game [{game}] is not offered to you any more: you did not answer in time."
        " You need not do anything."
    ),
    "replacement_over": sentence(
        "The seat that was offered to you in the game [{game}] is not free any more: who sat"
        " there is back."
    ),
}
"""Texts about an offer that ended, by the kind of the fact."""


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

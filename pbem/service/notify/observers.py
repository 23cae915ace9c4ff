"""Messages to observers: when they are sent, and which public facts they contain (GEN-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from engine.api import Fact
from engine.sentences import sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import ENDS, MovesRetracted, Recorded
from pbem.domain.table.card_folds import engine_step
from pbem.domain.table.game import Game, News
from pbem.mail_out.kinds import OBSERVED, REFUSAL, NoteParams, WatchParams
from pbem.service.core import log_walk
from pbem.service.notify.intentions import Mailing
from pbem.store.db.uow import UnitOfWork

BETWEEN_MAILS = timedelta(hours=20)
"""Minimum interval between two messages about a deal, so that there is at most one a day."""


def mails(
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


def refusals(game: Game, told: Sequence[News]) -> Iterator[tuple[str, Mailing[NoteParams]]]:
    """Yield messages to players whose request to observe was rejected."""
    said = sentence(
        "The players of the game [{game}] did not agree to let you watch.", game=game.id
    )
    mail = Mailing(REFUSAL, NoteParams(said), f"{game.id}:{game.version}:observer")
    for one in told:
        if _is_about(one, "motion_ended"):
            yield str(one.fact.data["player"]), mail


def _is_about(news: News, kind: str) -> bool:
    """True if a fact has this kind and is about a motion to admit an observer."""
    return news.fact.kind == kind and news.fact.data["motion"] == "observer"


def public_facts(uow: UnitOfWork, game_id: GameId, since: int, version: int) -> tuple[Fact, ...]:
    """Return the public facts of the events between two versions, oldest first."""
    facts: list[Fact] = []
    for step in log_walk.walk(uow, game_id, since, version):
        event, before = step.event, step.before
        if before is None:
            continue
        if isinstance(event, MovesRetracted):
            last = before.ruleset.ply(before.state)
            facts.append(Fact("went_back", None, {"first": event.ply + 1, "last": last}))
        done = engine_step(before.ruleset, before.setup, before.state, event)
        facts += [] if done is None else [fact for fact in done.facts if fact.audience is None]
    return tuple(facts)

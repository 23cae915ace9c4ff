"""Load leagues, and change them under a lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from engine.sentences import sentence
from pbem.domain.league.decide import LeagueDecision
from pbem.domain.league.league import League, rebuild
from pbem.domain.log.chain import GameId, checked
from pbem.domain.log.league_events import LEAGUE, LEAGUE_EVENTS
from pbem.errors import Refusal
from pbem.service.change import lock
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.rows.game_rows import LeagueStatus


def load(uow: UnitOfWork, league_id: GameId) -> League:
    """Rebuild a league from its log. Raises: UnknownStreamError, LogError."""
    uow.events.sealed_head(league_id)
    events = checked(uow.events.read_written(league_id), league_id)
    return rebuild((codec.decode(event, types=LEAGUE_EVENTS) for event in events), league_id)


def find(uow: UnitOfWork, name: str) -> League:
    """Return the league with a name or an ID. Raises: Refusal."""
    row = uow.leagues.called(name.lower()) or uow.leagues.called(f"{LEAGUE}{name.lower()}")
    if row is None:
        known = [league.name for league in uow.leagues.every()]
        raise Refusal(
            "unknown-league",
            sentence("There is no league {name}.", name=name),
            suggestions=tuple(f"league {known_name}" for known_name in known),
        )
    return load(uow, row.id)


@contextmanager
def changing(
    service: Service, uow: UnitOfWork, league_id: GameId, *, actor: str, cause: str | None
) -> Iterator[LeagueDecision]:
    """Lock and load a league. On exit, record the decision and make the league due at once.

    Raises: VersionConflictError if another worker is first, UnknownStreamError, LogError.
    """
    lock(uow, league_id)
    before = load(uow, league_id)
    decision = LeagueDecision(league_id, service.now(), actor, cause, before)
    yield decision
    record(uow, decision)


def record(uow: UnitOfWork, decision: LeagueDecision) -> League:
    """Append the decision to the log, update the league's row, and return the league."""
    league = decision.existing()
    if decision.events:
        expected = league.version - len(decision.events)
        encoded = [codec.encode(event) for event in decision.events]
        stored = uow.events.append(league.id, expected, encoded, decision.now)
        decision.events.clear()
        decision.league = league = replace(league, head=stored[-1].hash)
        keep(uow, league, decision.now)
    return league


def keep(uow: UnitOfWork, league: League, next_at: datetime) -> None:
    """Store a league's row with the time of its next check, which is None once it has ended."""
    due_at = None if league.is_over else next_at
    uow.leagues.keep(
        LeagueStatus(id=league.id, name=league.terms.name, status=league.status, next_at=due_at)
    )

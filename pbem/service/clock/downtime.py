"""Detect downtime of the service and extend running deadlines by it, once per downtime."""

from __future__ import annotations

from datetime import timedelta

import structlog

from pbem.domain.clock import clockwork
from pbem.domain.log.chain import GameId
from pbem.domain.table.decision import SYSTEM
from pbem.service.change import changing, lock, set_apart
from pbem.service.core.context import Service
from pbem.service.core.live_database import SERVE
from pbem.service.notify import talking
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import Deadline

log = structlog.get_logger(__name__)

SKEW = timedelta(minutes=1)
"""Tolerated clock difference between machines that share a database."""


def beat(service: Service) -> None:
    """Record a heartbeat. After downtime, extend every running deadline by it.

    If the clock was set back, messages scheduled by the old clock are rescheduled.
    """
    now = service.now()
    with service.store.unit_of_work() as uow:
        last = uow.outages.last_beat(SERVE)
        if last is not None and last > now + SKEW:
            log.warning("the clock was set back", action="clock_back", by=str(last - now))
            uow.outbox.clock_was_set_back(now, service.lease, talking.LONGEST_WAIT)
            uow.pauses.end_all()
        gap = uow.outages.beat(SERVE, now, service.config.serve.outage_after)
    if gap is None:
        return
    log.warning(
        "service downtime detected",
        action="outage",
        begin=gap.begin.isoformat(),
        end=gap.end.isoformat(),
    )
    with service.store.reading() as uow:
        entries = uow.projections.all_deadlines(gap.begin, gap.end)
        leagues = uow.leagues.every(open_only=True)
    for game_id in dict.fromkeys(entry.game_id for entry in entries):
        _compensate_alone(service, game_id)
    with service.store.unit_of_work() as uow:
        for league in leagues:
            uow.leagues.look_at(league.id, now)  # the check extends the league's current round


def compensate(service: Service, uow: UnitOfWork, entry: Deadline) -> bool:
    """Extend a running deadline by new downtime. Return whether it was extended."""
    outages = uow.outages.within(entry.set_at, entry.due_at)
    if not outages:
        return False
    with changing(service, uow, entry.game_id, actor=SYSTEM, cause=None) as change:
        for gap in outages:
            clockwork.compensate(change.decision, gap.begin, gap.end)
    return bool(change.events)


def _compensate_alone(service: Service, game_id: GameId) -> None:
    """Extend the deadlines of a game in a new transaction.

    If that fails, `compensate` extends them before they fire.
    """
    with set_apart(service, game_id), service.store.unit_of_work() as uow:
        lock(uow, game_id)
        for entry in uow.projections.open_deadlines(game_id)[:1]:
            compensate(service, uow, entry)

"""Games that cannot go on because their log or our code is at fault.

A stopped game is tried again after a pause, and noted again if that fails. An older note no longer
counts, so a repaired game needs no further attention.
"""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.log.chain import GameId
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

PAUSE = timedelta(hours=1)
"""A stopped game is left alone for this long; the others go on."""
COUNTS_FOR = PAUSE + timedelta(minutes=10)
_PREFIX = "stopped:"


def note_stopped(service: Service, uow: UnitOfWork, game_id: GameId) -> None:
    """Note that a game cannot go on for now."""
    now = service.now()
    uow.outages.forget(_PREFIX, now - COUNTS_FOR)
    uow.outages.note(f"{_PREFIX}{game_id}", now)


NAMED = 5
"""At most this many games are named."""


def listed(games: list[GameId]) -> str:
    """Name the first few games, with an ellipsis if there are more."""
    return ", ".join([*games[:NAMED], *(["…"] if len(games) > NAMED else [])])


def stopped(service: Service, uow: UnitOfWork) -> list[GameId]:
    """List the games that cannot go on, by id."""
    names = uow.outages.noted(_PREFIX, service.now() - COUNTS_FOR)
    return [GameId(name.removeprefix(_PREFIX)) for name in names]

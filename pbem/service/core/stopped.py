"""Games that stand still because their log, or our code, is at fault: who finds one notes it.

A game is looked at again after a pause, and noted anew as long as that fails; a note that is older
than that counts no more, so a game that was repaired needs no word of anybody.
"""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.log.chain import GameId
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

PAUSE = timedelta(hours=1)
"""So long a game that cannot be gone on with is left alone; the others go on."""
COUNTS_FOR = PAUSE + timedelta(minutes=10)
_PREFIX = "stopped:"


def note(service: Service, uow: UnitOfWork, game_id: GameId) -> None:
    """Note that a game could not be gone on with just now."""
    now = service.now()
    uow.outages.forget(_PREFIX, now - COUNTS_FOR)
    uow.outages.note(f"{_PREFIX}{game_id}", now)


NAMED = 5
"""So many of them are named."""


def listed(games: list[GameId]) -> str:
    """Name games, and say if there are more."""
    return ", ".join([*games[:NAMED], *(["…"] if len(games) > NAMED else [])])


def games(service: Service, uow: UnitOfWork) -> list[GameId]:
    """List the games that stand still, by id."""
    names = uow.outages.noted(_PREFIX, service.now() - COUNTS_FOR)
    return [GameId(name.removeprefix(_PREFIX)) for name in names]

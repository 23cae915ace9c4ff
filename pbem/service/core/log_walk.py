"""Walk through a log event by event, for replays, audits, `history` and observers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.api import Fact
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Event, Recorded
from pbem.domain.table import standing_fold
from pbem.domain.table.fold import folded
from pbem.domain.table.game import Game
from pbem.domain.table.retraction import went_back_to
from pbem.service.core import games
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec


@dataclass(frozen=True, slots=True)
class LogStep:
    """An event, with the game before and after it. `before` is None for the first event."""

    recorded: Recorded = field(repr=False)
    before: Game | None = field(repr=False)
    game: Game = field(repr=False)

    @property
    def version(self) -> int:
        """Return the version of the event."""
        return self.recorded.version

    @property
    def event(self) -> Event:
        """Return the event as an instance of its class."""
        return self.recorded.event

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the event's facts for every audience, except those about standing orders."""
        return tuple(
            news.fact
            for news in self.game.news
            if news.version == self.version and news.fact.kind not in standing_fold.PRIVATE
        )


def steps(
    recorded: Iterable[Recorded],
    game_id: GameId,
    before: Game | None = None,
    past: Mapping[int, Game] | None = None,
) -> Iterator[LogStep]:
    """Yield a step for each event. The arguments are those of `folded`. Raises: LogError."""
    events = tuple(recorded)
    for item, game in zip(events, folded(events, game_id, before, past), strict=True):
        yield LogStep(item, before, game)
        before = game


def walk(
    uow: UnitOfWork, game_id: GameId, after: int = 0, up_to: int | None = None
) -> Iterator[LogStep]:
    """Yield a step for each event of a stored game, with `after` < version <= `up_to`.

    Raises:
        UnknownStreamError: there is no such game.
        LogError: the log was altered, or does not follow the rules.
    """
    recorded = [codec.decode(event) for event in uow.events.read(game_id, after, up_to)]
    before = games.load(uow, game_id, up_to=after) if after else None
    back = [version for version in went_back_to(recorded) if version < after]
    past = {version: games.load(uow, game_id, up_to=version) for version in back}
    yield from steps(recorded, game_id, before, past)

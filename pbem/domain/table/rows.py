"""Row type of the fold registry: the effect of an event type, and when the event may occur.

The modules that fold the events contain the rows. `pbem.domain.table.fold` collects them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from pbem.domain.log.events import Adjudicated, Event, GameFinished, GameStopped, Recorded
from pbem.domain.table.game import UNFINISHED, Game

INVITING, RUNNING = (("inviting",), ("running",))
EVER = (*UNFINISHED, "finished", "stopped")

E = TypeVar("E", bound=Event)
Fold: TypeAlias = Callable[[Game, E, Recorded], Game]
Objection: TypeAlias = Callable[[Game, E], str | None]


class FoldRow(NamedTuple):
    """How events of one type change a game.

    Attributes:
        fold: returns the game after the event, except for its version.
        during: statuses of a game in which the event may occur.
        objection: returns why the event cannot follow, apart from the game's rules.
        by_player: True if the event's seat must still be played.
    """

    fold: Fold[Any]
    during: tuple[str, ...]
    objection: Objection[Any] | None
    by_player: bool


Rows: TypeAlias = dict[type, FoldRow]


def row(
    kind: type[E],
    fold: Fold[E],
    objection: Objection[E] | None = None,
    *,
    during: tuple[str, ...] = RUNNING,
    by_player: bool = False,
) -> Rows:
    """Create the registry row of one event type."""
    return {kind: FoldRow(fold, during, objection, by_player)}


def unless(holds: Callable[[Game, E], object], why: str) -> Objection[E]:
    """Create an objection: `why` the event cannot follow unless a condition holds."""
    return lambda game, event: None if holds(game, event) else why


against_other_secret: Final[Objection[GameStopped | Adjudicated | GameFinished]] = unless(
    lambda game, event: event.server_secret == game.server_secret,
    "it opens another secret than the game's",
)
"""Objection to an end of the game that opens another secret than the game's."""


def unchanged(game: Game, _event: Event, _item: Recorded) -> Game:
    """Return the game unchanged. Used for events that do not affect the game."""
    return game

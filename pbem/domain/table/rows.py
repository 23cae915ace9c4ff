"""One row for each type of event: how it changes a game, and when it may come.

The rows stand in the modules that fold the events; `pbem.domain.table.fold` collects and uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pbem.domain.log.events import Event, Recorded
from pbem.domain.table.game import UNFINISHED, Game

INVITING, RUNNING = (("inviting",), ("running",))
EVER = (*UNFINISHED, "finished", "stopped")

E = TypeVar("E", bound=Event)
Fold: TypeAlias = Callable[[Game, E, Recorded], Game]
Objection: TypeAlias = Callable[[Game, E], str | None]


class FoldRow(NamedTuple):
    """What an event does to a game.

    Attributes:
        fold: returns the game after the event, its version aside.
        during: statuses of a game in which the event may come.
        objection: returns why the event cannot follow, beside what the rules of the game say.
        by_player: the seat of the event must still be played.
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
    """Return the row of one type of event."""
    return {kind: FoldRow(fold, during, objection, by_player)}


def unchanged(game: Game, _event: Event, _item: Recorded) -> Game:
    """Return the game as it is: the event matters to its readers alone."""
    return game

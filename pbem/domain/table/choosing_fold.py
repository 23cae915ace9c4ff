"""What becomes of secret choices (GEN-6) as the last one is in: they are shown, and count as moves."""

from __future__ import annotations

from dataclasses import replace

from engine.api import JsonValue
from pbem.domain.log.events import ChoicesRevealed
from pbem.domain.table.game import Game, with_seat
from pbem.errors import LogError

_OWN = ("mail", "admin")
"""Sources of choices that the player of the seat made."""


def noted(game: Game, seat: int, source: str) -> Game:
    """Keep whether a seat's player chose: nobody may see it before all have."""
    return with_seat(game, seat, has_chosen=source in _OWN)


def revealed(game: Game, event: ChoicesRevealed, version: int) -> Game:
    """Show the choices; who chose was not silent. Raises: LogError if they are others than were made."""
    if game.is_choosing or game.state is None:
        raise LogError(f"event {version} reveals choices that are not all made", version=version)
    if event.ply != game.ruleset.ply(game.state) or event.revealed != revealed_data(game):
        raise LogError(f"event {version} tells other choices than were made", version=version)
    seats = tuple(
        replace(seat, misses=0, has_chosen=False) if seat.has_chosen else seat
        for seat in game.seats
    )
    return replace(game, seats=seats)


def revealed_data(game: Game) -> dict[str, JsonValue]:
    """Return what the choices that were made last have shown to everybody."""
    return next(
        (
            news.fact.data
            for news in reversed(game.news)
            if news.version == game.position and news.fact.kind == "revealed"
        ),
        {},
    )

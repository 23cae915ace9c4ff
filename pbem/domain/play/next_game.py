"""The next game at the same table: its id, and who deals, as each rule book says."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game

ID_LENGTH = 10


def next_id(game: Game, number: int) -> GameId:
    """Return the id of the next game, the same for all who ask for it.

    Args:
        number: 1 for the first next game, 2 for the one after that was stopped, and so on.
    """
    text = f"pbem-rematch-v1\n{game.id}\n{game.head}\n{number}"
    digest = hashlib.sha256(text.encode()).digest()
    return GameId(base64.b32encode(digest).decode().lower()[:ID_LENGTH])


def next_dealer(game: Game) -> int:
    """Return the seat that deals the next game (PHY-24, CAT-4, P10-4; else the deal moves left)."""
    return _RULES.get(game.ruleset.id.name, _left_of_dealer)(game)


def _loser(game: Game) -> int:
    """PHY-24: who is ranked last of those who stayed."""
    return _last(_places(game)[::-1], game)


def _winner(game: Game) -> int:
    """CAT-4: who is ranked first."""
    return _last(_places(game)[:1], game)


def _last(places: list[tuple[int, ...]], game: Game) -> int:
    return places[0][-1] if places else _left_of_dealer(game)


def _places(game: Game) -> list[tuple[int, ...]]:
    """Return the seats by place, without those who left."""
    ranking = () if game.finished is None else game.finished.ranking
    stayed = [
        tuple(seat for seat in place if game.seats[seat].status == "joined") for place in ranking
    ]
    return [place for place in stayed if place]


def _left_of_dealer(game: Game) -> int:
    dealer = game.ruleset.view(game.state, None).get("dealer")
    before = dealer if isinstance(dealer, int) else len(game.seats) - 1
    return (before + 1) % len(game.seats)


_RULES: dict[str, Callable[[Game], int]] = {"phyliss": _loser, "cathedral": _winner}

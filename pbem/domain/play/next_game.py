"""The next game at the same table: its id, and who deals."""

from __future__ import annotations

import base64
import hashlib

from engine.api import Seat
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


def next_dealer(game: Game) -> Seat | None:
    """Return the seat that deals the next game, as its rules say; None: nobody deals."""
    ranking = () if game.finished is None else game.finished.ranking
    stayed = [
        [Seat(seat) for seat in place if game.seats[seat].status == "joined"] for place in ranking
    ]
    return game.ruleset.next_dealer(game.state, [place for place in stayed if place])

"""Where the answers to a mail go, and what they are called."""

from __future__ import annotations

from pbem.domain.game import Game
from pbem.domain.tokens import SeatToken
from pbem.language import translate
from pbem.service.context import Service
from pbem.store.players import Player


def seat_address(service: Service, game: Game, seat: int, player: Player) -> str:
    """Give the reply address of a seat at this position, as its player has it now."""
    state = game.seats[seat]
    token = SeatToken(
        game.id, seat, state.generation, state.decision or 0, game.version, player.rotation
    )
    return service.tokens.address(token)


def reply_subject(game: Game, language: str) -> str:
    """Give the subject of a mail that a link opens, in the language of who writes it."""
    return f"Re: [{game.id}] {translate(game.ruleset.title, language)}"

"""Where the answers to a mail go, and what they are called."""

from __future__ import annotations

from dataclasses import replace

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.errors import Refusal
from pbem.language import translate
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player


def seat_address(service: Service, game: Game, seat: int, player: Player) -> str:
    """Return the reply address of a seat at this position, as its player has it now."""
    state = game.seats[seat]
    token = SeatToken(
        game.id, seat, state.generation, state.decision or 0, game.version, player.rotation
    )
    return service.tokens.address(token)


def reply_subject(game: Game, language: str) -> str:
    """Return the subject of a mail that a link opens, in the language of who writes it."""
    return f"Re: [{game.id}] {translate(game.ruleset.title, language)}"


_SPREADS = (50_000, 5_000, 500, 50)
"""Rotations among which one is drawn; as many as the length of a reply address leaves room for."""
_LONGEST = SeatToken(GameId("x" * 10), 9, 99, 9999, 9999)


def new_rotation(service: Service, uow: UnitOfWork) -> int:
    """Draw a rotation that nobody has had, in no lost history either.

    The one that was lost may have counted on from here; another one that began at the same backup
    drew its own. Raises: Refusal if reply addresses have no room for it.
    """
    newest = uow.players.newest_rotation()
    for spread in _SPREADS:
        if _has_room(service, newest + spread):
            return newest + spread // 10 + 1 + _drawn(service, spread - spread // 10)
    raise Refusal(
        "address", "The local part of the service's address is too long for new reply addresses."
    )


def _has_room(service: Service, rotation: int) -> bool:
    try:
        service.tokens.address(replace(_LONGEST, rotation=rotation))
    except ValueError:
        return False
    return True


def _drawn(service: Service, below: int) -> int:
    return int.from_bytes(service.random_bytes(8), "big") % below

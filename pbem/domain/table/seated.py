"""Who is asked to a table before the deal, and who sits down: how those events change a game."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from pbem.domain.log.events import PhraseGiven
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
)
from pbem.domain.table.game import Game, with_seat
from pbem.domain.terms.occupants import controller_of

SeatingEvent: TypeAlias = (
    PlayerInvited | PlayerJoined | PlayerDeclined | InvitationExpired | PhraseGiven
)


def seated(game: Game, event: SeatingEvent) -> Game:
    """Apply what somebody answered to an invitation, or that somebody is asked."""
    match event:
        case PlayerInvited():
            return _given(game, event, "invited")
        case PlayerJoined():
            return _given(game, event, "joined")
        case PlayerDeclined():
            return with_seat(game, event.seat, status="declined")
        case InvitationExpired():
            return with_seat(game, event.seat, status="expired")
        case PhraseGiven():
            return with_seat(game, event.seat, phrase=event.phrase)
        case _:
            assert_never(event)


def creator_of(actor: str) -> str:
    """Return the player who made a game, from the actor of its first event; empty for an admin."""
    kind, _, player = actor.partition(":")
    return player if kind == "player" else ""


def _given(game: Game, event: PlayerInvited | PlayerJoined, status: str) -> Game:
    """Return a seat to somebody; whoever it was meant for before has no say in it any more."""
    seat, player = game.seats[event.seat], event.player
    if player == seat.player:
        return with_seat(game, event.seat, status=status)
    return with_seat(
        game,
        event.seat,
        player=player,
        status=status,
        generation=seat.generation + 1,
        phrase=None,
        is_unreachable=False,
        controller=controller_of(player),
    )

"""Fill the seats before the deal, and prepare the next game at the same table.

The number and order of the seats, the options and the commitment never change (GEN-4). The players
may change until the cards are dealt. A game with fewer seats is a new game.
"""

from __future__ import annotations

import base64
import hashlib

from engine.api import Seat
from engine.sentences import sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import GameStopped
from pbem.domain.log.seat_events import InvitationExpired, PlayerInvited, PlayerJoined
from pbem.domain.play import decide
from pbem.domain.table.decision import SYSTEM, Decision
from pbem.domain.table.game import Game
from pbem.domain.table.seat_folds import VACANT
from pbem.domain.terms.seats import is_open, is_person
from pbem.errors import Refusal

FREE = ("invited", *VACANT)
"""Statuses of a seat that can still be given to another player."""


def vacant(game: Game) -> list[int]:
    """Return the seats that still need a player."""
    return [number for number, seat in enumerate(game.seats) if seat.status in VACANT]


def inviting(game: Game) -> Game:
    """Return the game if the cards have not been dealt. Raises: Refusal."""
    if game.status != "inviting":
        raise Refusal("started", sentence("The game has begun: its seats can no longer change."))
    return game


def ask(decision: Decision, seat: int, player: str) -> None:
    """Invite a person to take a vacant seat. Raises: Refusal."""
    _free_for(inviting(decision.existing()), seat, player)
    decision.emit(PlayerInvited(seat, player))


def seat_bot(decision: Decision, seat: int, bot: str) -> None:
    """Let a bot play a seat from the start.

    `decide.settle` must follow if that filled the table.

    Raises: Refusal.
    """
    _free_for(inviting(decision.existing()), seat, bot)
    decision.emit(PlayerJoined(seat, bot))
    decide.start_if_complete(decision)


def take(
    decision: Decision,
    seat: int,
    player: str,
    phrase: str | None = None,
    *,
    is_operator: bool = False,
) -> None:
    """Take an open seat. `decide.settle` must follow if that filled the table.

    Args as for `decide.join`. Raises: Refusal.
    """
    game = inviting(decision.existing())
    _free_for(game, seat, player)
    if not is_open(game.seats[seat].player):
        raise Refusal("taken", sentence("That seat is meant for somebody else."))
    decision.emit(PlayerJoined(seat, player))
    if phrase is None:
        decide.start_if_complete(decision)
    else:
        decide.join(decision, seat, phrase, is_operator=is_operator)


def open_seats(game: Game) -> list[int]:
    """Return the seats that anyone can still take."""
    if game.status != "inviting":
        return []
    return [number for number, seat in enumerate(game.seats) if seat.status == "open"]


def expire(decision: Decision, seat: int) -> None:
    """Record that an invitation expired or that an open seat was not taken in time."""
    state = inviting(decision.existing()).seats[seat]
    decision.emit(InvitationExpired(seat, state.player))


def call_off(decision: Decision, code: str) -> None:
    """Stop a game before the deal, which reveals the secret. `code` as in `GameStopped`."""
    game = inviting(decision.existing())
    decision.emit(GameStopped(code, game.server_secret, ""), actor=SYSTEM)


def _free_for(game: Game, seat: int, player: str) -> None:
    if any(other.player == player for n, other in enumerate(game.seats) if n != seat):
        raise Refusal("seated", sentence("They have a seat in this game already."))
    if game.seats[seat].status not in FREE:
        raise Refusal("joined", sentence("The player in that seat has joined already."))


def people(game: Game) -> list[str]:
    """Return the IDs of the human players at the table, in seat order."""
    return [seat.player for seat in game.seats if is_person(seat.player)]


# --- the next game at the same table -----------------------------------------------------------------

ID_LENGTH = 10


def next_id(game: Game, number: int) -> GameId:
    """Return the ID of a rematch, which is the same no matter who asks for it.

    Args:
        number: 1 for the first rematch. Higher numbers are used after earlier rematches were
            stopped.
    """
    text = f"pbem-rematch-v1\n{game.id}\n{game.head}\n{number}"
    digest = hashlib.sha256(text.encode()).digest()
    return GameId(base64.b32encode(digest).decode().lower()[:ID_LENGTH])


def next_dealer(game: Game) -> Seat | None:
    """Return the dealer of the next game according to the rules, or None if the game has no dealer."""
    ranking = () if game.finished is None else game.finished.ranking
    stayed = [
        [Seat(seat) for seat in group if game.seats[seat].status == "joined"] for group in ranking
    ]
    return game.ruleset.next_dealer(game.state, [group for group in stayed if group])

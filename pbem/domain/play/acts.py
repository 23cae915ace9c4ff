"""Acts of an admin on a game. Each needs a reason, which is sent to every player."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.clock import clockwork
from pbem.domain.log.events import Adjudicated, GameStopped, MovesRetracted, ReasonGiven
from pbem.domain.log.seat_events import PlayerInvited, SeatRemoved, SeatReplaced
from pbem.domain.play.decide import leave, play_forced, settle
from pbem.domain.table import retraction
from pbem.domain.table.decision import Decision, running
from pbem.domain.table.game import Game
from pbem.domain.table.seat_folds import against_replacement
from pbem.errors import Refusal


def stop(decision: Decision, reason: str) -> None:
    """Stop a game without a ranking, as an admin. Opens the secret. Raises: Refusal."""
    game = decision.existing()
    if game.is_over:
        raise Refusal("over", "The game is over already.")
    decision.emit(GameStopped("admin", game.server_secret, checked_reason(reason)))


def remove(decision: Decision, seat: int, reason: str) -> None:
    """Remove a seat from the game, as an admin (GEN-7). Raises: Refusal."""
    game = running(decision.existing())
    if game.seats[seat].status != "joined":
        raise Refusal("resigned", "That seat has left the game already.", rule="GEN-7")
    leave(decision, SeatRemoved(seat, checked_reason(reason)))
    settle(decision)


def retract(decision: Decision, past: Game, reason: str) -> None:
    """Take moves back to the game `past`, as an admin.

    The seats to act then get their whole time again. Raises: Refusal.
    """
    game = running(decision.existing())
    why_not = retraction.why_not(game, past)
    if why_not is not None:
        raise Refusal("undo", f"The game cannot go back there: {why_not}.")
    decision.past[past.version] = past
    ply = game.ruleset.ply(past.state)
    decision.emit(MovesRetracted(past.version, ply, checked_reason(reason)))
    play_forced(decision)
    settle(decision)


def checked_reason(reason: str) -> str:
    """Strip the reason for an admin action. Raises: Refusal if it is empty."""
    if not reason.strip():
        raise Refusal(
            "reason", "Such an act needs a reason that every player reads: --reason TEXT."
        )
    return reason.strip()


def explain(decision: Decision, reason: str) -> None:
    """Record an admin's reason for the preceding event. Raises: Refusal if it is empty."""
    decision.emit(ReasonGiven(checked_reason(reason)))


def adjudicate(
    decision: Decision, ranking: Sequence[Sequence[int]], reason: str, *, with_judge: bool = False
) -> None:
    """End a game with a ranking, as an admin. Opens the secret.

    Args:
        ranking: seats by rank. Seats that left the game and are not named share the last rank.

    Raises: Refusal.
    """
    game = running(decision.existing())
    places = [tuple(group) for group in ranking]
    named = [seat for group in places for seat in group]
    if len(set(named)) != len(named):
        raise Refusal("ranking", "The ranking names somebody twice.")
    missing = [seat for seat in range(len(game.seats)) if seat not in named]
    if any(game.seats[seat].status == "joined" for seat in missing):
        raise Refusal("ranking", "The ranking must name everybody who still plays.")
    if missing:
        places.append(tuple(missing))
    decision.emit(
        Adjudicated(tuple(places), with_judge, game.server_secret, checked_reason(reason))
    )


def replace_player(decision: Decision, seat: int, player: str, reason: str) -> None:
    """Transfer a seat to another person, as an admin. Raises: Refusal.

    The new player gets the full time for a turn.
    """
    game = decision.existing()
    if game.is_over:
        raise Refusal("over", "The game is over already.")
    event = SeatReplaced(seat, player, checked_reason(reason))
    why_not = against_replacement(game, event)
    if why_not is not None:
        raise Refusal("replace", f"This cannot be: {why_not}.")
    decision.emit(event)
    if game.status == "inviting":
        decision.emit(PlayerInvited(seat, player))
    else:
        clockwork.welcome_back(decision, seat)

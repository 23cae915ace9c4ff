"""Disputes, which stop the clock until an admin answers."""

from __future__ import annotations

from engine.sentences import sentence
from pbem.domain.clock import clockwork
from pbem.domain.log.events import DisputeOpened, DisputeResolved
from pbem.domain.table.decision import Decision
from pbem.errors import Refusal

TEXT_LIMIT = 4000
"""Maximum number of characters of a complaint. The message itself is stored completely."""


def open_dispute(decision: Decision, seat: int, text: str) -> int:
    """Open a dispute of a seat, stop the clock, and return its number.

    A player who left the game may still complain, but does not stop the clock.

    Raises: Refusal.
    """
    game = decision.existing()
    if game.status != "running":
        raise Refusal(
            "not-running",
            sentence(
                "Only a running game has disputes. Once a game is over, everything is open: "
                "everybody can check its export, and you can write to the admin."
            ),
        )
    mine = next((dispute for dispute in game.disputes if dispute.seat == seat), None)
    if mine is not None:
        raise Refusal(
            "dispute",
            sentence(
                "Your dispute {number} is open already; an admin answers it.", number=mine.number
            ),
        )
    if not text.strip():
        raise Refusal(
            "dispute",
            sentence(
                "Say behind the word what went wrong, as in: dispute my second line was not"
                " carried out"
            ),
        )
    number = game.disputed + 1
    decision.emit(DisputeOpened(number, seat, text.strip()[:TEXT_LIMIT]))
    if game.paused_at is None and game.seats[seat].status == "joined":
        clockwork.pause(decision, "dispute")
    return number


def resolve_dispute(decision: Decision, number: int, text: str) -> None:
    """Resolve a dispute, as an admin. Raises: Refusal.

    The clock restarts when the last dispute is resolved.
    """
    game = decision.existing()
    if number not in [dispute.number for dispute in game.disputes]:
        listed = ", ".join(str(dispute.number) for dispute in game.disputes) or "none"
        raise Refusal("dispute", f"No dispute {number} is open in that game (open: {listed}).")
    if game.is_over:
        raise Refusal("over", "The game is over; nothing is to be resolved in it any more.")
    if not text.strip():
        raise Refusal("reason", "Say what was decided; every player reads it: --text TEXT.")
    game = decision.emit(DisputeResolved(number, text.strip()[:TEXT_LIMIT]))
    if game.paused_by == "dispute" and not game.disputes:
        clockwork.resume(decision, "dispute")
    elif game.paused_at is not None:  # count the votes that had to wait for the decision
        clockwork.count(decision)

"""When a game in which everyone is silent is stopped (GEN-7).

Each finished turn leaves a mark: the sum of what it held. A game keeps the last two marks of every
seat, from deal to deal; it is silent when all of them are quiet. What a turn is and when it ends is
each game's own business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from engine.api import Seat, Source

# What a turn held: the sum of these, one per kind of ply.
STANDBY: Final = 1
CHOSEN: Final = 2
FORCED: Final = 4

TURN_MARK: Final[Mapping[Source, int]] = {
    Source.STANDBY: STANDBY,
    Source.CHOSEN: CHOSEN,
    Source.FORCED: FORCED,
}

QUIET_TURNS: Final[tuple[int, ...]] = (STANDBY, STANDBY | FORCED)
"""Turns in which a standby ply was made and nobody decided anything."""

NO_TURNS = (0, 0)
"""The record of a seat that has not made two turns yet; 0 stands for a turn not made."""

Turns: TypeAlias = tuple[tuple[int, int], ...]
"""Per seat the marks of its last two finished turns, the older one first."""


def with_turn(turns: Turns, seat: Seat, mark: int) -> Turns:
    """Return the records with one more finished turn of a seat."""
    older, last = turns[seat]
    if older == last == mark:  # most turns are chosen like the two before
        return turns
    return (*turns[:seat], (last, mark), *turns[seat + 1 :])


def end_turn(draft: Any, seat: Seat) -> int:  # noqa: ANN401
    """Move the running turn of a draft into the seat's record and return its mark (GEN-7)."""
    mark: int = draft.turn
    draft.turns = with_turn(draft.turns, seat, mark)
    draft.turn = 0
    return mark


def is_silent(
    turns: Sequence[tuple[int, int]], running: int, is_gone: Callable[[Seat], bool]
) -> bool:
    """True if nobody has decided anything for two turns each (GEN-7).

    A turn that is still going on says nothing for silence yet, but a ply chosen in it ends silence.

    Args:
        turns: per seat the last two finished turns, the older one first.
        running: mark of the running turn so far.
        is_gone: whether a seat is no longer waited for; asked only of seats that were not quiet.
    """
    if running & CHOSEN:
        return False
    for seat, (older, last) in enumerate(turns):
        is_quiet = last in QUIET_TURNS and older in QUIET_TURNS
        if not is_quiet and not is_gone(Seat(seat)):
            return False
    return True

"""Detection of silent games, which are stopped (GEN-7).

Each finished turn results in a mark: the sum of the kinds of its plies. A game stores the last two
marks of every seat, across deals. It is silent when all of them are quiet. Each game itself defines
its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from engine.api import Seat, Source

# Marks of turns are sums of these, one per kind of ply.
STANDBY: Final = 1
CHOSEN: Final = 2
FORCED: Final = 4

TURN_MARK: Final[Mapping[Source, int]] = {
    Source.STANDBY: STANDBY,
    Source.CHOSEN: CHOSEN,
    Source.FORCED: FORCED,
}

QUIET_TURNS: Final[tuple[int, ...]] = (STANDBY, STANDBY | FORCED)
"""Marks of turns with a standby ply and without a decision."""

NO_TURNS = (0, 0)
"""The record of a seat that has not had a turn yet, in which 0 stands for a missing turn."""

Turns: TypeAlias = tuple[tuple[int, int], ...]
"""Marks of each seat's last two finished turns, the older one first."""


def with_turn(turns: Turns, seat: Seat, mark: int) -> Turns:
    """Return the records with one more finished turn of a seat."""
    older, last = turns[seat]
    if older == last == mark:  # most turns are chosen like the two before
        return turns
    return (*turns[:seat], (last, mark), *turns[seat + 1 :])


def is_silent(
    turns: Sequence[tuple[int, int]], running: int, is_gone: Callable[[Seat], bool]
) -> bool:
    """True if no seat has decided anything in its last two turns (GEN-7).

    An unfinished turn does not count towards silence, but a chosen ply in it ends silence.

    Args:
        turns: each seat's last two finished turns, the older one first.
        running: mark of the running turn so far.
        is_gone: returns True for a seat that no longer counts. Called only for seats that were
            not quiet.
    """
    if running & CHOSEN:
        return False
    for seat, (older, last) in enumerate(turns):
        is_quiet = last in QUIET_TURNS and older in QUIET_TURNS
        if not is_quiet and not is_gone(Seat(seat)):
            return False
    return True

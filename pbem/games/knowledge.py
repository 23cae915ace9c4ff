"""What a bot must know about a game besides its rules: one `Knowledge` per game."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.api import JsonObject, OptionValue, Outcome, Setup

View: TypeAlias = Mapping[str, Any]
"""A view, as described in the engine protocol."""

Table: TypeAlias = Mapping[str, Any]
"""The whole state of a made-up table, as described in the engine protocol."""

CHOSEN = 2
"""A turn mark of the engine protocol: a ply that a player decided.

A search does not include silence (GEN-7), so every turn that is not in the view counts as decided.
"""


T = TypeVar("T")


class Dice(Protocol):
    """The source of chance with which a bot makes up a table."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place."""
        ...

    def pick(self, items: Sequence[T]) -> T:
        """Draw one item; the sequence is never empty."""
        ...

    def take(self, items: Sequence[T], count: int) -> list[T]:
        """Draw the given number of different items."""
        ...


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts about a game that the search needs.

    Attributes:
        guess: makes up everything that a view does not show, all possibilities equally likely, as
            `state_json` of the engine protocol. `view` of the result returns the same view.
        worth: the value of an unfinished game for a seat, from 0 (last) to 1 (first). The arguments
            include the `state_json` of a made-up table, and whether a deal or battle has just ended
            (`ends`). If so, the state is that of the next one; else the playout stopped in between.
        ends: kinds of facts after which a playout stops: a deal or a battle is over. In a game
            that continues, the same step shuffles for the next one.
        own_ends: those kinds that count only if they are about the deciding seat.
        shortlist: the legal moves to consider, as indexes of the list; at least one. The last
            argument is the effort of the level.
        caution: share of moves in a playout that are standby moves; the others are any legal moves
            of the same kind.
        trust: how much better another move must do than the standby move, as a share of the first
            place, divided by the root of the number of tables tried.
        horizon: maximum plies of a playout.
        budgets: plies that a search can play for one decision, `easy` and `hard`.
    """

    guess: Callable[[View, Setup, Dice], JsonObject]
    worth: Callable[[Table, int, Mapping[str, OptionValue], bool], float]
    ends: frozenset[str]
    own_ends: frozenset[str]
    shortlist: Callable[[View, Sequence[str], int], Sequence[int]]
    caution: float
    trust: float
    horizon: int
    budgets: tuple[int, int]


def place_share(outcome: Outcome, seat: int) -> float:
    """Return the value of a result, from 1 (first) to 0 (last); ties share (GEN-17)."""
    behind = sum(map(len, outcome.ranking)) - 1
    for place in outcome.ranking:
        behind -= len(place) - 1
        if seat in place:
            others = sum(map(len, outcome.ranking)) - 1
            return (behind + (len(place) - 1) / 2) / others
        behind -= 1
    raise ValueError("a seat without a place")


def lead_share(mine: float, others: Sequence[float], scale: float) -> float:
    """Return the value of a lead over the others, from 0 to 1.

    Args:
        mine: own score; more is better.
        others: scores of the others.
        scale: a lead of this size gives about three chances in four.
    """
    if not others:
        return 1.0
    return sum(1 / (1 + math.exp(_bounded((other - mine) / scale))) for other in others) / len(
        others
    )


def _bounded(power: float) -> float:
    return max(-50.0, min(50.0, power))


def everything(view: View, orders: Sequence[str], effort: int) -> Sequence[int]:
    """Shortlist every legal move."""
    return range(len(orders))


def unseen(pack: Sequence[str], seen: Sequence[str]) -> list[str]:
    """Return the cards of a pack except those that the viewer sees, copy by copy."""
    left = list(pack)
    for card in seen:
        left.remove(card)
    return left

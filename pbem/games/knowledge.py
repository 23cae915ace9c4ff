"""What a bot must know about a game beside its rules; one value of `Knowledge` per game."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.api import JsonObject, OptionValue, Outcome, Setup

View: TypeAlias = Mapping[str, Any]
"""A view as the engine protocol describes it."""

Table: TypeAlias = Mapping[str, Any]
"""The whole state of a made-up table, as the engine protocol describes it."""

CHOSEN = 2
"""A turn mark of the engine protocol: a ply that somebody decided. Silence (GEN-7) is no part of a
search, so every turn that a view does not tell of counts as one."""


T = TypeVar("T")


class Dice(Protocol):
    """The stream of chance that a bot brings along to make up a table."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place."""
        ...

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items; there is at least one."""
        ...

    def take(self, items: Sequence[T], count: int) -> list[T]:
        """Draw so many different items."""
        ...


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One game, as far as the search needs to be told.

    Attributes:
        guess: makes up everything that a view does not show, all possibilities equally likely, as
            `state_json` of the engine protocol. `view` of the result gives the view back.
        worth: what an unfinished game is worth to a seat, from 0 (last) to 1 (first), from the
            `state_json` of a made-up table; and whether a deal or battle has just ended (`ends`), so
            that it is that of the next one, or the playout stopped in the middle.
        ends: kinds of facts after which a playout stops: a deal or a battle is over. In a game
            that goes on the same step shuffles for the next one.
        own_ends: such kinds that count only if they are about the seat that decides.
        shortlist: the legal moves worth a thought, as places in the list; at least one. The last
            argument is the effort of the level.
        caution: share of moves in a playout that are standby moves; the others are any legal moves
            of the same kind.
        trust: how much better another move must do than the standby move, as a share of the first
            place, divided by the root of the number of tables tried.
        horizon: most plies of a playout.
        budgets: plies that a search may play out for one decision, `easy` and `hard`.
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
    """Return what a result is worth: 1 for the first, 0 for the last, equal ones share (GEN-17)."""
    behind = sum(map(len, outcome.ranking)) - 1
    for place in outcome.ranking:
        behind -= len(place) - 1
        if seat in place:
            others = sum(map(len, outcome.ranking)) - 1
            return (behind + (len(place) - 1) / 2) / others
        behind -= 1
    raise ValueError("a seat without a place")


def lead_share(mine: float, others: Sequence[float], scale: float) -> float:
    """Return what it is worth to be ahead of the others by so much, from 0 to 1.

    Args:
        mine: own standing, the more the better.
        others: that of the others.
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
    """Return the cards of a pack less those that lie open to the viewer, copy by copy."""
    left = list(pack)
    for card in seen:
        left.remove(card)
    return left

"""Knowledge of bots about a game besides its rules: one `Knowledge` per game."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.api import JsonObject, Outcome, Seat, Setup

View: TypeAlias = Mapping[str, Any]
"""A view, as described in the engine protocol."""

State: TypeAlias = Any
"""A state of the ruleset, opaque to the caller."""

Move: TypeAlias = Any
"""A move of the ruleset, also opaque."""

CHOSEN = 2
"""Turn mark of the engine protocol for a ply chosen by a player.

Searches ignore silence (GEN-7), so every turn that is not in the view uses this mark.
"""


T = TypeVar("T")


class Dice(Protocol):
    """Source of randomness for possible tables."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place."""
        ...

    def pick(self, items: Sequence[T]) -> T:
        """Draw one item. The sequence is never empty."""
        ...

    def seed(self) -> bytes:
        """Return a random seed for a hypothetical game."""
        ...

    def take(self, items: Sequence[T], count: int) -> list[T]:
        """Draw the given number of different items."""
        ...


class Worth(Protocol):
    """Returns the expected result of each seat."""

    def __call__(self, state: State, *, has_ended: bool) -> Sequence[float]:
        """Return the values by seat."""
        ...


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of bots about a game.

    Functions that take a state use only the view of the seat, unless otherwise noted.

    Attributes:
        rule: the heuristic: the move of a seat to act, in less than a millisecond.
        why: the code of the heuristic's reason for a move, which messages explain, or empty for
            none.
        guess: generates everything that a view does not show, all possibilities equally likely, as
            `state_json` of the engine protocol. `view` of the result returns the same view.
        redeal: like `guess`, but from a full state: redeals every card that a seat cannot see,
            with a new seed.
        worth: expected value of an unfinished game for each seat, from 0 (last) to 1 (first), using
            all cards. With `has_ended` a deal or battle has just ended, and the state is that of
            the next.
        ends: kinds of facts that mark such an end.
        is_flat: True to try all moves of the seat in the same worlds and repeatedly drop the worse
            half. False to grow a search tree. One value for two seats, one for more.
        doubt: standard errors by which a move must then be better than that of the heuristic.
        is_settled: returns True if the seat's place in the running deal is certain, which ends a
            flat trial.
        key: the same value for moves that do not differ in any way that matters.
        rollout: the quick policy of all seats beyond the search horizon. It may use all cards.
        caution: fraction of rollout moves chosen by `rollout`. The others are random.
        explore: exploration constant of the search, with two seats and with more.
        patience: discount of a result per ply, with two seats and with more. Less than 1 favours
            short ways to it. With many seats it would favour quick games over good places.
        horizon: maximum number of plies of the search.
        iterations: playouts of `medium` and `hard`. With 0 they use the heuristic, and the fields
            of the search may be omitted.
    """

    rule: Callable[[State, Seat], Move]
    why: Callable[[State, Seat, Move], str]
    guess: Callable[[View, Setup, Dice], JsonObject]
    redeal: Callable[[State, Seat, Dice], State]
    worth: Worth = lambda state, *, has_ended: ()
    ends: frozenset[str] = frozenset()
    rollout: Callable[[State, Seat], Move] = lambda state, seat: None
    is_flat: tuple[bool, bool] = (False, False)
    doubt: float = 0.0
    is_settled: Callable[[State, Seat], bool] = lambda state, seat: False
    key: Callable[[Move], Hashable] = lambda move: move
    caution: float = 1.0
    explore: tuple[float, float] = (0.7, 1.0)
    patience: tuple[float, float] = (1.0, 1.0)
    horizon: int = 120
    iterations: tuple[int, int] = (300, 1500)


def place_share(outcome: Outcome, seat: int) -> float:
    """Return the value of a seat's result, from 1 (first) to 0 (last). Ties share values (GEN-17)."""
    behind = sum(map(len, outcome.ranking)) - 1
    for place in outcome.ranking:
        behind -= len(place) - 1
        if seat in place:
            others = sum(map(len, outcome.ranking)) - 1
            return (behind + (len(place) - 1) / 2) / others
        behind -= 1
    raise ValueError("a seat without a place")


def lead_share(mine: float, others: Sequence[float], scale: float) -> float:
    """Return the value of a lead over other seats, from 0 to 1.

    Args:
        mine: score of the seat. Higher is better.
        others: scores of the other seats.
        scale: size of a lead that wins with a probability of about three quarters.
    """
    if not others:
        return 1.0
    return sum(1 / (1 + math.exp(_bounded((other - mine) / scale))) for other in others) / len(
        others
    )


def _bounded(power: float) -> float:
    return max(-50.0, min(50.0, power))


def unseen(pack: Sequence[str], seen: Sequence[str]) -> list[str]:
    """Return the cards of a pack that the viewer does not see, counting equal cards separately."""
    left = list(pack)
    for card in seen:
        left.remove(card)
    return left

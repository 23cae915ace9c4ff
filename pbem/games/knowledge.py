"""What a bot must know about a game besides its rules: one `Knowledge` per game."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.api import JsonObject, Outcome, Seat, Setup

View: TypeAlias = Mapping[str, Any]
"""A view, as described in the engine protocol."""

State: TypeAlias = Any
"""A state of the ruleset, which is its own affair."""

Move: TypeAlias = Any
"""A move of the ruleset, likewise."""

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
        """Draw one item. The sequence is never empty."""
        ...

    def seed(self) -> bytes:
        """Draw the seed of a made-up game."""
        ...

    def take(self, items: Sequence[T], count: int) -> list[T]:
        """Draw the given number of different items."""
        ...


class Worth(Protocol):
    """What each seat may expect."""

    def __call__(self, state: State, *, has_ended: bool) -> Sequence[float]:
        """Return it by seat."""
        ...


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What bots know of a game.

    Functions that take a state look only at what the view of the seat shows, unless they say otherwise.

    Attributes:
        rule: the rule of thumb: the move of a seat to act, in less than a millisecond.
        why: the reason for a move of that rule, a word that mails explain, or empty for none.
        guess: makes up everything that a view does not show, all possibilities equally likely, as
            `state_json` of the engine protocol. `view` of the result returns the same view.
        redeal: the same for a state: all that a seat cannot see is dealt anew, the seed too.
        worth: what each seat may expect of an unfinished game, from 0 (last) to 1 (first), by all
            cards. `has_ended` says that a deal or battle is just over: the state is that of the next.
        ends: kinds of facts that say so.
        is_flat: all moves of the seat are tried in the same worlds, the worse half of them is dropped
            again and again, otherwise a tree grows. With two seats, and with more.
        doubt: standard errors by which a move must then be better than that of the rule of thumb.
        is_settled: whether the place of a seat in the running deal is certain. It ends a flat trial.
        key: what others see of a move: the same for moves that differ in nothing that matters.
        rollout: how seats play on at the end of what is looked at; quick. It may look at all cards.
        caution: the share of such moves. The others are any of the same kind.
        explore: how curious a search is with two seats, and with more.
        patience: what is left of a result per ply, with two seats and with more: less than 1 finds
            short ways to it. With many seats it would prefer quick games to good places.
        horizon: plies that are looked ahead at most.
        iterations: lines of play that `medium` and `hard` look at; 0: they play the rule of thumb, and
            what only a search needs may be left out.
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


def unseen(pack: Sequence[str], seen: Sequence[str]) -> list[str]:
    """Return the cards of a pack except those that the viewer sees, copy by copy."""
    left = list(pack)
    for card in seen:
        left.remove(card)
    return left

"""Common heuristics of Phyliss and Cathedral."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

from engine.cards import RANK_OF, Card, sort_cards
from engine.plays import Cards, PickUp, Play
from engine.shedding import State
from pbem.games.knowledge import Dice, Move, lead_share
from pbem.games.worlds import HiddenCards, other_setup

_LEAD = 4.0
"""A lead of this many cards gives about three chances in four to go out first."""
BEHIND_ALL = 100.0
"""Burden of a seat that can no longer get rid of its cards."""
_BURDEN = {
    "2": 0.7, "3": 1.3, "4": 1.25, "5": 1.2, "6": 1.1, "7": 1.1, "8": 1.0, "9": 0.95,
    "10": 0.6, "J": 0.9, "Q": 0.85, "K": 0.8, "A": 0.7,
}  # fmt: skip
"""Difficulty of getting rid of a card.

A low one needs a low pile, and a 2 or 10 helps.
"""


def burden_of(cards: Cards) -> float:
    """Return how hard it is to get rid of these cards. An average card counts 1."""
    return sum([_BURDEN[RANK_OF[card]] for card in cards])


def shares(burdens: Sequence[float]) -> list[float]:
    """Return the expected value of each seat, given the burdens of all seats."""
    return [
        lead_share(-mine, [-other for index, other in enumerate(burdens) if index != seat], _LEAD)
        for seat, mine in enumerate(burdens)
    ]


def hidden_of(state: State[Any, Any], cards: Iterable[Cards], dice: Dice) -> HiddenCards[Card]:
    """Return these cards, the stock and unseen cards of resigned seats, ready to be dealt again."""
    pool = [*state.stock, *state.course.left_unseen, *chain.from_iterable(cards)]
    return HiddenCards(pool, dice, sort_cards, from_end=True)


def redealt(
    state: State[Any, Any], seats: Sequence[Any], hidden: HiddenCards[Card], dice: Dice
) -> State[Any, Any]:
    """Return the position with new seats, the remaining hidden cards and new future shuffles."""
    left = hidden.take(len(state.course.left_unseen))
    return state._replace(
        setup=other_setup(state, dice),
        course=state.course._replace(left_unseen=left) if left else state.course,
        seats=tuple(seats),
        stock=hidden.rest(),
    )


def move_key(move: Move) -> Hashable:
    """Return the ranks of a play as a key, because suits do not matter."""
    cards = getattr(move, "cards", None)
    return move if cards is None else tuple([RANK_OF[card] for card in cards])


def reason(move: Move, cautious: Move, power: Collection[str]) -> str:
    """Return a code for the heuristic's reason to make a move, which messages explain.

    Args:
        move: the chosen move.
        cautious: the standby move in this position.
        power: ranks that can be played on any card.
    """
    if isinstance(move, PickUp):
        return "pile" if isinstance(cautious, Play) else "nothing"
    if not isinstance(move, Play):
        return ""
    if RANK_OF[move.cards[0]] in power:
        return "special"
    is_split = isinstance(cautious, Play) and len(move.cards) < len(cautious.cards)
    return "single" if is_split else "lowest"

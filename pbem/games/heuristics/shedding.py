"""What the rules of thumb of Phyliss and Cathedral share."""

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
"""The burden of a seat that cannot get rid of its cards any more."""
_BURDEN = {
    "2": 0.7, "3": 1.3, "4": 1.25, "5": 1.2, "6": 1.1, "7": 1.1, "8": 1.0, "9": 0.95,
    "10": 0.6, "J": 0.9, "Q": 0.85, "K": 0.8, "A": 0.7,
}  # fmt: skip
"""How hard it is to get rid of a card.

A low one waits for a low pile; a 2 or 10 helps.
"""


def burden_of(cards: Cards) -> float:
    """Return how hard it is to get rid of these cards, in cards of average burden."""
    return sum([_BURDEN[RANK_OF[card]] for card in cards])


def shares(burdens: Sequence[float]) -> list[float]:
    """Return what each seat may expect, given how much all still have to get rid of."""
    return [
        lead_share(-mine, [-other for at, other in enumerate(burdens) if at != seat], _LEAD)
        for seat, mine in enumerate(burdens)
    ]


def hidden_of(state: State[Any, Any], cards: Iterable[Cards], dice: Dice) -> HiddenCards[Card]:
    """Return these cards, the stock and what resigned seats left unseen, to be dealt anew."""
    pool = [*state.stock, *state.course.left_unseen, *chain.from_iterable(cards)]
    return HiddenCards(pool, dice, sort_cards, from_end=True)


def dealt_anew(
    state: State[Any, Any], seats: Sequence[Any], hidden: HiddenCards[Card], dice: Dice
) -> State[Any, Any]:
    """Return the position with these seats, the rest of the cards, and other shuffles to come."""
    left = hidden.take(len(state.course.left_unseen))
    return state._replace(
        setup=other_setup(state, dice),
        course=state.course._replace(left_unseen=left) if left else state.course,
        seats=tuple(seats),
        stock=hidden.rest(),
    )


def move_key(move: Move) -> Hashable:
    """Return the ranks of a play: suits matter to nobody."""
    cards = getattr(move, "cards", None)
    return move if cards is None else tuple([RANK_OF[card] for card in cards])


def reason(move: Move, cautious: Move, power: Collection[str]) -> str:
    """Return why the rule of thumb chose a move, as a word that mails explain.

    Args:
        move: as chosen.
        cautious: the standby move in this position.
        power: ranks that fit everywhere.
    """
    if isinstance(move, PickUp):
        return "pile" if isinstance(cautious, Play) else "nothing"
    if not isinstance(move, Play):
        return ""
    if RANK_OF[move.cards[0]] in power:
        return "special"
    is_split = isinstance(cautious, Play) and len(move.cards) < len(cautious.cards)
    return "single" if is_split else "lowest"

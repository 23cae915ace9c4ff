"""Heuristics of Phyliss: the cautious move, which is hard to beat, with a few exceptions."""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import Seat
from engine.cards import RANK_OF, Card
from engine.phyliss.moves import Move, SeatCards, State, standby_move
from engine.plays import PICK_UP, PLAYS, Play, with_cards
from pbem.games.heuristics.shedding import (
    BEHIND_ALL,
    burden_of,
    hidden_of,
    reason,
    redealt,
    shares,
)
from pbem.games.knowledge import Dice

_SPLIT = frozenset({"8", "9", "J", "Q", "K", "A"})
"""Ranks whose pairs are split while there is a stock, because each single card can be useful
later.
"""
_POWER = frozenset({"2", "10"})
_PAIR, _FEW = 2, 3
"""Number of cards in a pair, and maximum number of seats for picking up a pile for its cards.

With more seats, a pile grows too fast.
"""

_USE = {
    "3": -1.0, "4": -1.0, "5": -0.9, "6": -0.8, "7": -0.6, "8": -0.5, "9": -0.3,
    "J": -0.1, "Q": 0.1, "K": 0.4, "A": 0.7, "2": 1.0, "10": 1.2,
}  # fmt: skip
"""Value of a card in the hand while there is a stock."""
_WELCOME = 0.7
"""Minimum value for which a pile is picked up with few seats."""
_BEARABLE = (-1.0, -0.3)
"""Minimum value for picking up instead of using a 2 or 10, with few seats and with more."""


def choose(state: State, seat: Seat) -> Move:
    """Return the standby move, except that high pairs are split and good piles picked up.

    Both happen only while there is a stock.
    """
    move = standby_move(state, seat)
    if not isinstance(move, Play) or not state.stock:
        return move
    rank = RANK_OF[move.cards[0]]
    if state.pile:
        use, many = _use(state.pile), state.setup.players > _FEW
        if (use >= _WELCOME and not many) or (rank in _POWER and use >= _BEARABLE[many]):
            return PICK_UP
    completes_three = bool(state.pile) and RANK_OF[state.pile[-1]] == rank
    if len(move.cards) == _PAIR and rank in _SPLIT and not completes_three:
        return PLAYS[move.cards[:1]]
    return move


def _use(pile: Sequence[Card]) -> float:
    return sum([_USE[RANK_OF[card]] for card in pile])


def why(state: State, seat: Seat, move: Move) -> str:
    """Return a code for the heuristic's reason to make this move."""
    return "" if state.to_act is None else reason(move, standby_move(state, seat), _POWER)


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal the hands of others, all blind cards and the stock again at random (PHY-28)."""
    owns = enumerate(state.seats)
    pool = [own.blind if each == seat else own.blind + own.private for each, own in owns]
    hidden = hidden_of(state, pool, dice)
    seats = []
    for each, own in enumerate(state.seats):
        hand, private = own.hand, own.private
        if each != seat and private:
            private = hidden.hand(len(private))
            hand = with_cards(own.known, private)
        blind = hidden.take(len(own.blind))
        seats.append(SeatCards(hand, private, own.up, blind, own.blind_numbers, own.out))
    return redealt(state, seats, hidden, dice)


def worth(state: State, *, has_ended: bool) -> Sequence[float]:
    """Return each seat's rank in the deal, or its expected value based on its cards left."""
    seats = state.seats
    if has_ended:
        places = state.course.results[-1].places
        return [_share(place or len(seats), len(seats)) for place in places]
    burdens = [
        BEHIND_ALL if each in state.resigned else burden_of(own.hand + own.up + own.blind)
        for each, own in enumerate(seats)
    ]
    expected = shares(burdens)
    return [
        expected[each] if own.out is None else _share(own.out, len(seats))
        for each, own in enumerate(seats)
    ]


def _share(rank: int, seats: int) -> float:
    return (seats - rank) / (seats - 1)

"""Heuristics of Cathedral: cards to set aside, and when to hold equal cards back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.api import Seat
from engine.cards import RANK_OF
from engine.cathedral.moves import (
    CLEARING,
    LOWERING,
    ORDINARY_RANKS,
    RESERVE_SIZE,
    Keep,
    Move,
    SeatCards,
    State,
    standby_move,
)
from engine.plays import PLAYS, Cards, Play, with_cards
from pbem.games.heuristics.shedding import (
    BEHIND_ALL,
    burden_of,
    hidden_of,
    reason,
    redealt,
    shares,
)
from pbem.games.knowledge import Dice

_POWER = frozenset({LOWERING, CLEARING})
_FEW, _MANY = 2, 4
"""Numbers of seats: with `_FEW`, more ranks are split. From `_MANY` on, low cards are set aside.

With many seats, a hand of low cards cannot be played out.
"""
_SPLIT_OF_TWO = frozenset({"9", "J", "Q", "K", "A"})
_SPLIT = frozenset({"J", "Q", "K", "A"})
"""Ranks that are played one at a time while there is a stock, to keep cards for later turns."""


def choose(state: State, seat: Seat) -> Move:
    """Return the standby move, but play high cards singly and set other cards aside."""
    if state.to_act is None:
        return Keep(_set_aside(state.seats[seat].hand, state.setup.players))
    move = standby_move(state, seat)
    split = _SPLIT_OF_TWO if state.setup.players == _FEW else _SPLIT
    if isinstance(move, Play) and state.stock and RANK_OF[move.cards[0]] in split:
        return PLAYS[move.cards[:1]]
    return move


def _set_aside(hand: Cards, players: int) -> Cards:
    """Choose cards to set aside: 2s and 10s, then high cards.

    With many players, pairs and then low cards are chosen instead of high cards.
    """
    counts = Counter(RANK_OF[card] for card in hand)
    chosen = [card for card in hand if RANK_OF[card] in _POWER][:RESERVE_SIZE]
    order = list(reversed(ORDINARY_RANKS))
    if players >= _MANY:
        left = RESERVE_SIZE - len(chosen)
        equal = [rank for rank in ORDINARY_RANKS if 1 < counts[rank] <= left]
        order = [*sorted(equal, key=lambda rank: -counts[rank]), *ORDINARY_RANKS]
    for rank in order:
        same = [card for card in hand if RANK_OF[card] == rank and card not in chosen]
        chosen += same[: RESERVE_SIZE - len(chosen)]
    return with_cards((), tuple(chosen))


def why(state: State, seat: Seat, move: Move) -> str:
    """Return a code for the heuristic's reason to make this move."""
    return "" if state.to_act is None else reason(move, standby_move(state, seat), _POWER)


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal the hands, reserves and choices of others, and the stock again at random (CAT-20)."""
    owns = enumerate(state.seats)
    pool = [own.private + own.reserve for each, own in owns if each != seat]
    hidden = hidden_of(state, pool, dice)
    seats = []
    for each, own in enumerate(state.seats):
        if each == seat:
            seats.append(own)
            continue
        private = hidden.hand(len(own.private))
        hand = with_cards(own.known, private)
        choice = None if own.choice is None else _set_aside(hand, len(state.seats))
        reserve = hidden.hand(len(own.reserve))
        seats.append(SeatCards(hand, private, reserve, choice, own.choice_mark))
    return redealt(state, seats, hidden, dice)


def worth(state: State, *, has_ended: bool) -> Sequence[float]:
    """Return each seat's value in the deal, based on its cards left or on its expected value."""
    if has_ended:
        counts = state.course.results[-1].cards_left
        burdens = [BEHIND_ALL if count is None else float(count) for count in counts]
    else:
        burdens = [
            BEHIND_ALL if each in state.resigned else burden_of(own.hand + own.reserve)
            for each, own in enumerate(state.seats)
        ]
    return shares(burdens)

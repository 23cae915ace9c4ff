"""A position of Oh Hell, and what follows from it alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from engine.api import OptionValue, Seat, Setup
from engine.cards import PACK, RANK_OF, RANKS, SUIT_OF, Card
from engine.silence import Turns

T = TypeVar("T")

Move: TypeAlias = "int | Card"
"""A bid is its number, a play its card."""

ORDER: Mapping[Card, int] = {card: place for place, card in enumerate(PACK)}
"""Hands are held suit by suit: clubs, diamonds, hearts, spades, each from the 2 up to the ace."""


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    Attributes:
        deal: from 0.
        dealer: of this deal.
        hands: per seat, in `ORDER`.
        stock: the cards that were not dealt, bottom to top.
        trump: the card turned up.
        bids: per seat; None = not bid yet, or not in this deal.
        trick: seat and card, in the order played.
        tricks: per seat, how many it has taken in this deal.
        played: cards of the finished tricks of this deal, in the order played.
        gone: cards of seats that left during this deal.
        scores: per seat, the points of all finished deals.
        resigned: seats that left, the first one first.
        turn: who acts next; None = over.
        turns: the record of silence.
        reason: why the game is over; empty = it is not.
    """

    setup: Setup
    deal: int
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    trump: Card
    bids: tuple[int | None, ...]
    trick: tuple[tuple[Seat, Card], ...]
    tricks: tuple[int, ...]
    played: tuple[Card, ...]
    gone: tuple[Card, ...]
    scores: tuple[int, ...]
    resigned: tuple[Seat, ...]
    turn: Seat | None
    ply: int
    turns: Turns
    reason: str = ""


def changed(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values with another one for a seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def sort_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of a hand."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def sizes(options: Mapping[str, OptionValue]) -> tuple[int, ...]:
    """Return the cards in each hand, deal by deal (OHH-2)."""
    largest = int(str(options["cards"]))
    down, up = range(largest, 0, -1), range(1, largest + 1)
    course = {"down": [*down], "up": [*up], "both": [*down, *up[1:]]}
    return tuple(course[str(options["course"])])


def size(state: State) -> int:
    """Return the number of tricks in this deal."""
    return sizes(state.setup.options)[state.deal]


def clockwise(state: State, after: Seat) -> tuple[Seat, ...]:
    """Return the seats that have not left, from the left of a seat on, itself last."""
    count = state.setup.players
    seats = (Seat((after + step) % count) for step in range(1, count + 1))
    return tuple(seat for seat in seats if seat not in state.resigned)


def is_bidding(state: State) -> bool:
    """True if somebody still has to bid in this deal."""
    return any(state.bids[seat] is None for seat in clockwise(state, state.dealer))


def forbidden_bid(state: State) -> int | None:
    """Return the bid that the last bidder cannot make; None if there is none (OHH-6)."""
    waiting = [seat for seat in clockwise(state, state.dealer) if state.bids[seat] is None]
    if len(waiting) != 1 or not state.setup.options["hook"]:
        return None
    left = size(state) - sum(bid for bid in state.bids if bid is not None)
    return left if left >= 0 else None


def possible_bids(state: State) -> tuple[int, ...]:
    """Return the bids that can be made now, ascending (OHH-5, OHH-6)."""
    forbidden = forbidden_bid(state)
    return tuple(bid for bid in range(size(state) + 1) if bid != forbidden)


def playable(state: State, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a hand that can be played to the trick (OHH-8)."""
    if not state.trick:
        return tuple(hand)
    led = SUIT_OF[state.trick[0][1]]
    return tuple(card for card in hand if SUIT_OF[card] == led) or tuple(hand)


def strength(card: Card, led: str, trump: str) -> tuple[int, int]:
    """Return what a card is worth in a trick: the highest takes it (OHH-9)."""
    suit = SUIT_OF[card]
    kind = 2 if suit == trump else 1 if suit == led else 0
    return kind, RANKS.index(RANK_OF[card])


def winning(state: State) -> tuple[Seat, Card]:
    """Return the seat and card that take the trick as it lies; there is one."""
    led, trump = SUIT_OF[state.trick[0][1]], SUIT_OF[state.trump]
    return max(state.trick, key=lambda one: strength(one[1], led, trump))

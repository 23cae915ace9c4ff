"""The moves of Phyliss: legal moves, validation, and the standby move.

`legal_moves` is authoritative. The `check_*` functions accept the same moves and raise an error
that names the violated rule for all others.

Order of `legal_moves` (frozen with the ruleset's version): plays by rank 2, 3, … 9, 10, J, Q, K, A,
for each rank one card, two cards, …, always the lowest suits (GEN-9), or the blind cards by number.
Then `pickup`, then `god`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from engine import shedding
from engine.api import Seat, without_in_repr
from engine.cards import RANK_OF, Card, sort_cards
from engine.errors import IllegalMoveError, illegal
from engine.plays import (
    PICK_UP,
    Cards,
    PickUp,
    Play,
    cautious_play,
    in_order,
    list_plays,
    not_high_enough,
    playable_cards,
    times,
    without,
)
from engine.sentences import sentence


@without_in_repr("hand", "private", "blind")
class SeatCards(NamedTuple):
    """The cards of one seat in the current deal."""

    hand: Cards
    """Hand in canonical order (rank 2 … A, then suit). Omitted from `repr`."""
    private: Cards
    """The part of the hand that no other player has seen (PHY-28), in canonical order.

    Omitted from `repr`.
    """
    up: Cards
    """Face-up cards on the table, in the order of the deal."""
    blind: Cards
    """Face-down cards on the table, in the order of the deal. Unknown to all. Omitted from `repr`."""
    blind_numbers: tuple[int, ...]
    """Number of each card of `blind`, from 1 to 3."""
    out: int | None = None
    """Rank earned in this deal by getting rid of every card, or None."""

    @property
    def known(self) -> Cards:
        """Return the part of the hand that everyone has seen, in canonical order."""
        return without(self.hand, self.private)

    @property
    def seen(self) -> Cards:
        """Return all cards of the seat that everyone has seen."""
        return self.known + self.up

    @property
    def unseen(self) -> Cards:
        """Return all cards of the seat that some players have not seen."""
        return self.private + self.blind

    @property
    def cards_left(self) -> int:
        """Return the total number of cards of the seat."""
        return len(self.hand) + len(self.up) + len(self.blind)


NO_CARDS = SeatCards((), (), (), (), ())


class DealResult(NamedTuple):
    """The result of a deal."""

    places: tuple[int | None, ...]
    """Rank per seat, or None for a seat that had resigned before the deal."""
    loser: Seat | None
    """The seat that ranks last, or None if the deal was stopped (GEN-8)."""


State: TypeAlias = shedding.State[SeatCards, DealResult]
Draft: TypeAlias = shedding.Draft[SeatCards, DealResult]


DESTROYER: Final = "10"
WILD: Final = "2"

PHYLISS_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A")
"""Ranks, low to high (PHY-2). A 2 also beats the ace. The 10 is not part of the order (PHY-3)."""

STANDBY_RANKS = (*PHYLISS_RANKS[1:], WILD, DESTROYER)
"""Ranks in the order in which the standby move plays them (PHY-26)."""


@dataclass(frozen=True, slots=True)
class God:
    """Turn over the top card of the stock and play it if possible (PHY-14)."""

    def __str__(self) -> str:
        return "god"


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn over one of the seat's blind cards (PHY-20)."""

    number: int
    """Number of the blind card, from 1 to 3."""

    def __str__(self) -> str:
        return f"flip {self.number}"


Move: TypeAlias = Play | PickUp | God | Flip
"""A move. Plays use the hand or the face-up cards (PHY-17)."""
Table: TypeAlias = State | Draft

GOD: Final = God()
FLIPS: Final[Mapping[int, Flip]] = {number: Flip(number) for number in (1, 2, 3)}


def can_be_played_on(rank: str, top: str | None) -> bool:
    """True if a card of `rank` may be played on a pile whose top card has rank `top`.

    Args:
        rank: rank of the card to play.
        top: rank of the top card, or None for an empty pile.

    Rules: PHY-2, PHY-3, PHY-8, PHY-9.
    """
    if top is None or rank in (WILD, DESTROYER):
        return True
    # The 2 is the lowest rank, so every card beats it. A 10 is never the top card, because it
    # removes the pile.
    return PHYLISS_RANKS.index(rank) >= PHYLISS_RANKS.index(top)


PLAYABLE: Final = playable_cards(can_be_played_on, DESTROYER)
"""Maps the top card of the pile (None if empty) to the cards that may be played on it."""


def playable(pile: Cards) -> frozenset[Card]:
    """Return the cards that may be played on a pile."""
    return PLAYABLE[pile[-1] if pile else None]


def cards_in_play(own: SeatCards) -> Cards:
    """Return the cards that a seat can choose from: its hand, or else its face-up cards.

    Empty if only blind cards are left. The stock need not be checked, because every play ends with
    cards in the hand while there is a stock (PHY-15).

    Rules: PHY-17, PHY-18, PHY-20.
    """
    return own.hand or own.up


def legal_moves(state: State, seat: Seat) -> list[Move]:
    """Return the legal moves in documented order, without equivalent ones (GEN-9)."""
    if seat != state.to_act:
        return []
    own = state.seats[seat]
    pile = state.pile
    moves: list[Any]
    if own.hand:
        moves = list_plays(own.hand, playable(pile))
    elif own.up:
        moves = list_plays(sort_cards(own.up), playable(pile))
    else:
        moves = [FLIPS[number] for number in own.blind_numbers]
    if pile:
        moves.append(PICK_UP)
    if state.stock:
        moves.append(GOD)
    return moves


def check_play(pile: Cards, own: SeatCards, cards: Cards) -> Cards:
    """Validate a play and return its cards in canonical order. Raises: IllegalMoveError.

    It must be the turn of the seat.
    """
    source = own.hand or own.up
    if not source:
        raise only_blind_left(own)
    for card in cards:
        if card not in source:
            raise _not_there(own, card, with_others=any(other in source for other in cards))
    if len(cards) != 1:
        cards = in_order(cards, "PHY-8")
    if cards[0] not in playable(pile):
        raise not_high_enough(cards, pile, "PHY-8")
    return cards


def check_pick_up(table: Table) -> None:
    """Reject picking up an empty pile. Raises: IllegalMoveError."""
    if not table.pile:
        raise illegal(
            sentence("PHY-13: the discard pile is empty, there is nothing to pick up"),
        )


def check_god(table: Table) -> None:
    """Reject the hand of god without a stock. Raises: IllegalMoveError."""
    if not table.stock:
        raise illegal(
            sentence("PHY-14: the stock is empty, the hand of god has nothing to turn over"),
        )


def _not_there(own: SeatCards, what: str, *, with_others: bool = False) -> IllegalMoveError:
    """Create the error for a card or rank that cannot be played. It names only own cards.

    Args:
        with_others: True if other cards named in the order can be played.
    """
    if not own.hand:
        words = sentence(
            "PHY-18: no {what} among your face-up cards, which you play from now", what=what
        )
        return illegal(words)
    if what not in own.up and all(RANK_OF[card] != what for card in own.up):
        return illegal(sentence("PHY-18: you do not hold {what}", what=what))
    if with_others:
        words = sentence(
            "PHY-18: {what} lies face up on the table; one play takes its cards from your hand only",
            what=what,
        )
        return illegal(words)
    words = sentence(
        "PHY-17: {what} lies face up on the table, and waits until stock and hand are gone;"
        " play from your hand",
        what=what,
    )
    return IllegalMoveError(words, rule="PHY-17")


def only_blind_left(own: SeatCards) -> IllegalMoveError:
    """Create the error for naming a card when all remaining cards are face down."""
    numbers = ", ".join(map(str, own.blind_numbers))
    return illegal(
        sentence(
            "PHY-20: you are down to your hidden cards and cannot choose a card to play; flip"
            " one by its number ({numbers})",
            numbers=numbers,
        ),
    )


def missing(own: SeatCards, what: str, held: int, *, with_others: bool = False) -> IllegalMoveError:
    """Create the error for a card or rank of which the seat holds too few."""
    if held == 0:
        return _not_there(own, what, with_others=with_others)
    return illegal(
        sentence("PHY-18: you hold {what} only {times}", what=what, times=times(held)),
    )


def check_flip(own: SeatCards, number: int) -> None:
    """Reject flipping a missing blind card, or flipping too early. Raises: IllegalMoveError."""
    if own.hand or own.up:
        raise illegal(
            sentence("PHY-20: hidden cards come last; play from your hand first")
            if own.hand
            else sentence("PHY-20: hidden cards come last; play from your face-up cards first"),
        )
    if number not in own.blind_numbers:
        numbers = ", ".join(map(str, own.blind_numbers))
        raise illegal(
            sentence(
                "PHY-20: you have no hidden card {number}; left: {numbers}",
                number=number,
                numbers=numbers,
            ),
        )


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that must act (PHY-26).

    It plays the lowest legal rank: all its cards for an ordinary rank, but only one 2 or 10. If no
    card can be played, it picks up the pile. Among blind cards it flips the lowest number.
    """
    own = state.seats[seat]
    cards = cards_in_play(own)
    if not cards:
        return FLIPS[min(own.blind_numbers)]
    play = cautious_play(sort_cards(cards), playable(state.pile), STANDBY_RANKS, (WILD, DESTROYER))
    return play or PICK_UP

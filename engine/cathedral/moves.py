"""The moves of Cathedral: legal moves, validation, and the standby move.

`legal_moves` is authoritative. The `check_*` functions accept the same moves and raise an error
that names the violated rule for all others.

Order of `legal_moves` (frozen with the ruleset's version):

- while cards are set aside: every combination of three ranks in the hand, each with the lowest
  suits (GEN-9), sorted by first card, then second, then third, in canonical order.
- later: plays by rank 2, 3, … 9, 10, J, Q, K, A. For each rank one card, two cards, …, always the
  lowest suits. `pickup` comes last.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from engine import shedding
from engine.api import Seat, without_in_repr
from engine.cards import RANK_OF, SUIT_OF, SUITS, Card, sort_cards
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

RESERVE_SIZE: Final = 3
"""Number of cards that each player sets aside (CAT-2)."""


@without_in_repr("hand", "private", "reserve", "choice")
class SeatCards(NamedTuple):
    """The cards of one seat in the current deal."""

    hand: Cards
    """Hand in canonical order (rank 2 … A, then suit). Omitted from `repr`.

    It contains all six cards until the choices are carried out.
    """
    private: Cards
    """The part of the hand that no other player has seen (CAT-20), in canonical order.

    Omitted from `repr`.
    """
    reserve: Cards
    """Cards set aside, in canonical order. Empty before the choices. Omitted from `repr`."""
    choice: Cards | None = None
    """The three cards that the seat has chosen to set aside, or None before its choice (CAT-3).

    They stay in the hand until all seats have chosen. Omitted from `repr`.
    """
    choice_mark: int = 0
    """Source of the choice as a mark of `engine.silence`, or 0 without a choice."""

    @property
    def known(self) -> Cards:
        """Return the part of the hand that everyone has seen, in canonical order."""
        return without(self.hand, self.private)

    @property
    def seen(self) -> Cards:
        """Return all cards of the seat that everyone has seen."""
        return self.known

    @property
    def unseen(self) -> Cards:
        """Return all cards of the seat that some players have not seen."""
        return self.private + self.reserve

    @property
    def cards_left(self) -> int:
        """Return the total number of cards in the hand and the reserve."""
        return len(self.hand) + len(self.reserve)


NO_CARDS = SeatCards((), (), ())


class DealResult(NamedTuple):
    """The result of one deal."""

    cards_left: tuple[int | None, ...]
    """Number of cards left per seat, or None for seats that had resigned."""
    winner: Seat | None
    """The winner, or None if the deal was stopped (GEN-8)."""


State: TypeAlias = shedding.State[SeatCards, DealResult]
Draft: TypeAlias = shedding.Draft[SeatCards, DealResult]


def is_choosing(state: State | Draft) -> bool:
    """True while players choose the cards that they set aside (GEN-6).

    No seat has the turn during that phase, and the game has not ended.
    """
    return state.to_act is None and state.reason is None


CLEARING: Final = "10"
LOWERING: Final = "2"

ORDINARY_RANKS = ("3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A")
"""Ranks that must be beaten in the usual way, low to high (CAT-5)."""

STANDBY_RANKS = (*ORDINARY_RANKS, LOWERING, CLEARING)
"""Ranks in the order in which the standby move plays them (CAT-18)."""

RESERVE_RANKS = (LOWERING, CLEARING, *reversed(ORDINARY_RANKS))
"""Ranks in the order in which the standby move sets them aside (CAT-18)."""


class Keep(NamedTuple):
    """Set three cards aside secretly (CAT-2, CAT-3)."""

    cards: Cards
    """The three cards, in canonical order."""

    def __str__(self) -> str:
        return "keep " + " ".join(sort_cards(self.cards))


Move: TypeAlias = Keep | Play | PickUp
Table: TypeAlias = State | Draft


def can_be_played_on(rank: str, top: str | None) -> bool:
    """True if cards of `rank` may be played on a pile whose top card has rank `top`.

    Args:
        rank: rank of the cards to play.
        top: rank of the top card, or None for an empty pile.

    Rules: CAT-5, CAT-6, CAT-8, CAT-9.
    """
    if top is None or top == LOWERING or rank in (LOWERING, CLEARING):
        return True
    # A 10 is never the top card, because it clears the pile.
    return ORDINARY_RANKS.index(rank) > ORDINARY_RANKS.index(top)


PLAYABLE: Final = playable_cards(can_be_played_on, CLEARING)
"""Maps the top card of the pile (None if empty) to the cards that may be played on it."""


def playable(pile: Cards) -> frozenset[Card]:
    """Return the cards that may be played on a pile."""
    return PLAYABLE[pile[-1] if pile else None]


def may_choose(state: State, seat: Seat) -> bool:
    """True if a seat may set cards aside now, or change its earlier choice (GEN-6)."""
    return is_choosing(state) and seat in state.course.dealt_in and seat not in state.resigned


def legal_moves(state: State, seat: Seat) -> list[Move]:
    """Return the legal moves in documented order, without equivalent ones (GEN-9).

    The list is empty for a seat that does not have to act. This includes a seat that has chosen,
    even though it may still change its choice.
    """
    if seat != state.to_act:
        if not may_choose(state, seat):
            return []
        own = state.seats[seat]
        return _legal_choices(own.hand) if own.choice is None else []
    pile = state.pile
    moves: list[Any] = list_plays(state.seats[seat].hand, playable(pile))
    if pile:
        moves.append(PICK_UP)
    return moves


def _legal_choices(hand: Cards) -> list[Move]:
    """List one choice for each combination of three ranks, using the lowest suits of each rank."""
    ranks = [RANK_OF[card] for card in hand]
    is_next = [index > 0 and rank == ranks[index - 1] for index, rank in enumerate(ranks)]
    count = len(hand)
    return [
        Keep((hand[first], hand[second], hand[third]))
        for first in range(count)
        if not is_next[first]
        for second in range(first + 1, count)
        if not is_next[second] or second - 1 == first
        for third in range(second + 1, count)
        if not is_next[third] or third - 1 == second
    ]


# --- validation -----------------------------------------------------------------------------------


def need_choosing(state: State) -> None:
    """Reject setting cards aside after that phase of the deal. Raises: IllegalMoveError."""
    if not is_choosing(state):
        raise illegal(
            sentence("CAT-3: the cards have been set aside for this deal; now they are played"),
        )


def need_playing(state: State) -> None:
    """Reject a play before everyone has set cards aside. Raises: IllegalMoveError."""
    if is_choosing(state):
        raise illegal(
            sentence(
                "CAT-2: before anybody plays, everybody sets three cards aside: set aside 2 10 Q"
            ),
        )


def check_keep(state: State, own: SeatCards, cards: Cards) -> None:
    """Reject an illegal choice by a seat that may choose. Raises: IllegalMoveError."""
    need_choosing(state)
    for card in cards:
        if card not in own.hand:
            raise missing(own, card, 0, "CAT-2")
    if len(cards) != RESERVE_SIZE or len(set(cards)) != RESERVE_SIZE:
        raise wrong_number(len(set(cards)))


def check_play(state: State, own: SeatCards, cards: Cards) -> Cards:
    """Validate a play and return its cards in canonical order. Raises: IllegalMoveError.

    The seat must be allowed to act.
    """
    if state.to_act is None:
        need_playing(state)
    for card in cards:
        if card not in own.hand:
            raise missing(own, card, 0, "CAT-6")
    if len(cards) != 1:
        cards = in_order(cards, "CAT-6")
    if cards[0] not in playable(state.pile):
        raise not_high_enough(cards, state.pile, "CAT-6")
    return cards


def check_pick_up(state: State) -> None:
    """Reject picking up an empty pile, or picking up before play begins. Raises: IllegalMoveError."""
    need_playing(state)
    if not state.pile:
        raise illegal(sentence("CAT-13: the pile is empty, there is nothing to pick up"))


def wrong_number(count: int) -> IllegalMoveError:
    """Create the error for setting aside more or fewer than three cards."""
    return illegal(
        sentence(
            "CAT-2: set aside exactly three cards, not {count}, as in: set aside 2 10 Q",
            count=count,
        ),
    )


def missing(own: SeatCards, what: str, held: int, rule: str) -> IllegalMoveError:
    """Create the error for a card or rank of which the seat holds too few.

    The message names only cards of the seat itself.
    """
    if held:
        return illegal(
            sentence(
                "{rule}: you hold {what} only {times}", rule=rule, what=what, times=times(held)
            ),
        )
    if what in own.reserve or any(RANK_OF[card] == what for card in own.reserve):
        return illegal(
            sentence(
                "CAT-14: you have set {what} aside, and it waits until stock and hand are gone;"
                " play from your hand",
                what=what,
            ),
        )
    return illegal(sentence("{rule}: you do not hold {what}", rule=rule, what=what))


# --- the standby move -----------------------------------------------------------------------------


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that must act (CAT-18)."""
    hand = state.seats[seat].hand
    if is_choosing(state):
        best = sorted(
            hand, key=lambda card: (RESERVE_RANKS.index(RANK_OF[card]), SUITS.index(SUIT_OF[card]))
        )
        return Keep(sort_cards(best[:RESERVE_SIZE]))
    play = cautious_play(hand, playable(state.pile), STANDBY_RANKS, (LOWERING, CLEARING))
    return play or PICK_UP

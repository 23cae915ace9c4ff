"""The moves of Cathedral: legal moves, checks, and the cautious move.

`legal_moves` is the authoritative list. The checks are its counterpart for a player's move, and
state which rule forbids it.

Order of `legal_moves` (frozen with the ruleset's version):

- while cards are set aside: every three ranks of the hand, the lowest suits of each (GEN-9), in the
  order of their cards: by the first card, then the second, then the third, all in canonical order.
- later: plays by rank 2, 3, … 9, 10, J, Q, K, A, of each rank one card, two cards, …, always the
  lowest suits. Then `pickup`.
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
"""Number of cards that every player sets aside (CAT-2)."""


@without_in_repr("hand", "private", "reserve", "choice")
class SeatCards(NamedTuple):
    """The cards of one seat in the running deal."""

    hand: Cards
    """In canonical order (rank 2 … A, then suit). It has all six cards until the choices are made.

    Not in `repr`.
    """
    private: Cards
    """The part of the hand that no one else has seen (CAT-20), in canonical order, not in `repr`.
    """
    reserve: Cards
    """The cards set aside, in canonical order, empty before the choices are made. Not in `repr`."""
    choice: Cards | None = None
    """Three cards of the hand to set aside when all have chosen, or None before the choice (CAT-3).

    Not in `repr`.
    """
    choice_mark: int = 0
    """Origin of the choice, one of the marks of `engine.silence`, or 0 without a choice."""

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
        """Return the cards of the seat that not everyone has seen."""
        return self.private + self.reserve

    @property
    def cards_left(self) -> int:
        """Return the number of cards, wherever they are."""
        return len(self.hand) + len(self.reserve)


NO_CARDS = SeatCards((), (), ())


class DealResult(NamedTuple):
    """The result of a deal."""

    cards_left: tuple[int | None, ...]
    """Per seat, or None for a seat that had resigned by then."""
    winner: Seat | None
    """None if the deal was stopped, as no one wins it then (GEN-8)."""


State: TypeAlias = shedding.State[SeatCards, DealResult]
Draft: TypeAlias = shedding.Draft[SeatCards, DealResult]


def is_choosing(state: State | Draft) -> bool:
    """Return True while the cards to set aside are being chosen (GEN-6).

    No seat is on turn then, and the game is not over.
    """
    return state.to_act is None and state.reason is None


CLEARING: Final = "10"
LOWERING: Final = "2"

ORDINARY_RANKS = ("3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A")
"""Low to high (CAT-5)."""

STANDBY_RANKS = (*ORDINARY_RANKS, LOWERING, CLEARING)
"""Ranks in the order in which a silent seat plays them (CAT-18)."""

RESERVE_RANKS = (LOWERING, CLEARING, *reversed(ORDINARY_RANKS))
"""Ranks in the order in which a silent seat sets them aside (CAT-18)."""


class Keep(NamedTuple):
    """Set three cards aside, secretly (CAT-2, CAT-3)."""

    cards: Cards
    """Three, in canonical order."""

    def __str__(self) -> str:
        return "keep " + " ".join(sort_cards(self.cards))


Move: TypeAlias = Keep | Play | PickUp
Table: TypeAlias = State | Draft


def can_be_played_on(rank: str, top: str | None) -> bool:
    """Return True if cards of `rank` may be played on a pile whose top card has rank `top`.

    Args:
        rank: rank of the cards to be played.
        top: None for an empty pile.

    Rules: CAT-5, CAT-6, CAT-8, CAT-9.
    """
    if top is None or top == LOWERING or rank in (LOWERING, CLEARING):
        return True
    # A 10 is never on top, because it clears the pile.
    return ORDINARY_RANKS.index(rank) > ORDINARY_RANKS.index(top)


PLAYABLE: Final = playable_cards(can_be_played_on, CLEARING)
"""Top card of the pile (None: empty) -> cards that may be played."""


def playable(pile: Cards) -> frozenset[Card]:
    """Return the cards that may be played on a pile."""
    return PLAYABLE[pile[-1] if pile else None]


def may_choose(state: State, seat: Seat) -> bool:
    """Return True if a seat may set cards aside now, for the first time or again (GEN-6)."""
    return is_choosing(state) and seat in state.course.dealt_in and seat not in state.resigned


def legal_moves(state: State, seat: Seat) -> list[Move]:
    """Return the legal moves in their documented order, up to GEN-9 equivalence.

    The list is empty for a seat that is not to act. A seat that has chosen counts as such, although
    it may choose again.
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
    """Return one choice per three ranks: of equal ranks, always the lowest cards."""
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


# --- refusals -------------------------------------------------------------------------------------


def need_choosing(state: State) -> None:
    """Refuse to set cards aside after that phase of the deal. Raises: IllegalMoveError."""
    if not is_choosing(state):
        raise illegal(
            sentence("CAT-3: the cards have been set aside for this deal; now they are played"),
        )


def need_playing(state: State) -> None:
    """Refuse to play before everyone has set cards aside. Raises: IllegalMoveError."""
    if is_choosing(state):
        raise illegal(
            sentence(
                "CAT-2: before anybody plays, everybody sets three cards aside: set aside 2 10 Q"
            ),
        )


def check_keep(state: State, own: SeatCards, cards: Cards) -> None:
    """Refuse an illegal choice of a seat that can act. Raises: IllegalMoveError."""
    need_choosing(state)
    for card in cards:
        if card not in own.hand:
            raise missing(own, card, 0, "CAT-2")
    if len(cards) != RESERVE_SIZE or len(set(cards)) != RESERVE_SIZE:
        raise wrong_number(len(set(cards)))


def check_play(state: State, own: SeatCards, cards: Cards) -> Cards:
    """Refuse an illegal play of a seat that can act and return its cards in order.

    Raises: IllegalMoveError.
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
    """Refuse to pick up an absent pile, or too early. Raises: IllegalMoveError."""
    need_playing(state)
    if not state.pile:
        raise illegal(sentence("CAT-13: the pile is empty, there is nothing to pick up"))


def wrong_number(count: int) -> IllegalMoveError:
    """Make the refusal for setting aside more or fewer than three cards."""
    return illegal(
        sentence(
            "CAT-2: set aside exactly three cards, not {count}, as in: set aside 2 10 Q",
            count=count,
        ),
    )


def missing(own: SeatCards, what: str, held: int, rule: str) -> IllegalMoveError:
    """Create the error for a card or rank of which the seat holds too few.

    Only its own cards are named.
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


# --- moves that nobody chooses --------------------------------------------------------------------


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that is to act (CAT-18)."""
    hand = state.seats[seat].hand
    if is_choosing(state):
        best = sorted(
            hand, key=lambda card: (RESERVE_RANKS.index(RANK_OF[card]), SUITS.index(SUIT_OF[card]))
        )
        return Keep(sort_cards(best[:RESERVE_SIZE]))
    play = cautious_play(hand, playable(state.pile), STANDBY_RANKS, (LOWERING, CLEARING))
    return play or PICK_UP

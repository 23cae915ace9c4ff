"""The moves of Cathedral, which of them are legal, and the cautious one.

`legal_moves` is the one list that everything else is drawn from; `check_move` is its counterpart
for a move that somebody hands in, and says which rule forbids it.

Order of `legal_moves` (frozen with the ruleset's version):

- while cards are set aside: every three ranks of the hand, the lowest suits of each (GEN-9), in the
  order of their cards: by the first card, then the second, then the third, all in canonical order;
- later: plays by rank 2, 3, … 9, 10, J, Q, K, A, of each rank one card, two cards, …, always the
  lowest suits; then `pickup`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, assert_never

from engine.api import Seat
from engine.cards import PACK, RANK_OF, RANKS, SUIT_OF, SUITS, Card, sort_cards
from engine.cathedral.state import Cards, SeatCards, State
from engine.errors import IllegalMoveError

CLEARING = "10"
LOWERING = "2"

ORDINARY_RANKS = ("3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A")
"""Low to high (CAT-5)."""

STANDBY_RANKS = (*ORDINARY_RANKS, LOWERING, CLEARING)
"""Ranks in the order in which a silent seat plays them (CAT-18)."""

RESERVE_RANKS = (LOWERING, CLEARING, *reversed(ORDINARY_RANKS))
"""Ranks in the order in which a silent seat sets them aside (CAT-18)."""

RESERVE_SIZE = 3
"""Cards that everybody sets aside (CAT-2)."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Set three cards aside, secretly (CAT-2, CAT-3)."""

    cards: Cards
    """Three, in canonical order."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play cards of one rank from the hand (CAT-6)."""

    cards: Cards
    """At least one, in canonical order."""


@dataclass(frozen=True, slots=True)
class PickUp:
    """Take the pile into the hand (CAT-12)."""


Move: TypeAlias = Keep | Play | PickUp

PICK_UP = PickUp()

PLAYS: Mapping[Cards, Play] = {
    cards: Play(cards)
    for rank in RANKS
    for count in range(1, len(SUITS) + 1)
    for cards in combinations(tuple(card for card in PACK if RANK_OF[card] == rank), count)
}
"""Every play there is, made once."""


def can_be_played_on(rank: str, top: str | None) -> bool:
    """Say whether cards of `rank` may be played on a pile whose top card has rank `top`.

    Args:
        rank: of the cards to be played.
        top: None for an empty pile.

    Rules: CAT-5, CAT-6, CAT-8, CAT-9.
    """
    if top is None or top == LOWERING or rank in (LOWERING, CLEARING):
        return True
    # A 10 never lies on top: it takes the pile with it.
    return ORDINARY_RANKS.index(rank) > ORDINARY_RANKS.index(top)


PLAYABLE: Mapping[Card | None, frozenset[str]] = {
    top: frozenset(
        rank for rank in RANKS if can_be_played_on(rank, None if top is None else RANK_OF[top])
    )
    for top in (None, *(card for card in PACK if RANK_OF[card] != CLEARING))
}
"""Top card of the pile (None: empty) -> ranks that may be played; `can_be_played_on` as a table."""


def playable_ranks(state: State) -> frozenset[str]:
    """Return the ranks that may be played now."""
    return PLAYABLE[state.pile[-1] if state.pile else None]


def may_choose(state: State, seat: Seat) -> bool:
    """Say whether a seat may set cards aside now, for the first time or anew (GEN-6)."""
    return state.is_choosing and seat in state.dealt_in and seat not in state.resigned


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """List the legal moves in their documented order, up to GEN-9 equivalence.

    None for a seat that is not to act; so none for one that has chosen, although it may choose anew.
    """
    if may_choose(state, seat):
        own = state.seats[seat]
        return _legal_choices(own.hand) if own.choice is None else []
    if seat != state.to_act:
        return []
    cards = state.seats[seat].hand
    ranks = playable_ranks(state)
    moves: list[Move] = []
    first, end = 0, len(cards)
    while first < end:
        rank = RANK_OF[cards[first]]
        after = first + 1
        while after < end and RANK_OF[cards[after]] == rank:
            after += 1
        if rank in ranks:
            moves += [PLAYS[cards[first:stop]] for stop in range(first + 1, after + 1)]
        first = after
    if state.pile:
        moves.append(PICK_UP)
    return moves


def _legal_choices(hand: Cards) -> list[Move]:
    """List one choice for every three ranks; of equal ones the first has the lowest suits."""
    choices: dict[tuple[str, ...], Move] = {}
    for cards in combinations(hand, RESERVE_SIZE):
        choices.setdefault(tuple(RANK_OF[card] for card in cards), Keep(cards))
    return list(choices.values())


# --- refusals -------------------------------------------------------------------------------------


def check_move(state: State, own: SeatCards, move: Move) -> None:
    """Refuse a move that the rules forbid a seat that may act. Raises: IllegalMoveError."""
    match move:
        case Keep(cards):
            need_choosing(state)
            _check_keep(own, cards)
        case Play(cards):
            need_playing(state)
            _check_play(state, own, cards)
        case PickUp():
            need_playing(state)
            if not state.pile:
                raise IllegalMoveError(
                    "CAT-13: the pile is empty, there is nothing to pick up", rule="CAT-13"
                )
        case _:
            assert_never(move)


def need_choosing(state: State) -> None:
    """Refuse to set cards aside when that is over. Raises: IllegalMoveError."""
    if not state.is_choosing:
        raise IllegalMoveError(
            "CAT-3: the cards have been set aside for this deal; now they are played", rule="CAT-3"
        )


def need_playing(state: State) -> None:
    """Refuse to play before all have set cards aside. Raises: IllegalMoveError."""
    if state.is_choosing:
        raise IllegalMoveError(
            "CAT-2: before anybody plays, everybody sets three cards aside: keep 2 10 Q",
            rule="CAT-2",
        )


def _check_keep(own: SeatCards, cards: Cards) -> None:
    for card in cards:
        if card not in own.hand:
            raise missing(own, card, 0, "CAT-2")
    if len(cards) != RESERVE_SIZE or len(set(cards)) != RESERVE_SIZE:
        raise wrong_number(len(set(cards)))


def _check_play(state: State, own: SeatCards, cards: Cards) -> None:
    for card in cards:
        if card not in own.hand:
            raise missing(own, card, 0, "CAT-6")
    if len(cards) != 1 and not is_one_rank(cards):
        raise IllegalMoveError(
            "CAT-6: one play is one or more different cards of one rank", rule="CAT-6"
        )
    rank = RANK_OF[cards[0]]
    if rank not in playable_ranks(state):
        top = RANK_OF[state.pile[-1]]
        raise IllegalMoveError(f"CAT-6: {rank} does not beat the {top} on the pile", rule="CAT-6")


def is_one_rank(cards: Cards) -> bool:
    """Say whether the cards are different cards of one rank, at least one."""
    return len({RANK_OF[card] for card in cards}) == 1 and len(set(cards)) == len(cards)


def wrong_number(count: int) -> IllegalMoveError:
    """Make the refusal for setting aside more or fewer than three cards."""
    return IllegalMoveError(
        f"CAT-2: set aside exactly three cards, not {count}, as in: keep 2 10 Q", rule="CAT-2"
    )


def missing(own: SeatCards, what: str, held: int, rule: str) -> IllegalMoveError:
    """Make the refusal for a card or rank of which too few are held (own cards only)."""
    if held:
        times = {1: "once", 2: "twice", 3: "three times"}.get(held, f"{held} times")
        return IllegalMoveError(f"{rule}: you hold {what} only {times}", rule=rule)
    if what in own.reserve or any(RANK_OF[card] == what for card in own.reserve):
        return IllegalMoveError(
            f"{rule}: you do not hold {what} in your hand; the one that you have set aside waits"
            " until stock and hand are gone (CAT-14)",
            rule=rule,
        )
    return IllegalMoveError(f"{rule}: you do not hold {what}", rule=rule)


# --- moves that nobody chooses --------------------------------------------------------------------


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that is to act (CAT-18)."""
    hand = state.seats[seat].hand
    if state.is_choosing:
        best = sorted(hand, key=lambda card: (RESERVE_RANKS.index(RANK_OF[card]), _suit(card)))
        return Keep(sort_cards(best[:RESERVE_SIZE]))
    ranks = playable_ranks(state)
    for rank in STANDBY_RANKS:
        if rank in ranks:
            held = _of_rank(hand, rank)
            if held:
                return PLAYS[held[:1] if rank in (LOWERING, CLEARING) else held]
    return PICK_UP


def _suit(card: Card) -> int:
    return SUITS.index(SUIT_OF[card])


def _of_rank(cards: Iterable[Card], rank: str) -> Cards:
    return tuple([card for card in cards if RANK_OF[card] == rank])


def forced_move(state: State) -> tuple[Seat, Move] | None:
    """Return the move that must be played at once under the option `auto_forced`, if any.

    It is the only legal move of a turn, never a choice of cards to set aside, and either the table
    agreed to `all`, or everybody can tell: all cards of the hand are known, or there is one hand
    card and no pile to pick up.

    Rules: GEN-11.
    """
    policy = state.setup.options["auto_forced"]
    seat = state.to_act
    if seat is None or policy == "off":
        return None
    moves = legal_moves(state, seat)
    if len(moves) != 1:
        return None
    own = state.seats[seat]
    public = len(own.known) == len(own.hand) or (len(own.hand) == 1 and not state.pile)
    return (seat, moves[0]) if public or policy == "all" else None

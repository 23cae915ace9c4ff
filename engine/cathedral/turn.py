"""What one move, or a resignation, does to the table.

While cards are set aside a move is only noted; the last choice, or a resignation that leaves no
choice missing, carries them all out (`_make_choices`). After that each move ends in one of three
ways: the same seat goes again (its turn goes on), the turn ends, or the deal is won.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine import shedding
from engine.api import Fact, Seat, Source, Step, told_cards
from engine.cards import RANK_OF, sort_cards
from engine.cathedral.game import GAME
from engine.cathedral.moves import (
    CLEARING,
    LOWERING,
    Keep,
    Move,
    check_keep,
    check_pick_up,
    check_play,
    may_choose,
)
from engine.cathedral.state import Draft, SeatCards, State, is_choosing, seat_cards
from engine.deals import HAND_SIZE, draw_cards, end_turn, need_player, next_seat, remove_pile
from engine.errors import NotToActError
from engine.plays import Cards, PickUp, Play, after_play, with_cards, without
from engine.sentences import sentence
from engine.silence import TURN_MARK, with_turn

CLEARING_COUNT: Final = 4
"""Cards of one rank in one play that clear the pile (CAT-10)."""


def make_move(state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN) -> Step[State]:
    """Check a move and make it. Raises: NotToActError, IllegalMoveError."""
    if seat != state.to_act:
        need_to_act(state, seat)
    own = state.seats[seat]
    draft: Draft = shedding.Draft(state)
    if isinstance(move, Play):
        cards = check_play(state, own, move.cards)
        goes_again = _play(draft, seat, cards)
        _after_ply(draft, seat, source, goes_again)
    elif isinstance(move, PickUp):
        check_pick_up(state)
        _pick_up(draft, seat)
        _after_ply(draft, seat, source, False)
    elif isinstance(move, Keep):
        check_keep(state, own, move.cards)
        _choose(draft, seat, sort_cards(move.cards), source)
    else:
        assert_never(move)
    return draft.finish()


def need_to_act(state: State, seat: Seat) -> None:
    """Refuse a seat that has nothing to decide. Raises: NotToActError.

    While cards are set aside every seat may decide, anew as well (GEN-6).
    """
    if seat == state.to_act or may_choose(state, seat):
        return
    need_player(state, seat)
    raise NotToActError(sentence("it is the turn of seat {to_act}", to_act=state.to_act))


def need_standby(state: State, seat: Seat) -> None:
    """Refuse a seat that is not waited for, even if it chose. Raises: NotToActError."""
    need_to_act(state, seat)
    if state.seats[seat].choice is not None:
        raise NotToActError(sentence("this seat has set its cards aside already"))


# --- setting aside --------------------------------------------------------------------------------


def _choose(draft: Draft, seat: Seat, cards: Cards, source: Source) -> None:
    """Note or replace a choice; only who has chosen is public (CAT-3, GEN-6)."""
    own = draft.seats[seat]
    if own.choice is None:
        draft.facts.append(Fact("chosen", seat, {}))
    draft.facts.append(Fact("kept", seat, {"cards": list(cards)}, seat))
    draft.seats[seat] = SeatCards(own.hand, own.private, (), cards, TURN_MARK[source])
    _make_choices(draft)


def _make_choices(draft: Draft) -> None:
    """If every choice is in, carry them out, one ply per seat, and begin (CAT-4)."""
    seats = GAME.stayers(draft)
    if any(draft.seats[seat].choice is None for seat in seats):
        return
    for seat in seats:
        own = draft.seats[seat]
        reserve = own.choice or ()
        hand = without(own.hand, reserve)
        draft.seats[seat] = SeatCards(hand, hand, reserve)
        draft.turns = with_turn(draft.turns, seat, own.choice_mark)
        draft.ply += 1
    starter = next_seat(draft, draft.course.dealer)
    draft.to_act = starter
    draft.facts.append(Fact("choices_made", starter, {"seats": list(seats)}))
    GAME.stop_if_due(draft)


# --- playing --------------------------------------------------------------------------------------


def _play(draft: Draft, seat: Seat, cards: Cards) -> bool:
    """Put cards on the pile, clear it if necessary, and refill the hand.

    It returns whether the seat goes again. Rules: CAT-8 to CAT-11, CAT-14.
    """
    own = draft.seats[seat]
    draft.facts.append(told_cards("played", seat, cards))
    draft.pile += cards
    rank = RANK_OF[cards[0]]
    reason = "tens" if rank == CLEARING else "four" if len(cards) == CLEARING_COUNT else None
    if reason is not None:
        cleared = remove_pile(draft)
        draft.facts.append(Fact("cleared", seat, {"reason": reason, "cards": list(cleared)}))
    hand = after_play(own.hand, cards)
    private = own.private and without(own.private, cards)
    if len(hand) < HAND_SIZE:
        _refill(draft, seat, hand, private)
    else:
        draft.seats[seat] = seat_cards(hand, private, own.reserve)
    return reason is not None or rank == LOWERING


def _refill(draft: Draft, seat: Seat, hand: Cards, private: Cards) -> None:
    """Draw up to three; without stock and hand take up the reserve (CAT-11, CAT-14).

    `hand` and `private` are what is left of the seat's cards.
    """
    reserve = draft.seats[seat].reserve
    drawn = draw_cards(draft, seat, len(hand))
    if drawn:
        hand = with_cards(hand, drawn)
        private = with_cards(private, drawn)
    elif not hand and reserve:
        # The others never saw these cards: nothing of them is known (CAT-20).
        hand = private = reserve
        draft.facts.append(Fact("took_reserve", seat, {"count": len(hand)}))
        draft.facts.append(
            Fact("took_reserve", seat, {"count": len(hand), "cards": list(hand)}, seat)
        )
        reserve = ()
    draft.seats[seat] = seat_cards(hand, private, reserve)


def _pick_up(draft: Draft, seat: Seat) -> None:
    """Take the whole pile into the hand, for everyone to see (CAT-12, CAT-20)."""
    own = draft.seats[seat]
    taken = draft.pile
    draft.pile = ()
    hand = with_cards(own.hand, taken)
    draft.seats[seat] = seat_cards(hand, own.private, own.reserve)
    draft.facts.append(told_cards("picked_up", seat, taken))


def _after_ply(draft: Draft, seat: Seat, source: Source, goes_again: bool) -> None:
    """Win, go again or pass on; stop the game if the rules say so."""
    draft.ply += 1
    draft.turn |= TURN_MARK[source]
    if not draft.seats[seat].hand:  # nothing to draw and no reserve either: CAT-15
        end_turn(draft, seat)
        GAME.end_deal(draft)
    else:
        GAME.go_on(draft, seat, goes_again=goes_again)


# --- resigning ------------------------------------------------------------------------------------


def resign(state: State, seat: Seat) -> Step[State]:
    """Take a seat out of the game, with its choice (GEN-7, CAT-17). Raises: NotToActError."""
    draft = GAME.resigned(state, seat)
    if len(GAME.stayers(draft)) == 1:
        GAME.end_deal(draft)
        return draft.finish()
    if draft.to_act == seat:
        draft.turn = 0  # the turn goes with its seat
        draft.to_act = next_seat(draft, seat)
    if is_choosing(draft):
        _make_choices(draft)  # now no choice may be missing
    if draft.course.reason is None:
        GAME.stop_if_due(draft)
    return draft.finish()

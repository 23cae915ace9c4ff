"""What one move, or a resignation, does to the table.

Each move ends in one of three ways: the same seat goes again (its turn goes on), the turn ends, or
the deal is over. What follows from that is in one place, `_after_ply`.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine import shedding
from engine.api import Fact, JsonObject, Note, Seat, Source, Step, told_cards
from engine.cards import RANK_OF, Card
from engine.deals import HAND_SIZE, draw_cards, end_turn, need_player, next_seat, remove_pile
from engine.errors import NotToActError
from engine.phyliss.game import GAME, holders
from engine.phyliss.moves import (
    DESTROYER,
    Flip,
    God,
    Move,
    check_flip,
    check_god,
    check_pick_up,
    check_play,
    playable,
)
from engine.phyliss.state import Draft, SeatCards, State, seat_cards
from engine.plays import Cards, PickUp, Play, after_play, with_cards, without
from engine.sentences import sentence
from engine.silence import TURN_MARK

DESTROYING_COUNT: Final = 3
"""Equal cards on top that destroy the pile (PHY-11)."""


def make_move(state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN) -> Step[State]:
    """Check a move and make it. Raises: NotToActError, IllegalMoveError."""
    if seat != state.to_act:
        need_to_act(state, seat)
    draft: Draft = shedding.Draft(state)
    if isinstance(move, Play):
        goes_again = _play(draft, seat, move.cards)
    elif isinstance(move, PickUp):
        goes_again = False
        check_pick_up(draft)
        _pick_up(draft, seat, ())
    elif isinstance(move, God):
        goes_again = _call_god(draft, seat)
    elif isinstance(move, Flip):
        goes_again = _flip(draft, seat, move.number)
    else:
        assert_never(move)
    _after_ply(draft, seat, source, goes_again)
    return draft.finish()


def need_to_act(state: State, seat: Seat) -> None:
    """Refuse a seat that has nothing to decide. Raises: NotToActError."""
    if seat == state.to_act:
        return
    need_player(state, seat)
    if state.seats[seat].out is not None:
        raise NotToActError(sentence("PHY-22: this seat is rid of all its cards"), rule="PHY-22")
    raise NotToActError(sentence("it is the turn of seat {to_act}", to_act=state.to_act))


# --- the four moves: each returns whether the seat goes again -------------------------------------


def _play(draft: Draft, seat: Seat, cards: Cards) -> bool:
    own = draft.seats[seat]
    cards = check_play(draft, own, cards)
    if own.hand:
        hand = after_play(own.hand, cards)
        private = own.private and without(own.private, cards)
        draft.seats[seat] = seat_cards(hand, private, own.up, own.blind, own.blind_numbers)
        draft.facts.append(_told_play(seat, cards, "hand"))
    else:
        up = after_play(own.up, cards)
        draft.seats[seat] = seat_cards((), (), up, own.blind, own.blind_numbers)
        draft.facts.append(_told_play(seat, cards, "up"))
    return _land(draft, seat, cards)


def _told_play(seat: Seat, cards: Cards, source: str) -> Note:
    return lambda: [Fact("played", seat, {"cards": list(cards), "from": source})]


def _call_god(draft: Draft, seat: Seat) -> bool:
    check_god(draft)
    card = draft.stock[-1]
    draft.stock = draft.stock[:-1]
    return _turned_over(draft, seat, card, None)


def _flip(draft: Draft, seat: Seat, number: int) -> bool:
    own = draft.seats[seat]
    check_flip(own, number)
    at = own.blind_numbers.index(number)
    card = own.blind[at]
    blind = own.blind[:at] + own.blind[at + 1 :]
    numbers = own.blind_numbers[:at] + own.blind_numbers[at + 1 :]
    draft.seats[seat] = seat_cards(own.hand, own.private, own.up, blind, numbers)
    return _turned_over(draft, seat, card, number)


def _turned_over(draft: Draft, seat: Seat, card: Card, number: int | None) -> bool:
    """Play a card just turned over, or take it with the pile (PHY-14, PHY-20).

    `number` is that of a blind card, None for the top of the stock.
    """
    success = card in playable(draft)
    draft.facts.append(_told_turning(seat, card, number, success))
    if success:
        return _land(draft, seat, (card,))
    _pick_up(draft, seat, (card,))
    return False


def _told_turning(seat: Seat, card: Card, number: int | None, success: bool) -> Note:
    data: JsonObject = {"card": card, "success": success}
    if number is None:
        return lambda: [Fact("god", seat, data)]
    return lambda: [Fact("flipped", seat, {"number": number, **data})]


def _pick_up(draft: Draft, seat: Seat, turned: Cards) -> None:
    """Take pile and unplayable card into the hand (PHY-12, PHY-19, PHY-21)."""
    own = draft.seats[seat]
    taken = draft.pile + turned
    draft.pile = ()
    hand = with_cards(own.hand, taken)
    draft.seats[seat] = seat_cards(hand, own.private, own.up, own.blind, own.blind_numbers)
    draft.facts.append(told_cards("picked_up", seat, taken))


def _land(draft: Draft, seat: Seat, cards: Cards) -> bool:
    """Put cards on the pile, destroy it if due, fill the hand (PHY-10, 11, 15)."""
    draft.pile = pile = draft.pile + cards
    reason = why_destroyed(pile)
    if reason is not None:
        remove_pile(draft)
        draft.facts.append(Fact("destroyed", seat, {"reason": reason, "cards": list(pile)}))
    if draft.stock and len(draft.seats[seat].hand) < HAND_SIZE:
        _draw(draft, seat)
    return reason is not None


def why_destroyed(pile: Cards) -> str | None:
    """Return why the last play destroys the pile: `tens`, `three`, or None.

    Args:
        pile: bottom to top, the new cards included.

    Rules: PHY-10, PHY-11.
    """
    top = RANK_OF[pile[-1]]
    if top == DESTROYER:
        return "tens"
    if len(pile) >= DESTROYING_COUNT and top == RANK_OF[pile[-2]] == RANK_OF[pile[-3]]:
        return "three"
    return None


def _draw(draft: Draft, seat: Seat) -> None:
    """Fill the hand up to three from the stock (PHY-15)."""
    own = draft.seats[seat]
    drawn = draw_cards(draft, seat, len(own.hand))
    hand = with_cards(own.hand, drawn)
    private = with_cards(own.private, drawn)
    draft.seats[seat] = seat_cards(hand, private, own.up, own.blind, own.blind_numbers)


# --- what follows ---------------------------------------------------------------------------------


def _after_ply(draft: Draft, seat: Seat, source: Source, goes_again: bool) -> None:
    """Drop out, go again or pass on; end the deal or stop the game if due."""
    draft.ply += 1
    draft.turn |= TURN_MARK[source]
    own = draft.seats[seat]
    if not own.hand and not own.cards_left:
        goes_again = False  # PHY-23
        place = 1 + sum(other.out is not None for other in draft.seats)
        draft.seats[seat] = SeatCards((), (), (), (), (), place)
        draft.facts.append(Fact("dropped_out", seat, {"place": place}))
        if len(holders(draft)) == 1:
            end_turn(draft, seat)
            GAME.end_deal(draft)
            return
    GAME.go_on(draft, seat, goes_again=goes_again)


# --- resigning ------------------------------------------------------------------------------------


def resign(state: State, seat: Seat) -> Step[State]:
    """Take a seat out of the game (GEN-7, PHY-25). Raises: NotToActError."""
    draft = GAME.resigned(state, seat)
    if draft.to_act == seat:
        draft.turn = 0  # the turn goes with its seat
        draft.to_act = next_seat(draft, seat)
    if len(holders(draft)) == 1:
        if draft.turn and draft.to_act is not None:
            end_turn(draft, draft.to_act)
        GAME.end_deal(draft)
    else:
        GAME.stop_if_due(draft)
    return draft.finish()

"""What one move, or a resignation, does to the table.

A turn is a draw, then a lay-down and hits as wished, then a discard; it also ends with the last
card. What follows from the last card is in one place, `_after_cards_left`.
"""

from __future__ import annotations

from typing import assert_never

from engine.api import JsonObject, JsonValue, Seat, Source, Step
from engine.errors import illegal
from engine.phase10.cards import SKIP, Card, Cards, less, sort_cards, without
from engine.phase10.deal import Deals, restock, skip
from engine.phase10.groups import Group, group_json, grown
from engine.phase10.laying import arrange
from engine.phase10.moves import (
    Discard,
    Draw,
    Hit,
    Lay,
    Move,
    Take,
    can_draw,
    check_discard,
    check_draw,
    check_take,
    find_end,
    goes_out_with_skip,
    need_drawn,
    need_laid,
    need_to_lay,
    not_held,
)
from engine.phase10.options import is_by_phase
from engine.phase10.state import Draft, State, plays
from engine.sentences import sentence
from engine.silence import QUIET_TURNS, TURN_MARK, with_turn


def _draw(draft: Draft, seat: Seat) -> None:
    """Draw from the stock; with nothing to draw or take, go without (P10-6, P10-11)."""
    check_draw(draft)
    draft.has_drawn = True
    if can_draw(draft):
        _draw_one(draft, seat)
    else:
        draft.tell("no_draw", seat, {})


def _draw_one(draft: Draft, seat: Seat) -> None:
    restock(draft)
    card = draft.stock[-1]
    draft.stock = draft.stock[:-1]
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=sort_cards((*own.hand, card)))
    draft.tell("drew", seat, {"count": 1})
    draft.tell("drew", seat, {"count": 1, "cards": [card]}, seat)


def _take(draft: Draft, seat: Seat) -> None:
    """Take the top discard (P10-6, P10-7); everyone sees it go (P10-32)."""
    check_take(draft)
    card = draft.pile[-1]
    draft.pile = draft.pile[:-1]
    draft.has_drawn = True
    own = draft.seats[seat]
    hand, known = sort_cards((*own.hand, card)), sort_cards((*own.known, card))
    draft.seats[seat] = own._replace(hand=hand, known=known)
    draft.tell("took", seat, {"card": card})


def _with_group(groups: tuple[Group, ...], number: int, group: Group) -> tuple[Group, ...]:
    return (*groups[:number], group, *groups[number + 1 :])


def _leave_hand(draft: Draft, seat: Seat, cards: Cards) -> None:
    """Take cards out of a hand; of equal cards the known one leaves first (P10-32)."""
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=without(own.hand, cards), known=less(own.known, cards))


def _record_turn(draft: Draft, seat: Seat) -> None:
    """Move the running turn into the seat's record (GEN-7)."""
    draft.turns = with_turn(draft.turns, seat, draft.turn)
    draft.turn = 0


class Turns(Deals):
    """What one move, or a resignation, does to the table."""

    def apply(
        self, state: State, seat: Seat, move: Move, source: Source = Source.CHOSEN
    ) -> Step[State]:
        """Check and carry out a move. Raises: NotToActError, IllegalMoveError."""
        self.need_to_act(state, seat)
        draft = Draft(state)
        draft.ply += 1
        draft.turn |= TURN_MARK[source]
        match move:
            case Discard(card, named):
                self._discard(draft, seat, card, named)
            case Draw():
                _draw(draft, seat)
            case Take():
                _take(draft, seat)
            case Hit():
                self._hit(draft, seat, move)
            case Lay():
                self._lay(draft, seat, move)
            case _:
                assert_never(move)
        if draft.reason is None and draft.ply == draft.setup.options["max_plies"]:
            self.stop_game(draft, "max_plies")
        return draft.finish()

    def _lay(self, draft: Draft, seat: Seat, move: Lay) -> None:
        """Lay the phase down and give credit for it (P10-12 to P10-14, P10-V4)."""
        need_to_lay(draft, seat)
        own = draft.seats[seat]
        cards = tuple(card for group in move.groups for card in group)
        for card in cards:
            if cards.count(card) > own.hand.count(card):
                raise not_held(card, "P10-12")
        is_free = is_by_phase(draft.setup.options)
        groups = arrange(own.phase, move.groups, move.numbers, by_phase=is_free)
        draft.groups[seat] = groups
        # In a tie-break the last phase is played again; it was credited before (P10-26).
        completed = own.completed + (not draft.tied)
        _leave_hand(draft, seat, cards)
        draft.seats[seat] = draft.seats[seat]._replace(laid=True, completed=completed)
        laid: list[JsonValue] = [group_json(group) for group in groups]
        draft.tell("laid", seat, {"phase": own.phase, "groups": laid})
        self._after_cards_left(draft, seat)

    def _hit(self, draft: Draft, seat: Seat, move: Hit) -> None:
        """Put one card onto a group (P10-15, P10-16)."""
        need_drawn(draft)
        own = draft.seats[seat]
        need_laid(draft, seat)
        if move.card not in own.hand:
            raise not_held(move.card, "P10-15")
        if not 0 <= move.owner < len(draft.groups) or not (
            0 <= move.number < len(draft.groups[move.owner])
        ):
            raise illegal(sentence("P10-15: there is no such group on the table"))
        groups = draft.groups[move.owner]
        end = find_end(groups[move.number], move.card, move.end)
        after = grown(groups[move.number], move.card, end)
        draft.groups[move.owner] = _with_group(groups, move.number, after)
        _leave_hand(draft, seat, (move.card,))
        data: JsonObject = {
            "card": move.card,
            "owner": move.owner,
            "group": move.number,
            "end": None if end is None else end.value,
            "cards": list(after.cards),
        }
        if after.number is not None:
            data["as"] = after.number
        draft.tell("hit", seat, data)
        self._after_cards_left(draft, seat)

    def _discard(self, draft: Draft, seat: Seat, card: Card, named: Seat | None) -> None:
        """End the turn with a discard; a skip names a seat to lose a turn (P10-6, P10-19)."""
        need_drawn(draft)
        if card not in draft.seats[seat].hand:
            raise not_held(card, "P10-6")
        if card == SKIP and goes_out_with_skip(draft, seat):
            named = None  # P10-22: it names nobody, whatever was said
        else:
            check_discard(draft, seat, card, named)
        _leave_hand(draft, seat, (card,))
        draft.pile = (*draft.pile, card)
        draft.tell("discarded", seat, {"card": card, "named": named})
        if named is not None:
            skip(draft, seat, named)
        if draft.seats[seat].hand:
            self._end_turn(draft, seat)
        elif draft.is_family and card == SKIP:
            self._replace_skip(draft, seat)
        else:
            self._go_out(draft, seat)

    def _after_cards_left(self, draft: Draft, seat: Seat) -> None:
        """Go on with the turn; after the last card go out, or float (family rules).

        Rules: P10-17, P10-18.
        """
        if draft.seats[seat].hand:
            return
        if draft.is_family:
            self._float(draft, seat)
        else:
            self._go_out(draft, seat)

    def _replace_skip(self, draft: Draft, seat: Seat) -> None:
        """Draw a card for a skip that was the last one; the turn ends (P10-22)."""
        if can_draw(draft):
            _draw_one(draft, seat)
            self._end_turn(draft, seat)
        else:
            self._float(draft, seat)

    def _float(self, draft: Draft, seat: Seat) -> None:
        """Let a seat sit out the rest of the hand; if all do, the hand is over (P10-18)."""
        draft.seats[seat] = draft.seats[seat]._replace(is_floating=True)
        draft.tell("floated", seat, {})
        self._end_turn(draft, seat)

    def _go_out(self, draft: Draft, seat: Seat) -> None:
        """Win the hand, which is over at once (P10-17)."""
        draft.tell("went_out", seat, {})
        _record_turn(draft, seat)
        self.end_deal(draft, seat)

    def _end_turn(self, draft: Draft, seat: Seat) -> None:
        """Pass play on, end a hand without a winner, stop a silent game."""
        _record_turn(draft, seat)
        if not any(plays(draft, other) for other in draft.dealt_in):
            self.end_deal(draft, None)
            return
        self.pass_on(draft, seat)
        # A seat that has just made a turn that was not quiet is waited for.
        if draft.turns[seat][1] in QUIET_TURNS and self.is_silent(draft):
            self.stop_game(draft, "silence")

    def resign(self, state: State, seat: Seat) -> Step[State]:
        """Take a seat out of the game (GEN-7, P10-28). Raises: NotToActError."""
        self.need_player(state, seat, again=True)
        draft = Draft(state)
        draft.resigned = (*draft.resigned, seat)
        own = draft.seats[seat]
        # The faces that everyone has seen stay public; the others stay unknown (GEN-16).
        unseen = without(own.hand, own.known)
        draft.left_seen += own.known
        draft.left_unseen += unseen
        draft.seats[seat] = own._replace(hand=(), known=(), skips=0, mark=None)
        draft.tell("resigned", seat, {"seen": list(own.known), "unseen_count": len(unseen)})
        if not self.end_if_alone(draft):
            if draft.to_act == seat:
                draft.turn = 0  # the turn goes with its seat
                if any(plays(draft, other) for other in draft.dealt_in):
                    self.pass_on(draft, seat)
                else:
                    self.end_deal(draft, None)
            if draft.reason is None and self.is_silent(draft):
                self.stop_game(draft, "silence")
        return draft.finish()

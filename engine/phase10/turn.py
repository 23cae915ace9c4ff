"""What one move, or a resignation, does to the table.

A turn is a draw, then a lay-down and hits as wished, then a discard; it also ends with the last
card. What follows from the last card is in one place, `_after_cards_left`.
"""

from __future__ import annotations

from typing import assert_never

from engine.api import Fact, JsonObject, JsonValue, Seat, Shuffle, Source, Step
from engine.errors import IllegalMoveError, NotToActError
from engine.phase10.cards import SKIP, Card, Cards, less, sort_cards, without
from engine.phase10.deal import (
    end_deal,
    end_if_alone,
    is_all_silent,
    pass_on,
    restock,
    skip,
    stop_game,
)
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
    goes_out_with_skip,
    not_held,
)
from engine.phase10.options import is_by_phase
from engine.phase10.refusals import check_discard, check_draw, check_take, find_end, need_laid
from engine.phase10.state import Draft, State, Table, plays
from engine.ruleset import need_running, need_seat
from engine.sentences import sentence
from engine.silence import QUIET_TURNS, TURN_MARK, with_turn

Shuffles = tuple[Shuffle, ...]


def need_to_act(state: State, seat: Seat) -> None:
    """Refuse anything from a seat that has nothing to decide. Raises: NotToActError."""
    if seat == state.to_act:
        return
    need_seat(state.to_act is None, state.setup.players, state.resigned, seat)
    raise NotToActError(sentence("it is the turn of seat {to_act}", to_act=state.to_act))


def need_drawn(table: Table) -> None:
    """Refuse what comes after the draw only. Raises: IllegalMoveError (P10-6)."""
    if not table.has_drawn:
        raise IllegalMoveError(sentence("P10-6: first draw or take a card"), rule="P10-6")


def need_to_lay(table: Table, seat: Seat) -> None:
    """Refuse an early or second lay-down. Raises: IllegalMoveError (P10-12)."""
    need_drawn(table)
    if table.seats[seat].laid:
        raise IllegalMoveError(
            sentence("P10-12: your phase is down already, once per hand"), rule="P10-12"
        )


def make_move(state: State, seat: Seat, move: Move, source: Source) -> Step[State]:
    """Check and carry out a move. Raises: NotToActError, IllegalMoveError."""
    need_to_act(state, seat)
    draft = Draft(state)
    facts: list[Fact] = []
    draft.ply += 1
    draft.turn |= TURN_MARK[source]
    match move:
        case Discard(card, named):
            shuffles = _discard(draft, facts, seat, card, named)
        case Draw():
            shuffles = _draw(draft, facts, seat)
        case Take():
            shuffles = _take(draft, facts, seat)
        case Hit():
            shuffles = _hit(draft, facts, seat, move)
        case Lay():
            shuffles = _lay(draft, facts, seat, move)
        case _:
            assert_never(move)
    if draft.reason is None and draft.ply == draft.setup.options["max_plies"]:
        stop_game(draft, facts, "max_plies")
    return Step(draft.freeze(), tuple(facts), shuffles)


# --- the moves ------------------------------------------------------------------------------------


def _draw(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Draw from the stock; with nothing to draw or take, go without (P10-6, P10-11)."""
    check_draw(draft)
    draft.has_drawn = True
    if not can_draw(draft):
        facts.append(Fact("no_draw", seat, {}))
        return ()
    return _draw_one(draft, facts, seat)


def _draw_one(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    shuffles = restock(draft, facts)
    card = draft.stock[-1]
    draft.stock = draft.stock[:-1]
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=sort_cards((*own.hand, card)))
    facts.append(Fact("drew", seat, {"count": 1}))
    facts.append(Fact("drew", seat, {"count": 1, "cards": [card]}, seat))
    return shuffles


def _take(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Take the top discard (P10-6, P10-7); everyone sees it go (P10-32)."""
    check_take(draft)
    card = draft.pile[-1]
    draft.pile = draft.pile[:-1]
    draft.has_drawn = True
    own = draft.seats[seat]
    hand, known = sort_cards((*own.hand, card)), sort_cards((*own.known, card))
    draft.seats[seat] = own._replace(hand=hand, known=known)
    facts.append(Fact("took", seat, {"card": card}))
    return ()


def _lay(draft: Draft, facts: list[Fact], seat: Seat, move: Lay) -> Shuffles:
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
    facts.append(Fact("laid", seat, {"phase": own.phase, "groups": laid}))
    return _after_cards_left(draft, facts, seat)


def _hit(draft: Draft, facts: list[Fact], seat: Seat, move: Hit) -> Shuffles:
    """Put one card onto a group (P10-15, P10-16)."""
    need_drawn(draft)
    own = draft.seats[seat]
    need_laid(draft, seat)
    if move.card not in own.hand:
        raise not_held(move.card, "P10-15")
    if not 0 <= move.owner < len(draft.groups) or not (
        0 <= move.number < len(draft.groups[move.owner])
    ):
        raise IllegalMoveError(
            sentence("P10-15: there is no such group on the table"), rule="P10-15"
        )
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
    facts.append(Fact("hit", seat, data))
    return _after_cards_left(draft, facts, seat)


def _with_group(groups: tuple[Group, ...], number: int, group: Group) -> tuple[Group, ...]:
    return (*groups[:number], group, *groups[number + 1 :])


def _discard(
    draft: Draft, facts: list[Fact], seat: Seat, card: Card, named: Seat | None
) -> Shuffles:
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
    facts.append(Fact("discarded", seat, {"card": card, "named": named}))
    if named is not None:
        skip(draft, seat, named)
    if draft.seats[seat].hand:
        return _end_turn(draft, facts, seat)
    if draft.is_family and card == SKIP:
        return _replace_skip(draft, facts, seat)
    return _go_out(draft, facts, seat)


def _leave_hand(draft: Draft, seat: Seat, cards: Cards) -> None:
    """Take cards out of a hand; of equal cards the known one leaves first (P10-32)."""
    own = draft.seats[seat]
    draft.seats[seat] = own._replace(hand=without(own.hand, cards), known=less(own.known, cards))


# --- what follows ---------------------------------------------------------------------------------


def _after_cards_left(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Go on with the turn; after the last card go out, or float (family rules).

    Rules: P10-17, P10-18.
    """
    if draft.seats[seat].hand:
        return ()
    return _float(draft, facts, seat) if draft.is_family else _go_out(draft, facts, seat)


def _replace_skip(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Draw a card for a skip that was the last one; the turn ends (P10-22)."""
    if not can_draw(draft):
        return _float(draft, facts, seat)
    shuffles = _draw_one(draft, facts, seat)
    return (*shuffles, *_end_turn(draft, facts, seat))


def _float(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Let a seat sit out the rest of the hand; if all do, the hand is over (P10-18)."""
    draft.seats[seat] = draft.seats[seat]._replace(is_floating=True)
    facts.append(Fact("floated", seat, {}))
    return _end_turn(draft, facts, seat)


def _go_out(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Win the hand, which is over at once (P10-17)."""
    facts.append(Fact("went_out", seat, {}))
    _note_turn(draft, seat)
    return end_deal(draft, facts, seat)


def _end_turn(draft: Draft, facts: list[Fact], seat: Seat) -> Shuffles:
    """Pass play on, end a hand without a winner, stop a silent game."""
    _note_turn(draft, seat)
    if not any(plays(draft, other) for other in draft.dealt_in):
        return end_deal(draft, facts, None)
    pass_on(draft, facts, seat)
    # Who just made a turn that was not quiet is waited for, so that nothing need be asked.
    if draft.turns[seat][1] in QUIET_TURNS and is_all_silent(draft):
        stop_game(draft, facts, "silence")
    return ()


def _note_turn(draft: Draft, seat: Seat) -> None:
    """Move the running turn into the seat's record (GEN-7)."""
    draft.turns = with_turn(draft.turns, seat, draft.turn)
    draft.turn = 0


# --- resigning ------------------------------------------------------------------------------------


def resign(state: State, seat: Seat) -> Step[State]:
    """Take a seat out of the game (GEN-7, P10-28). Raises: NotToActError."""
    is_over, resigned = state.to_act is None, state.resigned
    need_seat(is_over, state.setup.players, resigned, seat, again=True)
    draft = Draft(state)
    facts: list[Fact] = []
    draft.resigned = (*draft.resigned, seat)
    own = draft.seats[seat]
    # The faces that everyone has seen stay public; the others stay unknown (GEN-16).
    unseen = without(own.hand, own.known)
    draft.left_seen += own.known
    draft.left_unseen += unseen
    draft.seats[seat] = own._replace(hand=(), known=(), skips=0, mark=None)
    facts.append(Fact("resigned", seat, {"seen": list(own.known), "unseen_count": len(unseen)}))
    return _after_resignation(draft, facts, seat)


def _after_resignation(draft: Draft, facts: list[Fact], seat: Seat) -> Step[State]:
    """Check the end of the hand and of the game anew (GEN-7, P10-28)."""
    shuffles: Shuffles = ()
    if not end_if_alone(draft, facts):
        if draft.to_act == seat:
            draft.turn = 0  # the turn goes with its seat
            if any(plays(draft, other) for other in draft.dealt_in):
                pass_on(draft, facts, seat)
            else:
                shuffles = end_deal(draft, facts, None)
        if draft.reason is None and is_all_silent(draft):
            stop_game(draft, facts, "silence")
    return Step(draft.freeze(), tuple(facts), shuffles)


def stop(state: State) -> Step[State]:
    """End the game by its stopping score (GEN-8, P10-31). Raises: NotToActError."""
    need_running(state.to_act is None)
    draft = Draft(state)
    facts: list[Fact] = []
    stop_game(draft, facts, "agreed")
    return Step(draft.freeze(), tuple(facts), ())

"""The moves of Phase 10: legal moves, validation, and the standby move.

Order of `legal_moves` (frozen with the ruleset's version):

- before the draw: `draw`, `take`.
- after the draw: the lay-down with the fewest wilds, if the phase is not laid down and the hand
  contains it. Hits by card in documented order, then by seat, group, and low end before high end.
  Discards by card in documented order, and for a skip by the seat that it names.

Only one lay-down is listed. Other lay-downs are legal as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.api import OptionValue, Seat
from engine.errors import IllegalMoveError, illegal
from engine.phase10.cards import (
    COLOUR_OF,
    COLOURS,
    KINDS,
    NUMBER_OF,
    NUMBERS,
    POINTS,
    SKIP,
    WILD,
    Card,
    Cards,
    less,
)
from engine.phase10.finder import best_beginning, find_lay
from engine.phase10.groups import End, Group, Kind, group_text, open_ends
from engine.phase10.state import State, Table, is_by_phase, plays
from engine.sentences import Sentence, joined, sentence


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card, or continue without a card if both piles are unavailable (P10-6, P10-11)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top card of the discard pile (P10-6)."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay down the current phase of the seat (P10-12)."""

    groups: tuple[Cards, ...]
    """Groups in the order of the phase, each in canonical form."""
    numbers: tuple[int | None, ...] = ()
    """Number of each group that has only wilds (P10-V4), or None. Empty if there is no such group."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Add a card to a group on the table (P10-15)."""

    card: Card
    owner: Seat
    number: int
    """Index of the group among the groups of its owner, in the order of the lay-down."""
    end: End | None = None
    """The end of a run that gets a wild (P10-16). None for other cards and groups."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card and end the turn (P10-6)."""

    card: Card
    named: Seat | None = None
    """The seat that a skip names. None for other cards and for a skip without a seat (P10-21, 22)."""


Move: TypeAlias = Draw | Take | Lay | Hit | Discard

DRAW = Draw()
TAKE = Take()

_DISCARDS: Mapping[Card, Discard] = {card: Discard(card) for card in KINDS}
"""Discards without a named seat. They are created only once because every turn lists some."""


def lay_of(groups: tuple[Group, ...]) -> Lay:
    """Return the move that lays down these groups."""
    numbers = tuple(group.number for group in groups)
    is_numbered = any(number is not None for number in numbers)
    return Lay(tuple(group.cards for group in groups), numbers if is_numbered else ())


# --- possible moves -------------------------------------------------------------------------------


def can_draw(table: Table) -> bool:
    """True if the stock has a card, or will have one after the discards are reshuffled (P10-11)."""
    return bool(table.stock) or len(table.pile) > 1


def can_take(table: Table) -> bool:
    """True if the top card of the discard pile may be taken (P10-5, P10-7)."""
    return bool(table.pile) and table.pile[-1] != SKIP


def ways_to_draw(table: Table) -> tuple[Move, ...]:
    """Return the legal moves at the start of a turn.

    `DRAW` without an available card is legal only if nothing else is.
    """
    if not can_take(table):
        return (DRAW,)
    return (DRAW, TAKE) if can_draw(table) else (TAKE,)


def can_be_named(table: Table, seat: Seat, other: int) -> bool:
    """True if a skip played by `seat` may name `other` (P10-19, P10-20, P10-21, P10-26)."""
    own = table.seats[other]
    return other != seat and plays(table, other) and own.skips == 0 and own.mark is None


def nameable(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that a skip played by `seat` may name, in ascending order."""
    players = map(Seat, range(table.setup.players))
    return tuple(other for other in players if can_be_named(table, seat, other))


def goes_out_with_skip(table: Table, seat: Seat) -> bool:
    """True if discarding a skip ends the hand, in which case it names no seat (P10-22)."""
    return not table.is_family and len(table.seats[seat].hand) == 1


def hits(table: Table, card: Card) -> Iterator[Hit]:
    """Yield all hits with a card by seat and group, with the low end first."""
    for owner, groups in enumerate(table.groups):
        yield from hits_on(card, Seat(owner), groups)


def hits_on(card: Card, owner: Seat, groups: tuple[Group, ...]) -> Iterator[Hit]:
    """Yield all hits with a card on the groups of one seat."""
    for number, group in enumerate(groups):
        for end in open_ends(group, card):
            yield Hit(card, owner, number, end if card == WILD else None)


def best_lay(state: State, seat: Seat) -> Lay | None:
    """Return the lay-down suggested by the finder, or None if the hand does not contain the phase.

    Rules: P10-30, P10-V4.
    """
    own = state.seats[seat]
    groups = find_lay(own.hand, own.phase, by_phase=is_by_phase(state.setup.options))
    return None if groups is None else lay_of(groups)


def legal_moves(state: State, seat: Seat) -> list[Move]:
    """Return the legal moves in their documented order, with at most one lay-down."""
    if seat != state.to_act:
        return []
    if not state.has_drawn:
        return list(ways_to_draw(state))
    own = state.seats[seat]
    kinds = dict.fromkeys(own.hand)  # in documented order, like the hand
    moves: list[Move] = []
    if own.laid:
        for card in kinds:
            moves += hits(state, card)
    else:
        lay = best_lay(state, seat)
        if lay is not None:
            moves.append(lay)
    for card in kinds:
        if card == SKIP:
            named = () if goes_out_with_skip(state, seat) else nameable(state, seat)
            moves += [Discard(SKIP, other) for other in named] or [_DISCARDS[SKIP]]
        else:
            moves.append(_DISCARDS[card])
    return moves


def is_list_complete(state: State, seat: Seat) -> bool:
    """True if `legal_moves` is complete. Only lay-downs can be missing."""
    return (
        seat != state.to_act
        or not state.has_drawn
        or state.seats[seat].laid
        or best_lay(state, seat) is None
    )


# --- validation: errors name the rule and never show cards of other seats -------------------------


def not_held(card: Card, rule: str) -> IllegalMoveError:
    """Create the error for a card that the hand does not contain often enough."""
    return illegal(sentence("{rule}: you do not hold {card}", rule=rule, card=card))


def need_drawn(table: Table) -> None:
    """Reject a move that is legal only after the draw. Raises: IllegalMoveError (P10-6)."""
    if not table.has_drawn:
        raise illegal(sentence("P10-6: first draw or take a card"))


def need_to_lay(table: Table, seat: Seat) -> None:
    """Reject a lay-down before the draw, or a second one. Raises: IllegalMoveError (P10-12)."""
    need_drawn(table)
    if table.seats[seat].laid:
        raise illegal(sentence("P10-12: your phase is down already, once per hand"))


def need_to_draw(table: Table) -> None:
    """Reject drawing or taking twice in a turn. Raises: IllegalMoveError (P10-6)."""
    if table.has_drawn:
        raise illegal(sentence("P10-6: you have drawn already in this turn"))


def check_draw(table: Table) -> None:
    """Reject a second draw, or a draw if only taking is possible. Raises: IllegalMoveError."""
    need_to_draw(table)
    if not can_draw(table) and can_take(table):
        raise illegal(
            sentence(
                "P10-11: the stock is gone; take the {card} on the discard pile",
                card=table.pile[-1],
            )
        )


def check_take(table: Table) -> None:
    """Reject taking a skip, or taking from an empty pile. Raises: IllegalMoveError."""
    need_to_draw(table)
    if not table.pile:
        raise illegal(sentence("P10-6: the discard pile is empty, draw instead"))
    if not can_take(table):
        raise illegal(sentence("P10-7: a skip cannot be taken, draw instead"))


def find_end(group: Group, card: Card, named: End | None) -> End | None:
    """Return the end of a run where a card goes, or None for sets and colour groups.

    Raises:
        IllegalMoveError: the card does not fit.

    Rules: P10-10, P10-15, P10-16.
    """
    if card == SKIP:
        raise skip_hit()
    ends = open_ends(group, card)
    if group.kind is Kind.RUN and len(group.cards) == len(NUMBERS):
        raise illegal(
            sentence(
                "P10-16: the run {cards} is full, it goes from 1 to 12", cards=" ".join(group.cards)
            )
        )
    if not ends and (named is None or group.kind is not Kind.RUN):
        raise illegal(
            sentence(
                "P10-15: {card} does not fit onto {cards}",
                card=card,
                cards=group_text(group.cards, group.number),
            )
        )
    if named is not None:
        if named not in ends:
            raise IllegalMoveError(_wrong_end(group, card, named), rule="P10-16")
        return named
    if len(ends) > 1:
        raise illegal(
            sentence(
                "P10-16: which end of {cards}? Add low or high to the {wild}",
                cards=group_text(group.cards, group.number),
                wild=WILD,
            )
        )
    return ends[0]


def skip_hit() -> IllegalMoveError:
    """Create the error for hitting with a skip (P10-10)."""
    return illegal(sentence("P10-10: a skip is never part of a group; you can only discard it"))


def need_laid(table: Table, seat: Seat) -> None:
    """Reject a hit before the seat has laid down its phase. Raises: IllegalMoveError (P10-15)."""
    if not table.seats[seat].laid:
        raise illegal(sentence("P10-15: lay your own phase down before you hit anything"))


def _wrong_end(group: Group, card: Card, named: End) -> Sentence:
    cards = group_text(group.cards, group.number)
    match group.kind:
        case Kind.RUN:
            return sentence(
                "P10-16: {end}: the run {cards} takes no {card} there",
                end=named.value,
                cards=cards,
                card=card,
            )
        case Kind.SET:
            return sentence(
                "P10-16: {end}: the set {cards} has no ends", end=named.value, cards=cards
            )
        case Kind.COLOUR:
            return sentence(
                "P10-16: {end}: the colour {cards} has no ends", end=named.value, cards=cards
            )


def check_discard(table: Table, seat: Seat, card: Card, named: Seat | None) -> None:
    """Reject naming a seat with an ordinary card, and a skip with a missing or invalid seat.

    Raises: IllegalMoveError. Rules: P10-19, P10-20, P10-21.
    """
    if card != SKIP:
        if named is not None:
            raise illegal(sentence("P10-19: only a skip names a player"))
        return
    if named is None:
        if nameable(table, seat):
            raise illegal(sentence("P10-19: name the player who is to be skipped"))
    elif named == seat:
        raise illegal(sentence("P10-19: a skip names another player"))
    elif not 0 <= named < table.setup.players:
        raise illegal(sentence("P10-19: there is no seat {named} at this table", named=named))
    elif not can_be_named(table, seat, named):
        raise _not_nameable(table, seat, named)


def _not_nameable(table: Table, seat: Seat, named: Seat) -> IllegalMoveError:
    own = table.seats[named]
    hint = (
        ""
        if nameable(table, seat)
        else sentence("; nobody can be named now: discard S without a name")
    )
    if named in table.resigned:
        why, rule = sentence("that player has left the game"), "P10-28"
    elif own.is_floating:
        why, rule = sentence("that player floats and has no turn to lose"), "P10-21"
    elif named not in table.dealt_in:
        why, rule = sentence("only the tied play on, and only they can be skipped"), "P10-26"
    else:
        why, rule = sentence("one skip per player and round, and that player has had it"), "P10-20"
    return illegal(sentence("{rule}: {why}", rule=rule, why=joined([why, hint], "")))


# --- cautious and forced --------------------------------------------------------------------------


def standby_move(state: State, seat: Seat) -> Move:
    """Return the cautious move for a silent seat that is to act (P10-29)."""
    if not state.has_drawn:
        return ways_to_draw(state)[0]
    own = state.seats[seat]
    if not own.laid:
        lay = best_lay(state, seat)
        if lay is not None:
            return lay
    elif not (state.is_family and len(own.hand) == 1):
        hit = _first_hit(state, seat)
        if hit is not None:
            return hit
    return _standby_discard(state, seat)


def _first_hit(state: State, seat: Seat) -> Hit | None:
    """Return the first possible hit, preferring the seat's own groups."""
    own = state.seats[seat]
    for card in KINDS:
        if card in own.hand:
            first = next(hits_on(card, seat, state.groups[seat]), None)
            first = first or next(hits(state, card), None)
            if first is not None:
                return first
    return None


def _standby_discard(state: State, seat: Seat) -> Discard:
    own = state.seats[seat]
    spare = own.hand if own.laid else less(own.hand, best_beginning(own.hand, own.phase))
    numbers = [card for card in spare if card in NUMBER_OF]
    numbers = numbers or [card for card in own.hand if card in NUMBER_OF]
    if numbers:
        return Discard(
            max(
                numbers,
                key=lambda card: (
                    POINTS[card],
                    NUMBER_OF[card],
                    -COLOURS.index(COLOUR_OF[card]),
                ),
            )
        )
    if WILD in own.hand:
        return Discard(WILD)
    named = () if goes_out_with_skip(state, seat) else nameable(state, seat)
    after = sorted(named, key=lambda other: (other - seat) % state.setup.players)
    return Discard(SKIP, after[0] if after else None)


def only_move(state: State, policy: OptionValue) -> tuple[Seat, Move] | None:
    """Return the only legal move of the seat on turn, if any.

    With the policy `public`, it is the only way to draw, which everyone can see, or the hand
    contains only cards that everyone knows.

    Rules: GEN-11.
    """
    seat = state.to_act
    if seat is None:
        return None
    own = state.seats[seat]
    is_public = not state.has_drawn or len(own.known) == len(own.hand)
    if policy == "public" and not is_public:
        return None
    moves = legal_moves(state, seat)
    return (seat, moves[0]) if len(moves) == 1 else None

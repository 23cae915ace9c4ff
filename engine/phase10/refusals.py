"""Refusals of moves: each check names the rule, and nothing of others' cards."""

from __future__ import annotations

from engine.api import Seat
from engine.errors import IllegalMoveError
from engine.phase10.cards import NUMBERS, SKIP, WILD, Card
from engine.phase10.groups import End, Group, Kind, group_text, open_ends
from engine.phase10.moves import can_be_named, can_draw, can_take, nameable
from engine.phase10.state import Table
from engine.sentences import Sentence, joined, sentence


def check_draw(table: Table) -> None:
    """Refuse a second draw, or one if only taking is left. Raises: IllegalMoveError."""
    if table.has_drawn:
        raise IllegalMoveError(sentence("P10-6: you have drawn already in this turn"), rule="P10-6")
    if not can_draw(table) and can_take(table):
        raise IllegalMoveError(
            sentence(
                "P10-11: the stock is gone; take the {card} on the discard pile",
                card=table.pile[-1],
            ),
            rule="P10-11",
        )


def check_take(table: Table) -> None:
    """Refuse to take from an empty pile, or a skip. Raises: IllegalMoveError."""
    if table.has_drawn:
        raise IllegalMoveError(sentence("P10-6: you have drawn already in this turn"), rule="P10-6")
    if not table.pile:
        raise IllegalMoveError(
            sentence("P10-6: the discard pile is empty, draw instead"), rule="P10-6"
        )
    if not can_take(table):
        raise IllegalMoveError(
            sentence("P10-7: a skip cannot be taken, draw instead"), rule="P10-7"
        )


def find_end(group: Group, card: Card, named: End | None) -> End | None:
    """Return the end of a run at which a card goes, None for sets and colour groups.

    Raises: IllegalMoveError.
    Rules: P10-10, P10-15, P10-16.
    """
    if card == SKIP:
        raise skip_hit()
    ends = open_ends(group, card)
    if group.kind is Kind.RUN and len(group.cards) == len(NUMBERS):
        raise IllegalMoveError(
            sentence(
                "P10-16: the run {cards} is full, it goes from 1 to 12", cards=" ".join(group.cards)
            ),
            rule="P10-16",
        )
    if not ends and (named is None or group.kind is not Kind.RUN):
        raise IllegalMoveError(
            sentence(
                "P10-15: {card} does not fit onto {cards}",
                card=card,
                cards=group_text(group.cards, group.number),
            ),
            rule="P10-15",
        )
    if named is not None:
        if named not in ends:
            raise IllegalMoveError(_wrong_end(group, card, named), rule="P10-16")
        return named
    if len(ends) > 1:
        raise IllegalMoveError(
            sentence(
                "P10-16: which end of {cards}? Add low or high to the {wild}",
                cards=group_text(group.cards, group.number),
                wild=WILD,
            ),
            rule="P10-16",
        )
    return ends[0]


def skip_hit() -> IllegalMoveError:
    """Make the refusal of a skip that is to be hit (P10-10)."""
    return IllegalMoveError(
        sentence("P10-10: a skip is never part of a group; you can only discard it"), rule="P10-10"
    )


def need_laid(table: Table, seat: Seat) -> None:
    """Refuse a hit before the own phase is down. Raises: IllegalMoveError (P10-15)."""
    if not table.seats[seat].laid:
        raise IllegalMoveError(
            sentence("P10-15: lay your own phase down before you hit anything"), rule="P10-15"
        )


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
    """Refuse a name with another card, a skip without a name, or a wrong name.

    Raises: IllegalMoveError.
    Rules: P10-19, P10-20, P10-21.
    """
    if card != SKIP:
        if named is not None:
            raise IllegalMoveError(sentence("P10-19: only a skip names a player"), rule="P10-19")
        return
    if named is None:
        if nameable(table, seat):
            raise IllegalMoveError(
                sentence("P10-19: name the player who is to be skipped"), rule="P10-19"
            )
    elif named == seat:
        raise IllegalMoveError(sentence("P10-19: a skip names another player"), rule="P10-19")
    elif not 0 <= named < table.setup.players:
        raise IllegalMoveError(
            sentence("P10-19: there is no seat {named} at this table", named=named), rule="P10-19"
        )
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
    return IllegalMoveError(
        sentence("{rule}: {why}", rule=rule, why=joined([why, hint], "")), rule=rule
    )

"""Lay a phase down: make its groups from cards as a player wrote them (P10-8 to P10-13)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from engine.errors import IllegalMoveError
from engine.phase10.cards import COLOUR_OF, NUMBER_OF, SKIP, WILD, Card, Cards, sort_cards
from engine.phase10.groups import HIGHEST, LOWEST, PHASES, Group, Kind, Part, phase_words, run_ends
from engine.sentences import plural, sentence


def arrange(phase: int, written: Sequence[Cards]) -> tuple[Group, ...]:
    """Make the groups of a phase from cards as written, in the order of the phase.

    Groups that fit several parts of the phase go as they were written.

    Raises: IllegalMoveError.
    Rules: P10-9, P10-10, P10-12, P10-13.
    """
    parts = PHASES[phase]
    if len(written) > len(parts):
        raise IllegalMoveError(
            plural(
                "P10-13: phase {phase} is {words}: {count} group and no more, not {written}",
                "P10-13: phase {phase} is {words}: {count} groups and no more, not {written}",
                len(parts),
                phase=phase,
                words=phase_words(phase),
                written=len(written),
            ),
            rule="P10-13",
        )
    if len(written) < len(parts):
        raise IllegalMoveError(
            plural(
                "P10-12: phase {phase} is {words}, so {count} group separated by /, not {written}",
                "P10-12: phase {phase} is {words}, so {count} groups separated by /, not {written}",
                len(parts),
                phase=phase,
                words=phase_words(phase),
                written=len(written),
            ),
            rule="P10-12",
        )
    refusals: list[IllegalMoveError] = []
    for order in permutations(written):
        try:
            return tuple(make_group(part, cards) for part, cards in zip(parts, order, strict=True))
        except IllegalMoveError as refusal:
            refusals.append(refusal)
    raise refusals[0]


def make_group(part: Part, cards: Cards) -> Group:
    """Make one group of a phase. Raises: IllegalMoveError (P10-8, P10-9, P10-10)."""
    if SKIP in cards:
        raise IllegalMoveError(sentence("P10-10: a skip is never part of a group"), rule="P10-10")
    naturals = [card for card in cards if card != WILD]
    if not naturals:
        raise IllegalMoveError(
            sentence("P10-10: each group needs at least one number card beside its wilds"),
            rule="P10-10",
        )
    if len(cards) < part.size:
        raise IllegalMoveError(
            sentence(
                "P10-8: {cards} is too short for a {part}",
                cards=" ".join(cards),
                part=part.in_words(),
            )
            if part.kind is not Kind.COLOUR
            else sentence(
                "P10-8: {cards} is too short, phase 8 is {part}",
                cards=" ".join(cards),
                part=part.in_words(),
            ),
            rule="P10-8",
        )
    match part.kind:
        case Kind.SET:
            if len({NUMBER_OF[card] for card in naturals}) > 1:
                raise _no_group(cards, sentence("a set has one number"))
        case Kind.COLOUR:
            if len({COLOUR_OF[card] for card in naturals}) > 1:
                raise _no_group(cards, sentence("the cards of a colour group have one colour"))
        case Kind.RUN:
            return Group(Kind.RUN, _make_run(cards, naturals))
    return Group(part.kind, sort_cards(cards))


def _no_group(cards: Cards, why: str) -> IllegalMoveError:
    return IllegalMoveError(
        sentence("{rule}: {why}", rule=f"P10-9: {' '.join(cards)}", why=why), rule="P10-9"
    )


def _make_run(cards: Cards, naturals: list[Card]) -> Cards:
    """Check a run; without wilds it may be written in any order (P10-9)."""
    upwards = tuple(sorted(naturals, key=NUMBER_OF.__getitem__))
    if len(naturals) == len(cards):
        cards = upwards
    low, high = run_ends(cards)
    is_run = all(card == WILD or NUMBER_OF[card] == low + at for at, card in enumerate(cards))
    if is_run and low >= LOWEST and high <= HIGHEST:
        return cards
    form = _with_wilds_in_place(upwards, len(cards) - len(naturals))
    if len(naturals) == len(cards) or form is None:
        raise _no_group(cards, sentence("a run has consecutive numbers from 1 to 12, each once"))
    raise _no_group(
        cards,
        sentence(
            "write a run with wilds upwards, each wild at its place, as in {form}",
            form=" ".join(form),
        ),
    )


def _with_wilds_in_place(upwards: Cards, wilds: int) -> Cards | None:
    """Fill gaps with wilds, then extend the high end, then the low; None: not a run."""
    form: list[Card] = []
    for card in upwards:
        if form:
            gap = NUMBER_OF[card] - run_ends(tuple(form))[1] - 1
            if gap < 0 or gap > wilds:
                return None
            form += [WILD] * gap
            wilds -= gap
        form.append(card)
    low, high = run_ends(tuple(form))
    above = min(wilds, HIGHEST - high)
    if wilds - above > low - LOWEST:
        return None
    return (*(WILD,) * (wilds - above), *form, *(WILD,) * above)

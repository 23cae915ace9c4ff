"""Phases and groups: what may be laid down, and what may be hit onto it.

A group keeps its cards in one form: sets and colour groups in documented order, wilds last; runs
upwards, each wild at its place. So the numbers of a run follow from its first number card, and a
wild never moves (P10-10).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from engine.errors import IllegalMoveError
from engine.phase10.cards import COLOUR_OF, NUMBER_OF, NUMBERS, SKIP, WILD, Card, Cards, sort_cards
from engine.sentences import Sentence, joined, plural, sentence

LOWEST, HIGHEST = NUMBERS[0], NUMBERS[-1]


class Kind(enum.Enum):
    """The three kinds of groups."""

    SET = "set"
    RUN = "run"
    COLOUR = "colour"


class End(enum.Enum):
    """The two ends of a run."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Part:
    """What one group of a phase must be."""

    kind: Kind
    size: int
    """The least number of cards."""

    def __str__(self) -> str:
        return str(self.in_words())

    def in_words(self) -> Sentence:
        """Return `set of 3`, `run of 4`, or `7 cards of one colour`."""
        match self.kind:
            case Kind.SET:
                return sentence("set of {size}", size=self.size)
            case Kind.RUN:
                return sentence("run of {size}", size=self.size)
            case Kind.COLOUR:
                return sentence("{size} cards of one colour", size=self.size)


class Group(NamedTuple):
    """Cards that are on the table together, in the form of the module docstring."""

    kind: Kind
    cards: Cards


def _sets(*sizes: int) -> tuple[Part, ...]:
    return tuple(Part(Kind.SET, size) for size in sizes)


PHASES: Mapping[int, tuple[Part, ...]] = {
    1: _sets(3, 3),
    2: (Part(Kind.SET, 3), Part(Kind.RUN, 4)),
    3: (Part(Kind.SET, 4), Part(Kind.RUN, 4)),
    4: (Part(Kind.RUN, 7),),
    5: (Part(Kind.RUN, 8),),
    6: (Part(Kind.RUN, 9),),
    7: _sets(4, 4),
    8: (Part(Kind.COLOUR, 7),),
    9: _sets(5, 2),
    10: _sets(5, 3),
}
"""What each phase asks for, in the order in which it is logged (P10-8)."""


def phase_words(phase: int) -> Sentence:
    """Return a phase in words: `set of 3 + run of 4`."""
    return joined([part.in_words() for part in PHASES[phase]], " + ")


def run_ends(cards: Cards) -> tuple[int, int]:
    """Return the lowest and the highest number of a run, from its first number card."""
    at = next(at for at, card in enumerate(cards) if card != WILD)
    low = NUMBER_OF[cards[at]] - at
    return low, low + len(cards) - 1


# --- laying down ----------------------------------------------------------------------------------


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


# --- hitting --------------------------------------------------------------------------------------


def open_ends(group: Group, card: Card) -> tuple[End | None, ...]:
    """Return where a card fits onto a group: ends of a run, or None for other groups.

    Empty: it does not fit. Rules: P10-15, P10-16.
    """
    if card == SKIP:
        return ()
    first = group.cards[0]
    match group.kind:
        case Kind.SET:
            # Wilds are last in a set and a colour group, so the first card is a number card.
            return (None,) if card == WILD or NUMBER_OF[card] == NUMBER_OF[first] else ()
        case Kind.COLOUR:
            return (None,) if card == WILD or COLOUR_OF[card] == COLOUR_OF[first] else ()
        case Kind.RUN:
            low, high = run_ends(group.cards)
            number = None if card == WILD else NUMBER_OF[card]
            ends = []
            if low > LOWEST and number in (None, low - 1):
                ends.append(End.LOW)
            if high < HIGHEST and number in (None, high + 1):
                ends.append(End.HIGH)
            return tuple(ends)


def grown(group: Group, card: Card, end: End | None) -> Group:
    """Return the group with a card hit onto it, at an end that `open_ends` gave."""
    match end:
        case End.LOW:
            return Group(group.kind, (card, *group.cards))
        case End.HIGH:
            return Group(group.kind, (*group.cards, card))
        case None:
            return Group(group.kind, sort_cards((*group.cards, card)))

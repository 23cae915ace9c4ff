"""Phases and groups, and what may be hit onto a group.

A group keeps its cards in one form: sets and colour groups in documented order, wilds last; runs
upwards, each wild at its place. So the numbers of a run follow from its first number card, or from
what its player said if it is of wilds alone (P10-V4), and a wild never moves (P10-10).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.api import JsonValue
from engine.phase10.cards import COLOUR_OF, NUMBER_OF, NUMBERS, SKIP, WILD, Card, Cards, sort_cards
from engine.sentences import Sentence, joined, sentence

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
    number: int | None = None
    """Of a set of wilds alone its number, of a run of wilds alone the lowest one (P10-V4).

    None once the group has a number card, which then fixes the same number.
    """


Meaning: TypeAlias = int | str | None
"""What a player says a group is: the number of a set, the lowest one of a run, a colour letter."""


def group_text(cards: Cards, number: int | None) -> str:
    """Write a group as in an order: `R5 B5 W`, or `W W W as 7` for wilds alone (P10-V4)."""
    text = " ".join(cards)
    return text if number is None else f"{text} as {number}"


def group_json(group: Group) -> dict[str, JsonValue]:
    """Return a group as JSON; only a group of wilds alone has `as`, its number (P10-V4)."""
    data: dict[str, JsonValue] = {"kind": group.kind.value, "cards": list(group.cards)}
    if group.number is not None:
        data["as"] = group.number
    return data


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


def run_ends(cards: Cards, low: int | None = None) -> tuple[int, int]:
    """Return the lowest and the highest number of a run.

    Args:
        low: the lowest number of a run of wilds alone; None takes it from the first number card.
    """
    if low is None:
        at = next(at for at, card in enumerate(cards) if card != WILD)
        low = NUMBER_OF[cards[at]] - at
    return low, low + len(cards) - 1


def open_ends(group: Group, card: Card) -> tuple[End | None, ...]:
    """Return where a card fits onto a group: ends of a run, or None for other groups.

    Empty: it does not fit. Rules: P10-15, P10-16.
    """
    if card == SKIP:
        return ()
    first = group.cards[0]
    match group.kind:
        case Kind.SET:
            # Wilds are last in a set and a colour group, so the first card is a number card, unless
            # a set is of wilds alone.
            number = NUMBER_OF.get(first, group.number)
            return (None,) if card == WILD or NUMBER_OF[card] == number else ()
        case Kind.COLOUR:
            return (None,) if card == WILD or COLOUR_OF[card] == COLOUR_OF[first] else ()
        case Kind.RUN:
            low, high = run_ends(group.cards, group.number)
            number = None if card == WILD else NUMBER_OF[card]
            ends = []
            if low > LOWEST and number in (None, low - 1):
                ends.append(End.LOW)
            if high < HIGHEST and number in (None, high + 1):
                ends.append(End.HIGH)
            return tuple(ends)


def grown(group: Group, card: Card, end: End | None) -> Group:
    """Return the group with a card hit onto it, at an end that `open_ends` gave."""
    number = group.number if card == WILD else None
    match end:
        case End.LOW:
            return Group(group.kind, (card, *group.cards), None if number is None else number - 1)
        case End.HIGH:
            return Group(group.kind, (*group.cards, card), number)
        case None:
            return Group(group.kind, sort_cards((*group.cards, card)), number)

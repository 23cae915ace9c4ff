"""Subjects of conditions in standing orders: `if top <= 9`, `if hand of Bob is 1`.

A game lists its subjects in its profile. Each is looked up only in the view of the seat that gave
the order. The grammar is in `pbem.domain.terms.conditions`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.cards import RANKS, STANDARD
from pbem.games.knowledge import View

Found: TypeAlias = bool | int | str | None

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "is not": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class CardValues:
    """Parser and comparison of a game's cards in conditions.

    Attributes:
        read: parses a value from the next words, at most three, for a comparison and a deck, and
            returns it with the number of words used.
        is_so: compares a card with a value.
        said: formats a value so that it can be parsed again.
    """

    read: Callable[[Sequence[str], str, str], tuple[str, int] | None]
    is_so: Callable[[str, str, str], bool]
    said: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Subject:
    """A property of the game that conditions can refer to.

    Attributes:
        name: canonical name.
        said: patterns of its wordings. `{who}` matches a player.
        found: returns its value in a view for the given seat, or None if it does not exist.
        cards: how to compare it if it is a card, or None if it is a number.
        is_state: True if it needs no comparison: `I have laid`. A name of several words is the
            whole condition: `it lays`.
    """

    name: str
    said: tuple[str, ...]
    found: Callable[[View, View], Found]
    cards: CardValues | None = None
    is_state: bool = False

    def is_so(self, actual: Found, comparison: str, value: str) -> bool:
        """True if the actual value and a given value satisfy the comparison."""
        if self.cards is not None:
            return self.cards.is_so(str(actual), comparison, value)
        return COMPARISONS[comparison](actual, True if self.is_state else int(value))


def top_of(cards: CardValues) -> Subject:
    """Create the subject for the top card of the pile, which an empty pile does not have."""
    heap = _heap("top")
    return Subject("top", heap, lambda view, _: view["pile"][-1] if view["pile"] else None, cards)


def _heap(name: str) -> tuple[str]:
    return (rf"(?:the\s+)?(?:discard\s+)?{name}(?:\s+card)?(?!\w)",)


def of_seat(name: str) -> tuple[str, ...]:
    """Return patterns for properties of seats, such as `my hand` or `Bob's hand`."""
    return (
        rf"(?:the\s+)?{name}\s+of\s+{{who}}(?!\w)",
        rf"{{who}}['’]s\s+{name}",
        rf"(?:my\s+|the\s+)?{name}(?!\w)",
    )


def _read_rank(words: Sequence[str], _comparison: str, _deck: str) -> tuple[str, int] | None:
    rank = STANDARD.ranks.get(words[0])
    return None if rank is None else (rank, 1)


def _is_rank_so(top: str, comparison: str, value: str) -> bool:
    return COMPARISONS[comparison](RANKS.index(top[:-1]), RANKS.index(value))


PILE = Subject("pile", _heap("pile"), lambda view, _: len(view["pile"]))
STOCK = Subject("stock", _heap("stock"), lambda view, _: int(view["stock_size"]))
HAND = Subject(
    "hand",
    (*of_seat("hand"), r"i(?=\s+have\b)", r"{who}(?=\s+has\b)"),
    lambda _, seat: int(seat["hand_size"]),
)
SHEDDING = (top_of(CardValues(_read_rank, _is_rank_so)), PILE, STOCK, HAND)
"""Subjects of games that are played with one pack around a pile."""

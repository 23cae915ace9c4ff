"""The cards of Phase 10 and their order (P10-1, P10-3).

A card is its notation: `R7`, `Y12`, `W` (wild), `S` (skip). Equal cards are interchangeable, so a
hand is a sorted tuple in which the same text may appear several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NewType

Card = NewType("Card", str)
"""A card in its notation, always one of the values of `KINDS`."""

Cards = tuple[Card, ...]

COLOURS = ("R", "B", "G", "Y")
"""Red, blue, green, yellow: the documented order."""

NUMBERS = range(1, 13)

WILD = Card("W")
SKIP = Card("S")

COPIES = 2
WILD_COUNT = 8
SKIP_COUNT = 4

_NATURALS = tuple(Card(f"{colour}{number}") for colour in COLOURS for number in NUMBERS)

KINDS: Cards = (*_NATURALS, WILD, SKIP)
"""Every card once, in documented order."""

PACK: Cards = (
    *(card for card in _NATURALS for _ in range(COPIES)),
    *(WILD,) * WILD_COUNT,
    *(SKIP,) * SKIP_COUNT,
)
"""All 108 cards in the order before a shuffle, bottom to top (P10-1, P10-3)."""

POSITION: Mapping[Card, int] = {card: at for at, card in enumerate(KINDS)}
"""Sort key of the documented order."""

NUMBER_OF: Mapping[Card, int] = {card: int(card[1:]) for card in _NATURALS}
"""Number cards only. Wilds and skips have no number."""

COLOUR_OF: Mapping[Card, str] = {card: card[0] for card in _NATURALS}
"""Number cards only. The colour printed on a wild or a skip has no meaning."""

_LAST_CHEAP = 9

POINTS: Mapping[Card, int] = {
    **{card: 5 if number <= _LAST_CHEAP else 10 for card, number in NUMBER_OF.items()},
    SKIP: 15,
    WILD: 25,
}
"""Points for a card left in the hand (P10-23)."""

_BY_TEXT: Mapping[str, Card] = {str(card): card for card in KINDS}


def card(text: str) -> Card:
    """Return the card for an exact notation. Raises: ValueError."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card") from None


def sort_cards(cards: Iterable[Card]) -> Cards:
    """Return the cards in documented order."""
    return tuple(sorted(cards, key=POSITION.__getitem__))


def without(cards: Cards, gone: Iterable[Card]) -> Cards:
    """Return the cards without one copy of each of `gone`. Raises: ValueError if missing."""
    left = list(cards)
    for each in gone:
        left.remove(each)
    return tuple(left)


def less(cards: Cards, gone: Iterable[Card]) -> Cards:
    """Return the cards without one copy of each of `gone` that is present."""
    left = list(cards)
    for each in gone:
        if each in left:
            left.remove(each)
    return tuple(left)


def points(cards: Iterable[Card]) -> int:
    """Return the points for cards left in the hand (P10-23)."""
    return sum(POINTS[each] for each in cards)

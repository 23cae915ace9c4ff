"""The cards of Phase 10 and their order (P10-1, P10-3).

A card is represented by its notation: `R7`, `Y12`, `W` (wild), `S` (skip). Equal cards are
interchangeable, so a hand is a sorted tuple that may contain the same text several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NewType

Card = NewType("Card", str)
"""A card in its notation. Cards are always values of `KINDS`."""

Cards = tuple[Card, ...]

COLOURS = ("R", "B", "G", "Y")
"""Red, blue, green, yellow, in documented order."""

NUMBERS = range(1, 13)

WILD = Card("W")
SKIP = Card("S")

COPIES = 2
WILD_COUNT = 8
SKIP_COUNT = 4

_NATURALS = tuple(Card(f"{colour}{number}") for colour in COLOURS for number in NUMBERS)

KINDS: Cards = (*_NATURALS, WILD, SKIP)
"""Every distinct card, in documented order."""

PACK: Cards = (
    *(card for card in _NATURALS for _ in range(COPIES)),
    *(WILD,) * WILD_COUNT,
    *(SKIP,) * SKIP_COUNT,
)
"""All 108 cards in the order used as input for shuffling, bottom to top (P10-1, P10-3)."""

POSITION: Mapping[Card, int] = {card: at for at, card in enumerate(KINDS)}
"""Sort key for the documented order."""

NUMBER_OF: Mapping[Card, int] = {card: int(card[1:]) for card in _NATURALS}
"""Number of each number card. Wilds and skips are omitted."""

COLOUR_OF: Mapping[Card, str] = {card: card[0] for card in _NATURALS}
"""Colour of each number card. Wilds and skips are omitted because their colour has no meaning."""

_LAST_CHEAP = 9

POINTS: Mapping[Card, int] = {
    **{card: 5 if number <= _LAST_CHEAP else 10 for card, number in NUMBER_OF.items()},
    SKIP: 15,
    WILD: 25,
}
"""Points that each card left in a hand costs (P10-23)."""

_BY_TEXT: Mapping[str, Card] = {str(card): card for card in KINDS}


def card(text: str) -> Card:
    """Return the card with this exact notation. Raises: ValueError."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card") from None


def sort_cards(cards: Iterable[Card]) -> Cards:
    """Return the cards in documented order."""
    return tuple(sorted(cards, key=POSITION.__getitem__))


def without(cards: Cards, gone: Iterable[Card]) -> Cards:
    """Return the cards without one copy of each card in `gone`. Raises: ValueError if missing."""
    left = list(cards)
    for each in gone:
        left.remove(each)
    return tuple(left)


def less(cards: Cards, gone: Iterable[Card]) -> Cards:
    """Return the cards without one copy of each card in `gone`. Missing cards are ignored."""
    left = list(cards)
    for each in gone:
        if each in left:
            left.remove(each)
    return tuple(left)


def points(cards: Iterable[Card]) -> int:
    """Return the points for cards left in the hand (P10-23)."""
    return sum(POINTS[each] for each in cards)

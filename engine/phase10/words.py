"""Words for the cards of Phase 10 (P10-2, P10-3).

There is one table for the game's own cards and one for two standard packs, which also accepts the
words of the first table. Both produce the canonical cards, which the game uses exclusively.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import CardTable, read_cards
from engine.cards import Named as _Named
from engine.phase10.cards import NUMBERS, SKIP, WILD, Card, card

_NUMBER_WORDS = (
    "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

_WILD_WORDS = ("wild", "wilds")
_SKIP_WORDS = ("skip", "skips")

_OWN_RANKS = {
    **{str(number): str(number) for number in NUMBERS},
    **{word: str(number) for number, word in enumerate(_NUMBER_WORDS, start=1)},
    **dict.fromkeys(_WILD_WORDS, WILD),
    **dict.fromkeys(_SKIP_WORDS, SKIP),
}
_OWN_COLOURS = {
    "r": "R", "red": "R", "b": "B", "blue": "B", "g": "G", "green": "G", "y": "Y", "yellow": "Y",
}  # fmt: skip

OWN_WORDS = CardTable(
    ranks=_OWN_RANKS,
    plurals={},
    suits=_OWN_COLOURS,
    counts={},
    fillers=frozenset({"and", "my", "the", "a", "card"}),
    all_words=frozenset(),
    linker="of",
)

STANDARD_WORDS = replace(
    OWN_WORDS,
    ranks={
        **_OWN_RANKS,
        "a": "1", "ace": "1", "t": "10", "j": "11", "jack": "11", "q": "12", "queen": "12",
        "k": WILD, "king": WILD, "kings": WILD, "joker": SKIP, "jokers": SKIP,
    },
    suits={
        **_OWN_COLOURS,
        "s": "B", "spade": "B", "spades": "B", "♠": "B", "♤": "B",
        "h": "R", "heart": "R", "hearts": "R", "♥": "R", "♡": "R", "❤": "R",
        "d": "Y", "diamond": "Y", "diamonds": "Y", "♦": "Y", "♢": "Y",
        "c": "G", "club": "G", "clubs": "G", "♣": "G", "♧": "G",
    },
    fillers=frozenset({"and", "my", "the", "card"}),
)  # fmt: skip
"""Words for two packs with four jokers: suits are colours, A to Q are 1 to 12 (P10-2)."""

TABLES: Mapping[str, CardTable] = {"phase10": OWN_WORDS, "standard": STANDARD_WORDS}
"""Card words, by the option `deck`."""

_LETTERS: Mapping[str, Card] = {"w": WILD, "s": SKIP}
"""The letters for wild and skip. After a rank, `s` can also be a suit (P10-2)."""

ARTICLES = frozenset({"a", "an"})

IS_SKIP = frozenset({"s", "joker", "jokers", *_SKIP_WORDS})

_NO_SUIT = frozenset({*_WILD_WORDS, *IS_SKIP})
"""Words after which `s` means a skip. After a king it is a suit."""


@dataclass(frozen=True, slots=True)
class AnyColour:
    """A number card of any colour."""

    number: int


Named: TypeAlias = Card | AnyColour
"""A card as named in an order."""


def read_named(words: Sequence[str], table: CardTable) -> tuple[Named, ...] | None:
    """Parse lower-case words as cards, ignoring fillers. Return None if a word is not understood."""
    kept = [word for word in words if word not in table.fillers]
    cards: list[Named] = []
    behind: list[str] = []  # words since the last single letter
    for word in kept:
        if word in _LETTERS and not _is_suit(word, behind, table):
            read = _read_table(behind, table)
            if read is None:
                return None
            cards += [*read, _LETTERS[word]]
            behind = []
        else:
            behind.append(word)
    read = _read_table(behind, table)
    return None if read is None else (*cards, *read) or None


def _read_table(words: Sequence[str], table: CardTable) -> tuple[Named, ...] | None:
    """Parse words of a table as single cards. Return None if they are anything else."""
    if not words:
        return ()
    readings = read_cards(words, table)
    return tuple(map(_named, readings[0])) if readings and isinstance(readings[0], tuple) else None


def _is_suit(letter: str, before: Sequence[str], table: CardTable) -> bool:
    """True if a letter is the suit of the previous rank, as in `7 s`, `king of s` (P10-2)."""
    if letter not in table.suits or not before:
        return False
    if before[-1] == table.linker:
        return True
    readings = read_cards(before, table)
    if not readings or not isinstance(readings[0], tuple) or before[-1] in _NO_SUIT:
        return False
    return readings[0][-1].suit is None


def is_card(word: str, table: CardTable) -> bool:
    """True if a word names a card. With the standard deck `as` does, too."""
    return read_named([word], table) is not None


def read_one(words: Sequence[str], table: CardTable) -> Named | None:
    """Parse words that name exactly one card. Return None for anything else.

    The word `a` means an ace if the result is one card (`a of spades`), otherwise an article.
    """
    for candidate in (words, words[1:] if words and words[0] in ARTICLES else ()):
        cards = read_named(candidate, table)
        if cards is not None and len(cards) == 1:
            return cards[0]
    return None


def _named(named: _Named) -> Named:
    if named.rank in (WILD, SKIP):
        return card(named.rank)  # the colour printed on it has no meaning
    if named.suit is None:
        return AnyColour(int(named.rank))
    return card(named.suit + named.rank)


def card_words() -> tuple[str, ...]:
    """Return every word of both tables, sorted."""
    return tuple(sorted({*OWN_WORDS.words(), *STANDARD_WORDS.words(), *_LETTERS}))

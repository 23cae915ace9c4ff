"""Cards of the standard pack, their notation, and a parser for card words (GEN-9).

A card is represented by its notation, rank then suit: `7c`, `10h`, `Qd`. This is valid JSON, cheap
to compare and readable in a debugger. Games with other cards define their own `CardTable`. The
parser does not depend on the standard pack.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Final, NewType, TypeAlias

Card = NewType("Card", str)
"""A card of the standard pack in its notation. Cards are always the interned values in `PACK`."""

RANKS: Final[tuple[str, ...]] = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""Ranks in the order of a new pack."""

SUITS: Final[tuple[str, ...]] = ("c", "d", "h", "s")
"""Clubs, diamonds, hearts, spades: the order of a new pack, with the "lowest" suit first."""

PACK: Final[tuple[Card, ...]] = tuple(
    Card(sys.intern(rank + suit)) for suit in SUITS for rank in RANKS
)
"""The new pack, bottom to top, in the order used as input for shuffling (GEN-3, PHY-5)."""

RANK_OF: Final[Mapping[Card, str]] = {card: sys.intern(card[:-1]) for card in PACK}
SUIT_OF: Final[Mapping[Card, str]] = {card: card[-1] for card in PACK}

_BY_TEXT: Mapping[str, Card] = {str(card): card for card in PACK}


def card(text: str) -> Card:
    """Return the interned card with this exact notation. Raises: ValueError."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card") from None


def read_texts(texts: Iterable[str]) -> tuple[Card, ...]:
    """Return the interned cards with these exact notations. Raises: ValueError."""
    return tuple(map(card, texts))


POSITION: Final[Mapping[Card, int]] = {
    card: RANKS.index(rank) * len(SUITS) + SUITS.index(SUIT_OF[card])
    for card, rank in RANK_OF.items()
}
"""Sort key for the canonical order: rank as in a new pack, then suit."""


def sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards into canonical order."""
    return tuple(sorted(cards, key=POSITION.__getitem__))


# --- parsing card words ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Named:
    """A single card as written by a player. Without a suit, any card of the rank matches."""

    rank: str
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Several:
    """Several cards of one rank as written by a player. `count` is None for all of them."""

    rank: str
    count: int | None


Reading: TypeAlias = tuple[Named, ...] | Several
"""One interpretation of a sequence of card words."""


@dataclass(frozen=True, slots=True)
class CardTable:
    """The words that a game uses for its cards, all in lower case.

    Attributes:
        ranks: maps a word or symbol to a rank, singular.
        plurals: maps a word to a rank, for words that mean several cards.
        suits: maps a word, letter or symbol to a suit.
        counts: maps a number word to a number.
        fillers: words that may appear among card words and are ignored.
        all_words: words that mean every card of the rank that follows.
        linker: the word between rank and suit.
        joiner: the filler between the cards of a list. A word next to it is never a count.
    """

    ranks: Mapping[str, str]
    plurals: Mapping[str, str]
    suits: Mapping[str, str]
    counts: Mapping[str, int]
    fillers: frozenset[str]
    all_words: frozenset[str]
    linker: str
    joiner: str = "and"
    _glued: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranks = _alternatives(word for word in self.ranks if len(word) == 1 or word.isdigit())
        suits = _alternatives(word for word in self.suits if len(word) == 1)
        pattern = re.compile(
            f"(?:(?P<r1>{ranks})(?P<s1>{suits}))|(?:(?P<s2>{suits})(?P<r2>{ranks}))"
        )
        object.__setattr__(self, "_glued", pattern)

    def words(self) -> tuple[str, ...]:
        """Return every word and symbol of the table, sorted."""
        groups = (self.ranks, self.plurals, self.suits, self.counts, self.fillers, self.all_words)
        return tuple(sorted({self.linker, *(word for group in groups for word in group)}))


def _alternatives(words: Iterable[str]) -> str:
    """Build a regular expression that matches any of the words, trying the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

STANDARD = CardTable(
    ranks={
        **{rank.lower(): rank for rank in RANKS},
        **{word: str(n) for n, word in enumerate(_NUMBER_WORDS, start=1) if n > 1},
        "t": "10",
        "deuce": "2",
        "jack": "J",
        "knave": "J",
        "queen": "Q",
        "king": "K",
        "ace": "A",
    },
    plurals={
        **{word + ("es" if word == "six" else "s"): str(n)
           for n, word in enumerate(_NUMBER_WORDS, start=1) if n > 1},
        "deuces": "2",
        "jacks": "J",
        "queens": "Q",
        "kings": "K",
        "aces": "A",
    },
    suits={
        "c": "c", "club": "c", "clubs": "c", "♣": "c", "♧": "c",
        "d": "d", "diamond": "d", "diamonds": "d", "♦": "d", "♢": "d",
        "h": "h", "heart": "h", "hearts": "h", "♥": "h", "♡": "h", "❤": "h",
        "s": "s", "spade": "s", "spades": "s", "♠": "s", "♤": "s",
    },
    counts={"a": 1, "one": 1, "both": 2, "two": 2, "three": 3, "four": 4},
    fillers=frozenset({"and", "my", "the"}),
    all_words=frozenset({"all", "every"}),
    linker="of",
)  # fmt: skip
"""Card words for the standard pack."""


def read_cards(words: Sequence[str], table: CardTable = STANDARD) -> tuple[Reading, ...]:
    """Return all interpretations of the words as cards.

    Several interpretations mean that the words alone are ambiguous. For example, `two seven` may be
    a two and a seven, or two sevens. The position may decide which is meant. `three 3s` always
    means three 3s, and `two and seven` always means two cards.

    Args:
        words: words in lower case, without punctuation and variation selectors.
        table: the game's card words.

    Returns:
        The interpretations, or an empty tuple if these are not card words.

    Rules: GEN-9.
    """
    kept = [word for word in words if word not in table.fillers]
    readings: list[Reading] = []
    counted = None if _is_list(words, table) else _read_counted(kept, table)
    if counted is not None:
        readings.append(counted)
    named = _read_named(kept, table)
    if named and not (counted is not None and _speaks_of_several(kept, named)):
        readings.append(named)
    return tuple(readings)


def card_words(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Join the parts of a line into lower-case words for `read_cards` (GEN-9).

    `and` is inserted between parts. A capital `A` before a rank symbol is an ace rather than an
    article: `A 7` is an ace and a seven, but `a 7` and `A seven` are a seven. Before `ace` or a
    singular suit, `a` is always an article, so `a heart` does not name a card.
    """
    words: list[str] = []
    for part in parts:
        if words:
            words.append(STANDARD.joiner)
        for word, following in zip_longest(part, part[1:], fillvalue=""):
            if word in ("a", "A") and following.casefold() in _ONE_OF_A_SUIT:
                continue
            words.append("ace" if _is_ace(word, following.casefold()) else word.casefold())
    return tuple(words)


_ONE_OF_A_SUIT = frozenset({"club", "diamond", "heart", "spade"})


def _is_ace(word: str, following: str) -> bool:
    if word not in ("a", "A") or not following:
        return False
    if following in ("a", "ace"):
        return True
    return word == "A" and not (len(following) > 1 and following.isalpha())


def _is_list(words: Sequence[str], table: CardTable) -> bool:
    """True if the joiner appears between other words."""
    runs = groupby(words, key=table.joiner.__eq__)
    return sum(not is_joiner for is_joiner, _ in runs) > 1


def _speaks_of_several(words: Sequence[str], named: Sequence[Named]) -> bool:
    """True for words like `three 3s`, which hardly mean a three and a separate `3s`."""
    return words[-1].endswith("s") and len(named) > 1 and len({card.rank for card in named}) == 1


_DIGITS = ("2", "3", "4")


def _read_counted(words: Sequence[str], table: CardTable) -> Several | None:
    """Parse a count and a rank, e.g. `sevens`, `two sevens`, `all 7`, `all my 7s`, `both queens`."""
    if not words:
        return None
    if words[0] in ("a", "pair") and "pair" in words[:2]:
        words = ["two", *words[words.index("pair") + 1 :]]  # "a pair of nines"
        words = [word for word in words if word != table.linker]
    *before, last = words
    # After a count word, `7s` and `qs` can only mean sevens and queens.
    plural = table.plurals.get(last) or table.ranks.get(
        last[:-1] if len(last) > 1 and last[-1] == "s" else ""
    )
    if not before:
        # `7s` alone is the seven of spades. Without a count, only a word such as `sevens` is a
        # plural.
        return Several(table.plurals[last], None) if last in table.plurals else None
    rank = plural or table.ranks.get(last)
    if rank is None:
        return None
    is_linked = before[-1] == table.linker
    if is_linked:
        before = before[:-1]  # "all of the sevens"
    if len(before) == 2 and before[0] in table.all_words:  # noqa: PLR2004
        before = before[1:]  # "all three kings"
    if len(before) != 1:
        return None
    if before[0] in table.all_words:
        return Several(rank, None)
    count = table.counts.get(before[0])
    if count is None and last in table.plurals and before[0] in _DIGITS:
        # "2 queens" is a count and a rank, but "2 7" is two cards
        return Several(rank, int(before[0]))
    # Counted: "a seven", "one of the sevens", "two sevens", "two 7". However, "a 7s" means the
    # seven of spades, and "one of two" is ordinary prose.
    is_plural_due = is_linked or (count != 1 and plural is not None)
    if count is None or is_plural_due != (plural is not None):
        return None
    return Several(rank, count)


def _read_named(words: Sequence[str], table: CardTable) -> tuple[Named, ...] | None:
    """Parse single cards, e.g. `7c 7d`, `7 7`, `queen of hearts`, `hearts 7`, `7♥8♥`."""
    cards: list[Named] = []
    waiting: str | None = None  # a suit that precedes its rank
    linked = False
    for word in words:
        if word == table.linker:
            if linked or not cards or cards[-1].suit is not None:
                return None
            linked = True
            continue
        suit = table.suits.get(word)
        rank = table.ranks.get(word)
        if suit is not None:
            if cards and cards[-1].suit is None and waiting is None:
                cards[-1] = Named(cards[-1].rank, suit)
            elif waiting is None and not linked:
                waiting = suit
            else:
                return None
        elif linked:
            return None
        elif rank is not None:
            cards.append(Named(rank, waiting))
            waiting = None
        else:
            glued = _read_glued(word, table)
            if not glued or waiting is not None:
                return None
            cards.extend(glued)
        linked = False
    return None if waiting is not None or linked else tuple(cards)


_LAUGHTER = re.compile("(?:ha){2,}")


def _read_glued(word: str, table: CardTable) -> list[Named]:
    """Parse one or more cards written without blanks, e.g. `7h`, `h7`, `7c7d`.

    Laughter such as `haha` is not parsed as cards.
    """
    matches = list(table._glued.finditer(word))
    if _LAUGHTER.fullmatch(word) or "".join(match[0] for match in matches) != word:
        return []
    return [
        Named(table.ranks[match["r1"] or match["r2"]], table.suits[match["s1"] or match["s2"]])
        for match in matches
    ]

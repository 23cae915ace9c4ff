"""Match the words of a line with the rows of a game: every word must belong to the order.

A row has an order with slots (`play {card} {zone}`) and says in each language what must be said for
it and what may stand beside that. `orders_of` returns the orders that all words of a line make
together. A line with a word of its own (`not`, `if`, `kids`) makes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from engine.reading.lexicon import Lexicon, parted

_NUMBERS: Final = frozenset(map(str, range(2, 13)))
_CODE: Final = re.compile(r"(?:(10|[2-9jqka])([cdhs])|([rbgy])(1[0-2]|[1-9]))")
_OF_A_RESERVE, _LEAST_OF_A_PHASE = 3, 6
_SIZES: Final = {
    "{cards}": _OF_A_RESERVE,
    "{many}": _LEAST_OF_A_PHASE,
    "{card}": 1,
    "{fit}": 1,
    "{skip}": 1,
}
_CARD_KINDS: Final = ("rank", "several", "suit", "colour", "zone", "ordinal")
_COMMON: Final = ("filler", "article", "count", "wild", "of", "unit")


@dataclass(frozen=True)
class Row:
    """One order, as one language says it.

    Attributes:
        order: its words, with `{card}`, `{cards}`, `{zone}`, `{number}` and `{name}`. `{many}` are the
            cards of a phase, `{beaten}` is the second card, `{skip}` is a card that skips, `{fit}` any other, and `{group}` is called
            by a rank: `tens`.
        must: ways to say it. One word of each group of a way must occur.
        may: words that can stand beside them.
        cards: how many cards are named.
        is_sure: the card must be named with its suit or colour, or with an article.
    """

    order: str
    must: tuple[tuple[frozenset[str], ...], ...]
    may: frozenset[str]
    cards: int
    is_sure: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that belong to this order."""
        return self.may.union(*(group for way in self.must for group in way))

    @cached_property
    def slots(self) -> frozenset[str]:
        """The names of its placeholders: cards, zones and the like."""
        return frozenset(re.findall(r"\{(\w+)\}", self.order))


class Rows:
    """The orders of a game in one language."""

    def __init__(self, rows: str, lexicon: Lexicon) -> None:
        """Parse rows: an order, and per language `must a/b, or must c d/e | may`.

        A word in capital letters means all words of that kind in the lexicon, and `-` is no word.
        """
        self.lexicon = lexicon
        self.rows = tuple(
            _row(order, said[lexicon.code], lexicon)
            for order, said in parted(rows)
            if lexicon.code in said
        )
        self.vocabulary = lexicon.words(*_CARD_KINDS, *_COMMON).union(
            *(row.words for row in self.rows)
        )

    def unknown(self, tokens: Sequence[str], names: frozenset[str]) -> list[str]:
        """Return the words that can stand in no order of this game."""
        return [
            word
            for word in tokens
            if word not in self.vocabulary
            and word not in names
            and not word.isdigit()
            and not word[:-1].isdigit()
            and not _CODE.fullmatch(word)
        ]

    def orders_of(self, tokens: Sequence[str], by_name: Mapping[str, str]) -> set[str]:
        """Return the orders that all these words make together; more than one is a doubt.

        Args:
            tokens: of `Lexicon.tokens`, all of them known.
            by_name: the players' names, each by its word.
        """
        return {order for _, order in self.fitting(tokens, by_name)}

    def fitting(
        self, tokens: Sequence[str], by_name: Mapping[str, str]
    ) -> Iterator[tuple[Row, str]]:
        """Yield the rows that all these words fit, each with its order; see `orders_of`."""
        for row in self.rows:
            order = _fits(row, tokens, self.lexicon, by_name)
            if order is not None:
                yield row, order


def _row(order: str, said: str, lexicon: Lexicon) -> Row:
    def known(words: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(
            *(lexicon[word] if word.isupper() else {word} for word in words)
        )

    must, _, may = said.partition("|")
    ways = tuple(
        tuple(known(group.split("/")) for group in way.split() if group != "-")
        for way in must.split(",")
    )
    cards = next((size for slot, size in _SIZES.items() if slot in order), 0)
    return Row(order.rstrip("!"), ways, known(may.split()), cards, is_sure=order.endswith("!"))


@dataclass(slots=True)
class _Line:
    """The cards, zones, names and numbers in a line."""

    cards: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    zones: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    is_sure: bool = True


def _fits(
    row: Row, tokens: Sequence[str], lexicon: Lexicon, by_name: Mapping[str, str]
) -> str | None:
    """Return the order of a row if these words say it and nothing else."""
    line = _named(row, tokens, lexicon, by_name)
    if line is None or (row.is_sure and not line.is_sure):
        return None
    cards = " ".join(line.cards)
    single, count = line.cards if row.cards == 1 else [], len(cards.split())
    if "beaten" in row.slots:
        single, beaten = line.cards[:1], line.cards[1:]
    else:
        beaten = []
    slots = {
        "card": single,
        "fit": [] if "S" in single else single,
        "skip": single if single == ["S"] else [],
        "cards": [cards] if row.cards == count == _OF_A_RESERVE else [],
        "many": [cards] if count >= row.cards == _LEAST_OF_A_PHASE else [],
        "beaten": beaten,
        "group": line.groups,
        "zone": line.zones,
        "name": line.names,
        "number": line.numbers,
    }
    filled = {name: values[0] for name, values in slots.items() if name in row.slots and values}
    if filled.keys() != row.slots or any(len(slots[name]) > 1 for name in filled):
        return None
    ways = (way for way in row.must if all(not line.said.isdisjoint(group) for group in way))
    denied = line.said & lexicon["deny"].keys()  # `nicht setzen` checks, `nicht schieben` does not
    if not any(denied <= frozenset().union(*way) for way in ways):
        return None
    return row.order.format(**filled)


def _named(
    row: Row, tokens: Sequence[str], lexicon: Lexicon, by_name: Mapping[str, str]
) -> _Line | None:
    """Sort words by what they name; None if one of them belongs to another order, or to none."""
    line, index = _Line(), 0
    several, articles, ranks = lexicon["several"], lexicon["article"], lexicon["rank"]
    while index < len(tokens):
        word, slots = tokens[index], row.slots
        card, size = _some_cards(tokens[index : index + 3], lexicon) if row.cards else ("", 0)
        is_led = index > 0 and tokens[index - 1] in articles and "group" not in slots
        if not size and row.cards == 1 and is_led and several.get(word, "1") != "1":
            card, size = f"all {several[word]}", 1
        name = by_name.get(word) or by_name.get(word.removesuffix("s"))
        is_unit = word == "1" or word in lexicon["unit"]
        if not size and is_unit and not slots.isdisjoint(("fit", "many")):
            card, size = "1", 1
        colour = lexicon["colour"].get(word)
        behind = tokens[index + 1 : index + 2]
        if (
            colour
            and "fit" in slots
            and behind
            and (behind[0] == "1" or behind[0] in lexicon["unit"])
        ):
            card, size = f"{colour}1", 2
        if not size and word in lexicon["wild"] and row.order.startswith(("lay", "hit")):
            card, size = "W", 1
        if "group" in slots and word[-1:] == "s" and word[:-1] in _GROUPS:
            line.groups.append(_GROUPS[word[:-1]])
        elif size:
            line.cards.append(card)
            line.is_sure &= (not card.isdigit() and (len(card) > 1 or card in "WS")) or (
                index > 0 and tokens[index - 1] in articles
            )
            index += size - 1
        elif "group" in slots and word in several:
            line.groups.append(_GROUPS[several[word]])
        elif "zone" in slots and word in lexicon["zone"]:
            line.zones.append(lexicon["zone"][word])
        elif "name" in slots and name is not None:
            line.names.append(name)
        elif word in row.words:
            line.said.add(word)
        elif "number" in slots and (word in lexicon["ordinal"] or word.isdigit() or word in ranks):
            line.numbers.append(lexicon["ordinal"].get(word) or ranks.get(word) or word)
        elif word not in lexicon["filler"]:
            return None
        index += 1
    return line


_GROUPS: Final[Mapping[str, str]] = {
    **{
        str(number): word
        for number, word in enumerate(
            [
                "ones",
                "twos",
                "threes",
                "fours",
                "fives",
                "sixes",
                "sevens",
                "eights",
                "nines",
                "tens",
                "elevens",
                "twelves",
            ],
            1,
        )
    },
    "A": "aces",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "W": "wilds",
    "S": "skips",
}
"""The name of a group of cards in the rules, by its rank."""


def card_at(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card or cards that words begin with, and how many of them name it."""
    several = lexicon["several"].get(tokens[0])
    return (several, 1) if several else _card(tokens, lexicon)


def _some_cards(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card or the counted cards that words begin with, and how many words name them."""
    several = lexicon["several"]
    if several.get(tokens[0]) in ("W", "S") and not tokens[0].startswith("joker"):
        return several[tokens[0]], 1
    count = lexicon["count"].get(tokens[0])
    if count and tokens[1:2] and tokens[1] in several:
        rank = several[tokens[1]]
        return (f"all {rank}" if count == "all" else " ".join([rank] * int(count))), 2
    return _card(tokens, lexicon)


def _card(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card that words begin with, and how many of them name it."""
    code = _CODE.fullmatch(tokens[0])
    if code is not None:
        rank, suit, colour, number = code.groups()
        return (f"{rank.upper()}{suit}" if rank else f"{colour.upper()}{number}"), 1
    for at_rank, at_kind, is_linked in ((1, 0, False), (0, 1, False), (0, 2, True)):
        size = max(at_rank, at_kind) + 1
        if len(tokens) < size or (is_linked and tokens[1] not in lexicon["of"]):
            continue
        rank, named = _rank(tokens[at_rank], lexicon), tokens[at_kind]
        suit, colour = lexicon["suit"].get(named, ""), lexicon["colour"].get(named, "")
        if at_kind == 0 and (suit or (colour and tokens[1] in lexicon["unit"])):
            rank = rank or lexicon["several"].get(tokens[1], "")
        if rank and (suit or colour):
            return (f"{colour}{rank}" if colour else f"{rank}{suit}"), size
    rank = _rank(tokens[0], lexicon)
    return rank, int(bool(rank))


def _rank(word: str, lexicon: Lexicon) -> str:
    """Return the rank that a word names; empty for none."""
    return word if word in _NUMBERS else lexicon["rank"].get(word, "")


def names_a_thing(tokens: Iterable[str], lexicon: Lexicon) -> bool:
    """True if words name a card, a part of one, a heap of cards, or a place at the table."""
    things = lexicon.words("rank", "several", "suit", "colour", "zone", "thing")
    return any(word.isdigit() or word in things or _CODE.fullmatch(word) for word in tokens)

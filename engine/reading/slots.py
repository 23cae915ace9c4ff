"""Match the words of a line with the order phrases of a game. All words must match.

A row consists of an order with placeholders (`play {card} {zone}`) and, for each language, the
required and the optional words. `orders_of` returns all orders that the words of a line match. A
line with any other word (`not`, `if`, `kids`) does not match.
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
_OF_A_RESERVE, _MIN_OF_A_PHASE = 3, 6
_SIZES: Final = {
    "{cards}": _OF_A_RESERVE,
    "{many}": _MIN_OF_A_PHASE,
    "{card}": 1,
    "{fit}": 1,
    "{skip}": 1,
}
_CARD_KINDS: Final = ("rank", "several", "suit", "colour", "zone", "ordinal")
_COMMON: Final = ("filler", "article", "count", "wild", "of", "unit")


@dataclass(frozen=True)
class Row:
    """The phrases of one language for an order.

    Attributes:
        order: text of the order with placeholders: `{card}`, `{cards}`, `{zone}`, `{number}`,
            `{name}`, `{many}` (the cards of a phase), `{beaten}` (the second card), `{skip}` (a
            skip), `{fit}` (any other card) and `{group}` (a group named by rank: `tens`).
        must: alternative phrases. One word from each group of an alternative is required.
        may: optional words.
        cards: number of cards that are named.
        is_sure: True if a card must be named with its suit or colour, or with an article.
    """

    order: str
    must: tuple[tuple[frozenset[str], ...], ...]
    may: frozenset[str]
    cards: int
    is_sure: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """Return all words that can occur in this order."""
        return self.may.union(*(group for way in self.must for group in way))

    @cached_property
    def slots(self) -> frozenset[str]:
        """Return the names of the placeholders in the order."""
        return frozenset(re.findall(r"\{(\w+)\}", self.order))


class Rows:
    """The phrases for a game's orders in the languages of a lexicon."""

    def __init__(self, rows: str, lexicon: Lexicon) -> None:
        """Parse rows: an order, and for each language `must a/b, or must c d/e | may`.

        A word in capital letters means all words of that category in the lexicon. `-` means no word.
        """
        self.lexicon = lexicon
        self.rows = tuple(
            _row(order, phrase[code], lexicon)
            for order, phrase in parted(rows)
            for code in lexicon.codes
            if code in phrase
        )
        self.vocabulary = lexicon.words(*_CARD_KINDS, *_COMMON).union(
            *(row.words for row in self.rows)
        )

    def unknown(self, tokens: Sequence[str], names: frozenset[str]) -> list[str]:
        """Return the words that cannot occur in any order of this game."""
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
        """Return all orders that the words match. More than one result is ambiguous.

        Args:
            tokens: result of `Lexicon.tokens`. All words must be known.
            by_name: player names by the word that refers to them.
        """
        return {order for _, order in self.fitting(tokens, by_name)}

    def fitting(
        self, tokens: Sequence[str], by_name: Mapping[str, str]
    ) -> Iterator[tuple[Row, str]]:
        """Yield the rows that the words match, each with its order (see `orders_of`)."""
        for row in self.rows:
            order = _fits(row, tokens, self.lexicon, by_name)
            if order is not None:
                yield row, order


def _row(order: str, phrase: str, lexicon: Lexicon) -> Row:
    def known(words: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(
            *(lexicon[word] if word.isupper() else {word} for word in words)
        )

    must, _, may = phrase.partition("|")
    ways = tuple(
        tuple(known(group.split("/")) for group in way.split() if group != "-")
        for way in must.split(",")
    )
    cards = next((size for slot, size in _SIZES.items() if slot in order), 0)
    return Row(order.rstrip("!"), ways, known(may.split()), cards, is_sure=order.endswith("!"))


@dataclass(slots=True)
class _Line:
    """The cards, zones, names and numbers found in a line."""

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
    """Return the order of a row if these words match it completely."""
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
        "many": [cards] if count >= row.cards == _MIN_OF_A_PHASE else [],
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
    # `nicht setzen` means check, but `nicht schieben` does not
    denied = line.said & lexicon["deny"].keys()
    if not any(denied <= frozenset().union(*way) for way in ways):
        return None
    return row.order.format(**filled)


def _named(
    row: Row, tokens: Sequence[str], lexicon: Lexicon, by_name: Mapping[str, str]
) -> _Line | None:
    """Group words by what they name. Return None if a word does not belong to this order."""
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
        if "group" in slots and word[-1:] == "s" and word[:-1] in GROUPS:
            line.groups.append(GROUPS[word[:-1]])
        elif size:
            line.cards.append(card)
            line.is_sure &= (not card.isdigit() and (len(card) > 1 or card in "WS")) or (
                index > 0 and tokens[index - 1] in articles
            )
            index += size - 1
        elif "group" in slots and word in several:
            line.groups.append(GROUPS[several[word]])
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


GROUPS: Final[Mapping[str, str]] = {
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
"""Names for groups of cards in the rules, by rank."""


def card_at(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card or cards at the start of the words, and the number of words that name them."""
    several = lexicon["several"].get(tokens[0])
    return (several, 1) if several else _card(tokens, lexicon)


def _some_cards(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card or counted cards at the start of the words, and the number of words used."""
    several = lexicon["several"]
    if several.get(tokens[0]) in ("W", "S") and not tokens[0].startswith("joker"):
        return several[tokens[0]], 1
    count = lexicon["count"].get(tokens[0])
    if count and tokens[1:2] and tokens[1] in several:
        rank = several[tokens[1]]
        return (f"all {rank}" if count == "all" else " ".join([rank] * int(count))), 2
    return _card(tokens, lexicon)


def _card(tokens: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the card at the start of the words, and the number of words that name it."""
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
    """Return the rank that a word names, or an empty text."""
    return word if word in _NUMBERS else lexicon["rank"].get(word, "")


def names_a_thing(tokens: Iterable[str], lexicon: Lexicon) -> bool:
    """True if words name a card, a part of a card name, a pile, or a position at the table."""
    things = lexicon.words("rank", "several", "suit", "colour", "zone", "thing")
    return any(word.isdigit() or word in things or _CODE.fullmatch(word) for word in tokens)

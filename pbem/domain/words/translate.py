"""Translate orders from other languages into English.

English is always understood, and the player's language in addition. Its words are in a table
(`TABLES`). A line is translated as a whole, and unknown words are kept. The result is only an order
if it is one in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import ModuleType
from typing import Final

from engine.api import AnyRuleset
from engine.reading.lexicon import Lexicon, folded_words
from engine.reading.slots import GROUPS
from pbem.domain.terms.conditions import TableVocabulary, read_conditions
from pbem.domain.terms.seats import with_seats, with_seats_behind
from pbem.domain.words import de, en
from pbem.domain.words.forms import Spelling
from pbem.games.lexicons import lexicon
from pbem.games.profile import all_profiles

TABLES: dict[str, ModuleType] = {"de": de}
"""Modules with the words of a language, by language code. English needs no translation."""

_CARD = re.compile(r"(?<![\w.@])(10|[2-9JQKA])([cdhs])(?!\w)")
_SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü"}
_LETTERS = re.compile(r"[^\W\d_]+")
_LISTED = re.compile(r"[0-9]{2,3}")
_NUMBER_FIRST = re.compile(r"(#?\d{2,6}[.:)]?)\s+(\S.*)")
_EDGES = " \t.,!"
_SHORTEST_NEAR = 4
_MAX_WORDS_NEAR = 8
_LONGEST = 200
"""Maximum length of an order without free text."""


@dataclass(frozen=True, eq=False)
class _Orders:
    """The compiled tables of a language."""

    language: str
    table: ModuleType
    lexicon: Lexicon

    @cached_property
    def cards(self) -> re.Pattern[str]:
        """Return a pattern of a suit and a rank, in either order: `Herz Dame`, `Dame von Herz`."""
        suits, ranks = (
            re.sub("[aou]e", lambda vowel: f"(?:{vowel[0]}|{_UMLAUTS[vowel[0]]})", words)
            for words in ("|".join(self.lexicon["suit"]), "|".join(self._ranks))
        )
        return re.compile(
            rf"\b(?:(?P<s>{suits})[\s-]*(?P<r>{ranks})(?:[ns]|es)?"
            rf"|(?P<r2>{ranks})[\s-]+(?:(?:in|von)\s+)?(?P<s2>{suits}))\b",
            re.IGNORECASE,
        )

    @cached_property
    def _ranks(self) -> Mapping[str, str]:
        """Return the ranks by word, the longest first. Single letters are too ambiguous."""
        ranks = {**self.lexicon["rank"], **{str(number): str(number) for number in range(2, 11)}}
        return {
            word: ranks[word] for word in sorted(ranks, key=len, reverse=True) if _is_word(word)
        }

    @cached_property
    def english(self) -> Mapping[str, str]:
        """Return the English of the words after a verb."""
        found = {**self.lexicon["zone"], **self.lexicon["rank"]}
        for kind, names in (("suit", _SUITS), ("colour", _COLOURS), ("several", GROUPS)):
            found |= {
                word: names[value] for word, value in self.lexicon[kind].items() if value in names
            }
        motions = {folded_words(word): english for word, english in self.table.MOTIONS.items()}
        found |= {**self.lexicon["english"], **motions}
        return {word: english for word, english in found.items() if _is_word(word)}

    @cached_property
    def forms(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(form, re.IGNORECASE), said) for form, said in self.table.FORMS]

    @cached_property
    def phrases(self) -> list[tuple[re.Pattern[str], str]]:
        return [
            (re.compile(rf"\b(?:{form})", re.IGNORECASE), said) for form, said in self.table.PHRASES
        ]

    @cached_property
    def said(self) -> Mapping[str, str]:
        brought = (profile.shown.get(self.language, {}) for profile in all_profiles().values())
        return {word: said for words in (*brought, self.table.SAID) for word, said in words.items()}

    @cached_property
    def said_forms(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(form), said) for form, said in self.table.SAID_FORMS]

    @cached_property
    def games(self) -> dict[str, list[tuple[re.Pattern[str], str]]]:
        return {
            name: [(re.compile(form, re.IGNORECASE), said) for form, said in forms]
            for name, profile in all_profiles().items()
            for forms in [profile.forms.get(self.language, ())]
        }

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """Return the words that can begin an order, or that are an order."""
        lines = (line for line in self.table.LINES if " " not in line)
        ranks = self._ranks.keys() - self.lexicon["english"].keys()
        return self.lexicon.words("begins", "suit").union(map(folded_words, lines), ranks)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return every word that can occur in an order."""
        return self.beginnings.union(self.english)

    @cached_property
    def spelling(self) -> Spelling:
        """Return the vocabulary as an index for mistyped words."""
        return Spelling(self.vocabulary, _SHORTEST_NEAR)

    def words(self, text: str) -> str:
        """Translate the words after a verb, word by word."""
        for pattern, english in self.phrases:
            text = pattern.sub(english, text)
        text = self.cards.sub(
            lambda found: (
                self._ranks[folded_words(found["r"] or found["r2"])]
                + self.lexicon["suit"][folded_words(found["s"] or found["s2"])]
            ),
            text,
        )
        return re.sub(r"\s+", " ", _LETTERS.sub(self._word, text)).strip()

    def _word(self, found: re.Match[str]) -> str:
        word = folded_words(found[0])
        return "" if word in self.lexicon["dropped"] else self.english.get(word, found[0])

    @lru_cache(1024)  # noqa: B019  (there is one object for each language)
    def service(self, text: str) -> tuple[str, ...]:
        plain = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
        matches = ((form.fullmatch(text), said) for form, said in self.forms)
        filled = (self._filled(found, said) for found, said in matches if found is not None)
        return tuple(filter(None, (self.table.LINES.get(plain), *filled)))

    def game_orders(self, text: str, name: str) -> Iterator[str]:
        """Yield possible English translations of a line as an order for a game."""
        listed = self.lexicon["listed"]
        line = _LETTERS.sub(lambda word: listed.get(folded_words(word[0]), word[0]), text)
        if line != text and _LISTED.fullmatch(line):
            yield line
        for form, said in self.games.get(name, ()):
            if (found := form.fullmatch(line)) and (order := self._filled(found, said)):
                yield order

    def _filled(self, found: re.Match[str], said: str) -> str | None:
        """Fill an English order with the groups of a match, or return None if a group is lost."""
        groups = {name: text or "" for name, text in found.groupdict().items()}
        greets = folded_words(groups.get("greeting", "")).split()[:1]
        if greets and greets[0] not in self.lexicon["wishes"]:
            return None  # other words may be an addressee: `sag Bob …`, `sag den anderen …`
        words = {
            name: self.words(text) for name, text in groups.items() if name.startswith("words")
        }
        if any(groups[name] and not text for name, text in words.items()):
            return None
        return said.format(**{**groups, **words, "words": next(filter(None, words.values()), "")})


@cache
def _orders(language: str) -> _Orders | None:
    table = TABLES.get(language)
    words = lexicon(language)
    return None if table is None or words is None else _Orders(language, table, words)


def in_english(
    text: str, language: str, rulesets: Sequence[AnyRuleset], names: Sequence[str] = ()
) -> Iterator[str]:
    """Yield possible English translations of a line, which are parsed like the original.

    Args:
        text: one line.
        language: the player's language.
        rulesets: rulesets whose orders are known.
        names: the players' names by seat. They are replaced by seat numbers.
    """
    orders = _orders(language)
    if orders is None or (len(text) > _LONGEST and not orders.table.OWN_TEXT.match(text)):
        return
    bare = text.strip(_EDGES)
    yield from (said for said in orders.service(text.strip()) if said.startswith("say"))
    yield from orders.service(bare)
    if len(text) > _LONGEST:
        return
    word, _, order = bare.partition(" ")
    before = orders.table.BEFORE_ORDERS.get(word.lower().rstrip(":"))
    if before is not None and order:
        for english in (order, *in_english(order, language, rulesets, names)):
            yield f"{before} {english}"
    yield from moves_in_english(bare, language, rulesets, names)


def moves_in_english(
    text: str, language: str, rulesets: Sequence[AnyRuleset], names: Sequence[str] = ()
) -> Iterator[str]:
    """Yield possible English translations of a move. The arguments are as in `in_english`."""
    orders = _orders(language)
    if orders is None or len(text) > _LONGEST:
        return
    bare = text.strip(_EDGES)
    numbered = _NUMBER_FIRST.fullmatch(bare)
    number, rest = (f"{numbered[1]} ", numbered[2]) if numbered else ("", bare)
    parts = re.split(rf"\s+{orders.table.OR}\s+", rest, flags=re.IGNORECASE)
    for rules in rulesets:
        if len(parts) == 1:
            for order in dict.fromkeys(orders.game_orders(rest, rules.id.name)):
                yield number + order
            if number:
                yield from dict.fromkeys(orders.game_orders(bare, rules.id.name))
            continue
        if orders.lexicon["begins"].keys().isdisjoint(folded_words(parts[0]).split()):
            continue  # "the queen or the king" asks
        said = [_in_game_words(orders, part, rules) for part in parts]
        if any(part is not None for part in said):
            whole = " or ".join(
                part if ours is None else ours for part, ours in zip(parts, said, strict=True)
            )
            yield number + whole
    if rulesets and names:
        seats = with_seats_behind(bare, names, orders.lexicon["before"], orders.table.OWNED)
        if seats != bare:
            yield seats
            yield from moves_in_english(seats, language, rulesets)


def _in_game_words(orders: _Orders, part: str, rules: AnyRuleset) -> str | None:
    """Return the first translation that is an order, or any translation, or None."""
    said = list(dict.fromkeys(orders.game_orders(part, rules.id.name)))
    return next(filter(rules.reads_as_order, said), said[0] if said else None)


def words_in_english(text: str, language: str) -> str:
    """Translate words that follow a verb, such as cards. Unknown words are kept."""
    orders = _orders(language)
    return text if orders is None else orders.words(text)


def shown_order(order: str, language: str) -> str:
    """Translate an order from English for display, e.g. `play 5d` into `spiele 5♦`.

    Talk is not translated.
    """
    orders = _orders(language)
    if orders is None:
        return order
    lines, verb = orders.table.LINES, order.partition(" ")[0].rstrip(":")
    if lines.get(verb, verb) == "say":
        return order
    whole = said_as(order, language)
    if whole != order:
        return whole
    said = orders.said
    for form, words in orders.said_forms:
        order = form.sub(words, order)
    order = _CARD.sub(lambda found: found[1] + _SUIT_SIGNS[found[2]], order)
    return re.sub(r"\b[a-z]+\b", lambda found: said.get(found[0], found[0]), order)


def said_as(order: str, language: str) -> str:
    """Translate a complete order to the service from English, or return it unchanged."""
    table = TABLES.get(language)
    lines = {} if table is None else table.LINES
    return next((said for said, english in lines.items() if english == order), order)


def nearly(text: str, language: str, rulesets: Sequence[AnyRuleset]) -> str | None:
    """Correct typing mistakes in a line. Returns None if the result is not an order."""
    orders = _orders(language)
    if orders is None or len(text) > _LONGEST:
        return None
    words = text.strip(_EDGES).split()
    if len(words) > _MAX_WORDS_NEAR:
        return None
    right = " ".join(_nearest(word, orders) for word in words)
    if right == " ".join(words) or not any(True for _ in in_english(right, language, rulesets)):
        return None
    return right


def _is_word(word: str) -> bool:
    return len(word) > 1 or word.isdigit()


def _nearest(word: str, orders: _Orders) -> str:
    bare = folded_words(word)
    near = bare if bare in orders.lexicon["of_talk"] else orders.spelling.nearest(bare)
    return word if near == bare else near


def order_words(rules: AnyRuleset) -> frozenset[str]:
    """Return the words of all languages that occur in orders to a game or the service."""
    found: set[str] = set()
    for language in TABLES:
        orders = _orders(language)
        if orders is not None:
            meant = (word for word, said in orders.english.items() if said in rules.order_words)
            found |= {*orders.beginnings, *map(folded_words, orders.table.LINES), *meant}
    return frozenset(found)


@cache
def order_beginnings() -> frozenset[str]:
    """Return the words that can begin an order in any language except English."""
    found = [_orders(language) for language in TABLES]
    return frozenset().union(*(orders.beginnings for orders in found if orders is not None))


_LONGEST_STANDING = 300
_MAX_WORDS = 40
_MAX_NAMES = 4
_STANDING_EDGES = " \t,.:;"


def next_in_english(
    text: str, language: str, rules: AnyRuleset, vocabulary: TableVocabulary
) -> str | None:
    """Translate the text after `next:`; None if some of it means nothing."""
    table = TABLES.get(language)
    if table is None or len(text) > _LONGEST_STANDING or len(text.split()) > _MAX_WORDS:
        return None
    joints = rf"\s*,?\s+(?:{table.OR}|or|{table.OTHERWISE}|otherwise|else)\s+"
    parts = [
        _alternative(part.strip(_STANDING_EDGES), table, language, rules, vocabulary)
        for part in re.split(joints, text, flags=re.IGNORECASE)
    ]
    read = [part for part in parts if part is not None]
    return " or ".join(read) if len(read) == len(parts) else None


def drawing_in_english(text: str, language: str) -> str | None:
    """Translate the text after `drawing:` as far as its words are known."""
    table = TABLES.get(language)
    if table is None or len(text) > _LONGEST_STANDING:
        return None
    return _pieces(" ".join(text.split()).strip(_STANDING_EDGES), table.DRAWING, language)


def _alternative(
    part: str, table: ModuleType, language: str, rules: AnyRuleset, vocabulary: TableVocabulary
) -> str | None:
    first = re.match(rf"(?:{table.IF}|if)\s+", part, re.IGNORECASE)
    last = re.search(rf"[\s,]+(?:{table.IF}|if)\s+", part, re.IGNORECASE)
    if first is not None:
        words = part[first.end() :].split()
        for at in range(len(words) - 1, 0, -1):
            conditions = _conditions(" ".join(words[:at]), table, language, vocabulary)
            is_led = words[at].lower().strip(_STANDING_EDGES) in (table.THEN, "then")
            then = words[at + is_led :]
            order = None if conditions is None else _order(then, language, rules, vocabulary.names)
            if order is not None:
                return f"if {conditions} {order}"
        return None
    if last is not None:
        conditions = _conditions(part[last.end() :], table, language, vocabulary)
        order = _order(part[: last.start()].split(), language, rules, vocabulary.names)
        return None if conditions is None or order is None else f"{order} if {conditions}"
    return _order(part.split(), language, rules, vocabulary.names)


def _order(
    words: Sequence[str], language: str, rules: AnyRuleset, names: Sequence[str]
) -> str | None:
    text = " ".join(words).strip(_STANDING_EDGES)
    said = (text, *in_english(text, language, [rules], names))
    orders = (one for one in said if one and rules.reads_as_order(with_seats(one, [rules], names)))
    return next(orders, None)


def _conditions(
    text: str, table: ModuleType, language: str, vocabulary: TableVocabulary
) -> str | None:
    """Translate conditions; None unless all of them can be read."""
    parts = re.split(
        rf"\s+(?:{table.AND}|and)\s+", text.strip(_STANDING_EDGES), flags=re.IGNORECASE
    )
    read = [_condition(part.strip(_STANDING_EDGES), table, language, vocabulary) for part in parts]
    found = [one for one in read if one is not None]
    return " and ".join(found) if len(found) == len(read) else None


def _condition(
    text: str, table: ModuleType, language: str, vocabulary: TableVocabulary
) -> str | None:
    """Translate one condition, whose verb can come last; None if it cannot be read."""
    bare = re.sub(rf"\s+{table.VERB_LAST}\Z", "", text, flags=re.IGNORECASE)
    words = bare.split()
    said = [_pieces(one, table.CONDITIONS, language) for one in (text, bare)]
    for count in range(1, min(len(words), _MAX_NAMES)):  # "Bob 1 Karte hat", "oben ein Ass ist"
        who, what = " ".join(words[:count]), " ".join(words[count:])
        subject, value = (_pieces(one, table.CONDITIONS, language) for one in (who, what))
        said += [f"{who} has {value}", f"{subject} have {value}", f"{subject} is {value}"]
    for one in said:
        found = read_conditions(one, vocabulary)
        if found is not None and not found[1]:
            return one
    return None


def shown_standing(text: str, language: str) -> str:
    """Translate a standing order such as `if top <= 9 play 9 or pickup` from English for display.

    The parser understands the translation.
    """
    table = TABLES.get(language)
    return text if table is None else _pieces(text, table.STANDING, language, shown_order)


def _pieces(
    text: str,
    forms: Sequence[tuple[str, str]],
    language: str,
    of_word: Callable[[str, str], str] = words_in_english,
) -> str:
    """Translate a text from left to right, by the first matching form or else by single words."""
    said: list[str] = []
    rest = text
    while rest:
        for form, english in _compiled(tuple(forms)):
            found = form.match(rest)
            if found is not None:
                said.append(found.expand(english))
                break
        else:
            found = re.match(r"[^\s,;:]+|[,;:]", rest)
            if found is None:
                break
            said.append(of_word(found[0], language))
        rest = rest[found.end() :].lstrip()
    return re.sub(r"\s+([,;:])", r"\1", " ".join(filter(None, said)))


@cache
def _compiled(forms: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"(?:{form})(?![\w])", re.IGNORECASE), english) for form, english in forms]


REPLY_MARKER_BY_LANGUAGE: Final[dict[str, str]] = {
    "en": en.REPLY_MARKER,
    **{code: table.REPLY_MARKER for code, table in TABLES.items()},
}
"""Reply markers by language code. `en` is the fallback for other languages."""

_FORMER: Final[tuple[str, ...]] = (
    "-- Reply above this line, or between the lines. --",
    "-- Antworte über dieser Zeile oder zwischen den Zeilen. --",
    "-- Schreib in deiner Antwort über diese Zeile. --",
    "--- Please write your answer above this line ---",
)

REPLY_MARKERS: Final[tuple[str, ...]] = (*REPLY_MARKER_BY_LANGUAGE.values(), *_FORMER)
"""All markers that our messages have ever contained, for the parsing of replies."""


def reply_marker(language: str) -> str:
    """Return the marker for a code such as `de` or `de-AT`. The fallback is English."""
    code = language.replace("_", "-").split("-", 1)[0].lower()
    return REPLY_MARKER_BY_LANGUAGE.get(code, REPLY_MARKER_BY_LANGUAGE["en"])

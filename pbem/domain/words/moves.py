"""Moves in everyday words: `down goes the seven`, `dann hau die Sieben raus`.

`engine.reading` matches the words of a line with the patterns of a game. This module decides which
lines are eligible for that, and corrects typing slips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import dropwhile
from typing import Final

from engine import registry
from engine.api import AnyRuleset
from engine.reading import slots
from engine.reading.lexicon import Lexicon, folded_words
from engine.reading.slots import Rows
from pbem.domain.words.forms import Spelling
from pbem.games.lexicons import lexicons, spoken
from pbem.games.profile import profile_of
from pbem.language import SOURCE

_LONGEST: Final = 100
_MAX_WORDS: Final = 16
_ALLOWED: Final = re.compile(r"[\w\s.,:;!+&'’´`\-–—…♣♦♥♠\ufe0e\ufe0f]+")
_HEADED: Final = re.compile(r"\d+\.\s+[^\W\d]")
"""Beginning of a heading: `4. Tricks`."""
_HITS: Final = frozenset(["hit", "add", "attach"])
_SHORTEST: Final = 5
"""Minimum number of letters of a word in which a typing slip is corrected."""


@cache
def rows_of(game: str, words: Lexicon) -> Rows:
    """Return a game's order patterns in the languages of a lexicon."""
    return Rows(profile_of(game).everyday_rows, words)


def without_times(text: str, language: str) -> str:
    """Return a line in lower case, with durations and times of day replaced by `x`."""
    return spoken(language).times.sub(" x ", text.casefold())


def names_a_thing(text: str, language: str) -> bool:
    """True if a text names a card, a suit or rank, a pile, or a location on the table."""
    words = spoken(language)
    return slots.names_a_thing(words.fold(text).split(), words)


def move_in(text: str, game: str, language: str, names: Sequence[str] = ()) -> Iterator[str]:
    """Translate a move in everyday words into an order, in each language that has all its words.

    A move in words of two languages is none, because a word may mean something else in the other:
    `bin` is a verb of a discard in English only.

    Lines that ask another player to move are not translated: `Bob, throw the eight!`

    Args:
        text: one line.
        game: name of the ruleset.
        language: the player's language, which is understood in addition to English.
        names: names of the players at the table.
    """
    if len(text) > _LONGEST or _ALLOWED.fullmatch(text) is None or _HEADED.match(text):
        return
    for words in lexicons(SOURCE, language):
        rows, line = rows_of(game, words), words.fold(text)
        if " " not in line:
            continue
        tokens, unknown, by_name = tokens_in(text, rows, names)
        bare = words.without_asides(line)
        if bare and bare != line:
            yield bare
        if len(tokens) <= _MAX_WORDS and not unknown and not _tells(tokens, words, by_name):
            orders = rows.orders_of(tokens, by_name)
            yield from orders if len(orders) == 1 else ()


def may_order(
    text: str, rulesets: Sequence[AnyRuleset], language: str, names: Sequence[str]
) -> bool:
    """True if at most one word of a line is unknown in a game."""
    words, people = spoken(language), _people(tuple(names))[1]
    unknown = [
        word
        for word in words.words_in(text)
        if word not in words.vocabulary and word not in people and not any(map(str.isdigit, word))
    ]
    return any(
        sum(word not in _of_game(rules.id.name, words) for word in unknown) <= 1
        for rules in rulesets
    )


@cache
def _of_game(game: str, words: Lexicon) -> frozenset[str]:
    """Return the words of a game's orders."""
    return rows_of(game, words).vocabulary.union(registry.find(game).order_words)


def tokens_in(
    text: str, rows: Rows, names: Sequence[str]
) -> tuple[Sequence[str], list[str], Mapping[str, str]]:
    """Return the words of a line, the unknown ones among them, and the player names by their words.

    If only one word is unknown, a typing slip in it is corrected.
    """
    by_name, people = _people(tuple(names))
    line = rows.lexicon.fold(text)
    tokens = rows.lexicon.tokens(line)[: _MAX_WORDS + 1]
    unknown = rows.unknown(tokens, people)
    meant = _spelling(rows).slipped(unknown[0]) if len(unknown) == 1 else None
    if meant is not None:
        tokens = rows.lexicon.tokens(re.sub(rf"\b{unknown[0]}\b", meant, line))[: _MAX_WORDS + 1]
        unknown = rows.unknown(tokens, people)
    return tokens, unknown, by_name


def _tells(tokens: Sequence[str], words: Lexicon, by_name: Mapping[str, str]) -> bool:
    """True if a line asks another player to do something: `hey Bob throw the eight`."""
    who, *does = [*dropwhile(words["filler"].__contains__, tokens), ""]
    verbs = _HITS | words.words("PUT", "RID")
    return who in by_name and not verbs.isdisjoint(does[:1])


@lru_cache
def _people(names: tuple[str, ...]) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return player names by folded name, and the set of all folded names and their genitives."""
    by_name = {folded_words(name): name for name in names}
    return by_name, frozenset({*by_name, *(f"{name}s" for name in by_name)})


@cache
def _spelling(rows: Rows) -> Spelling:
    return Spelling(rows.vocabulary, _SHORTEST)

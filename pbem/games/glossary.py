"""Words that the rules of a game explain, in every language, for `help god`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.reading.lexicon import folded_words

_RULE_ID = re.compile(r"([a-z][a-z0-9]{2})[\s-]?(v?\d{1,2})", re.IGNORECASE)
CODE = re.compile(r"\b[A-Z][A-Z0-9]{2}-V?\d+")
"""A rule id as in rules texts."""
_OF_ALL_GAMES = "GEN"


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a game that its rules explain.

    Attributes:
        words: names of the term in any language, as returned by `folded_words`.
        rules: IDs of the rules that explain it. A star stands for the whole chapter.
    """

    words: tuple[str, ...]
    rules: tuple[str, ...]


def terms(table: str) -> tuple[Term, ...]:
    """Parse a table whose lines contain the words, a bar and the rule ids."""
    parted = (line.split(" | ") for line in table.strip().splitlines())
    return tuple(Term(tuple(words.split("; ")), tuple(rules.split())) for words, rules in parted)


def find(topic: str, known: Iterable[Term], *, whole: bool = False) -> Term | None:
    """Return the term that a topic contains, or the longest one if there are several.

    Args:
        topic: a term, or a text that contains one.
        known: the terms of a game.
        whole: True to require that the topic consists only of the term.
    """
    padded, known = f" {folded_words(topic)} ", tuple(known)
    entries = [
        (len(word), term)
        for term in known
        for word in term.words
        if (padded == f" {word} " if whole else f" {word} " in padded)
    ]
    if entries:
        return max(entries, key=lambda one: one[0])[1]
    named = _RULE_ID.fullmatch(topic.strip(" .!?"))
    if named is None:
        return None
    prefix, number = named[1].upper(), named[2].upper()
    prefixes = {_OF_ALL_GAMES, *(rule[:3] for term in known for rule in term.rules)}
    return Term((), (f"{prefix}-{number}",)) if prefix in prefixes else None

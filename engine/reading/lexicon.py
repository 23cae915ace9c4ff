"""Hold the words of one language, each with what it can mean in an order.

A lexicon is data: `Lexicon.read` parses its file, and a language needs nothing else. `fold` brings a
line into the form of its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

_WORD: Final = re.compile(r"\w+")
_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", **dict.fromkeys("'’`")})
_SUIT_SIGNS: Final = str.maketrans({"♣": "c ", "♦": "d ", "♥": "h ", "♠": "s "})
_NEVER: Final = re.compile(r"(?!)")
_NOTHING: Final[Mapping[str, str]] = {}


def folded_words(text: str) -> str:
    """Return the words of a text in lower case, without punctuation; umlauts as two letters."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(_WORD.findall(plain.casefold().translate(_LETTERS)))


@dataclass(frozen=True)
class Phrase:
    """Several words that are read as one word, or as none.

    Attributes:
        pattern: finds them in a folded line.
        meaning: what is read instead; it can repeat groups of the pattern.
    """

    pattern: re.Pattern[str]
    meaning: str

    @property
    def is_aside(self) -> bool:
        """True if the words add nothing, so that the rest may be in the words of the rules."""
        return not self.meaning or "\\" in self.meaning


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one language.

    Attributes:
        code: of the language.
        kinds: kind of word -> word -> what it means there; empty if the kind says it all.
        phrases: in the order in which they are replaced.
        compounds: finds words that are two: `Herzdame`.
        times: finds amounts and times of day in a line that is not folded.
        patterns: what else the file has, by section, for folded lines.
    """

    code: str
    kinds: Mapping[str, Mapping[str, str]]
    phrases: tuple[Phrase, ...]
    compounds: re.Pattern[str]
    times: re.Pattern[str]
    patterns: Mapping[str, re.Pattern[str]]

    @classmethod
    def read(cls, code: str, text: str) -> Lexicon:
        """Parse a file of words.

        A row `rank=2 count=2 : two` gives a word two kinds. Below a section such as `[phrases]` each
        row is a pattern, with its meaning behind ` =` for phrases.
        """
        kinds = defaultdict[str, dict[str, str]](dict)
        patterns = defaultdict[str, list[str]](list)
        section = ""
        for row in filter(None, (line.partition("# ")[0].strip() for line in text.splitlines())):
            if row.startswith("["):
                section = row.strip("[]")
            elif section:
                patterns[section].append(row)
            else:
                named, _, words = row.partition(" : ")
                for kind, _, meaning in (part.partition("=") for part in named.split()):
                    kinds[kind].update(dict.fromkeys(words.split(), meaning))
        phrases = (row.rpartition(" =") for row in patterns["phrases"])
        return cls(
            code,
            kinds,
            tuple(
                Phrase(re.compile(rf"\b(?:{said})\b"), word.strip()) for said, _, word in phrases
            ),
            _any(patterns["compounds"]),
            _any(patterns["times"]),
            {name: _any(rows) for name, rows in patterns.items()},
        )

    def __getitem__(self, kind: str) -> Mapping[str, str]:
        """Return the words of a kind, each with what it means."""
        return self.kinds.get(kind, _NOTHING)

    @lru_cache(256)  # noqa: B019
    def words(self, *kinds: str) -> frozenset[str]:
        """Return all words of some kinds."""
        return frozenset[str]().union(*(self[kind] for kind in kinds))

    def has(self, section: str, line: str) -> bool:
        """True if a folded line has something of a section of patterns."""
        return self.patterns.get(section, _NEVER).search(line) is not None

    @lru_cache(4096)  # noqa: B019  (there are few lexicons, and they stay)
    def fold(self, text: str) -> str:
        """Return the words of a line as the lexicon has them, `Herzdame` as two of them."""
        line = folded_words(text.translate(_SUIT_SIGNS))
        return self.compounds.sub(lambda match: " ".join(match.groups()), line)

    def phrases_in(self, line: str) -> tuple[Phrase, ...]:
        """Return the phrases if a folded line has one. Most lines have none and are searched once."""
        return self.phrases if self._any_phrase.search(line) else ()

    def without_asides(self, line: str) -> str:
        """Return a folded line without the phrases that add nothing."""
        for phrase in self.phrases_in(line):
            if phrase.is_aside:
                line = phrase.pattern.sub(phrase.meaning, line)
        return " ".join(line.split())

    @lru_cache(4096)  # noqa: B019
    def tokens(self, line: str) -> tuple[str, ...]:
        """Split a folded line into words, with one word for each phrase that it has."""
        for phrase in self.phrases_in(line):
            line = phrase.pattern.sub(phrase.meaning, line)
        return tuple(line.split())

    @lru_cache(64)  # noqa: B019
    def silence(self, *kinds: str) -> re.Pattern[str]:
        """Return what finds the phrases that mean nothing, or a word of some kinds."""
        words = {"", *self.words(*kinds)}
        patterns = [one.pattern.pattern for one in self.phrases if one.meaning in words]
        return _any([pattern for pattern in patterns if "^" not in pattern])

    @cached_property
    def _any_phrase(self) -> re.Pattern[str]:
        return _any([phrase.pattern.pattern for phrase in self.phrases])


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns)) if patterns else _NEVER


def parted(rows: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Parse rows of orders: an order, and below it, indented, `code | …` for each language."""
    order, said = "", dict[str, str]()
    for line in [*rows.strip("\n").splitlines(), "end"]:
        if line[:1].isspace():
            code, _, words = line.strip().partition(" | ")
            said[code] = words
        elif line:
            if order:
                yield order, said
            order, said = line.strip(), {}

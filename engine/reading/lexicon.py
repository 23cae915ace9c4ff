"""The words of one language, with their possible meanings in an order.

A language consists only of a file, which `Lexicon.read` parses. `fold` normalises a line to the
words of the lexicon.
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
_GROUP: Final = 12
"""Number of phrases that are searched together."""
_NEVER: Final = re.compile(r"(?!)")
_NOTHING: Final[Mapping[str, str]] = {}


@lru_cache(4096)  # several lexicons fold the same line
def folded_words(text: str) -> str:
    """Return the lower-case words of a text without punctuation. Umlauts become two letters."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(_WORD.findall(plain.casefold().translate(_LETTERS)))


@dataclass(frozen=True)
class Phrase:
    """Several words that are replaced by one word, or removed.

    Attributes:
        pattern: matches the words in a folded line.
        meaning: the replacement, which can refer to groups of the pattern.
    """

    pattern: re.Pattern[str]
    meaning: str

    @property
    def is_aside(self) -> bool:
        """True if the words add no meaning, so that the rest may be an order."""
        return not self.meaning or "\\" in self.meaning


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one or more languages.

    Attributes:
        codes: codes of the languages.
        kinds: maps a category to its words, and each word to its value. The value is empty if the
            category is sufficient.
        phrases: phrases in the order in which they are replaced.
        compounds: matches words that consist of two words, such as `Herzdame`.
        times: matches amounts and times of day in a line that is not folded.
        patterns: other patterns of the file for folded lines, by section.
    """

    codes: tuple[str, ...]
    kinds: Mapping[str, Mapping[str, str]]
    phrases: tuple[Phrase, ...]
    compounds: re.Pattern[str]
    times: re.Pattern[str]
    patterns: Mapping[str, re.Pattern[str]]

    @classmethod
    def read(cls, text: str, *codes: str) -> Lexicon:
        """Parse the files of languages, which are joined by lines that contain only `[]`.

        A row such as `rank=2 count=2 : two` assigns two categories to a word. In sections such as
        `[phrases]`, each row is a pattern. For phrases, the replacement follows after ` =`.
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
                for kind, _, meaning in (entry.partition("=") for entry in named.split()):
                    kinds[kind].update(dict.fromkeys(words.split(), meaning))
        phrases = (row.rpartition(" =") for row in patterns["phrases"])
        return cls(
            codes,
            kinds,
            tuple(
                Phrase(re.compile(rf"\b(?:{pattern})\b"), word.strip())
                for pattern, _, word in phrases
            ),
            _any(patterns["compounds"]),
            _any(patterns["times"]),
            {name: _any(rows) for name, rows in patterns.items()},
        )

    def __getitem__(self, kind: str) -> Mapping[str, str]:
        """Return the words of a category with their values."""
        return self.kinds.get(kind, _NOTHING)

    @lru_cache(256)  # noqa: B019
    def words(self, *kinds: str) -> frozenset[str]:
        """Return all words of several categories."""
        return frozenset[str]().union(*(self[kind] for kind in kinds))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return all words."""
        return frozenset[str]().union(*self.kinds.values())

    def has(self, section: str, line: str) -> bool:
        """True if a folded line matches a pattern of the section."""
        return self.patterns.get(section, _NEVER).search(line) is not None

    @lru_cache(4096)  # noqa: B019  (there are few lexicons, and they are never freed)
    def fold(self, text: str) -> str:
        """Return the words of a line as the lexicon contains them. `Herzdame` becomes two words."""
        line = folded_words(text.translate(_SUIT_SIGNS))
        return self.compounds.sub(lambda match: " ".join(match.groups()), line)

    def without_asides(self, line: str) -> str:
        """Return a folded line without phrases that add no meaning."""
        return " ".join(self._replaced(line, only_asides=True).split())

    @lru_cache(4096)  # noqa: B019
    def tokens(self, line: str) -> tuple[str, ...]:
        """Split a folded line into words. Each phrase becomes one word."""
        return tuple(self._replaced(line, only_asides=False).split())

    def _replaced(self, line: str, *, only_asides: bool) -> str:
        """Replace phrases in their order. Most groups of phrases need only one search."""
        for pattern, phrases in self._groups:
            if pattern.search(line):
                for phrase in phrases:
                    if phrase.is_aside or not only_asides:
                        line = phrase.pattern.sub(phrase.meaning, line)
        return line

    def words_in(self, text: str) -> tuple[str, ...]:
        """Return the words of a line that is not folded. Each phrase becomes one word."""
        return self.tokens(self.fold(text))

    def says(self, text: str, *kinds: str) -> bool:
        """True if a line that is not folded contains a word of one of these categories."""
        return not self.words(*kinds).isdisjoint(self.words_in(text))

    @lru_cache(64)  # noqa: B019
    def silence(self, *kinds: str) -> re.Pattern[str]:
        """Return a pattern that matches phrases for words of these categories.

        The category `""` has the phrases without meaning.
        """
        words = self.words(*kinds).union({""}.intersection(kinds))
        patterns = [phrase.pattern.pattern for phrase in self.phrases if phrase.meaning in words]
        return _any([pattern for pattern in patterns if "^" not in pattern])

    @cached_property
    def _groups(self) -> list[tuple[re.Pattern[str], tuple[Phrase, ...]]]:
        starts = range(0, len(self.phrases), _GROUP)
        groups = [self.phrases[start : start + _GROUP] for start in starts]
        return [(_any([one.pattern.pattern for one in group]), group) for group in groups]


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns)) if patterns else _NEVER


def parted(rows: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Parse rows of orders: each order is followed by indented lines `code | …`, one per language."""
    order, phrases = "", dict[str, str]()
    for line in [*rows.strip("\n").splitlines(), "end"]:
        if line[:1].isspace():
            code, _, words = line.strip().partition(" | ")
            phrases[code] = words
        elif line:
            if order:
                yield order, phrases
            order, phrases = line.strip(), {}

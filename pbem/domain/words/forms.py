"""Properties of an order word and patterns of its arguments. The words are in `service_words`."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from engine.orders import typing_distance
from pbem.domain.terms.dates import read_days
from pbem.durations import parse_duration
from pbem.games import glossary
from pbem.games.profile import all_profiles
from pbem.sections import PingWord


class Spelling:
    """A set of known words that finds the word meant by a text with one typing mistake."""

    def __init__(self, words: Iterable[str], shortest: int = 6) -> None:
        """Index the words. Texts with fewer letters than `shortest` are not corrected."""
        self._known = frozenset(words)
        self._shortest = shortest
        # Two words that differ by one mistake are equal after removing at most one letter of each.
        # To save memory, the index has only hashes of the shortened words, and word numbers.
        self._words = tuple(word for word in self._known if len(word) >= shortest - 1)
        entries = sorted(
            (hash(short), number)
            for number, word in enumerate(self._words)
            for short in _without_a_letter(word)
        )
        self._hashes = array("q", (hashed for hashed, _ in entries))
        self._numbers = array("I", (number for _, number in entries))

    def nearest(self, word: str) -> str:
        """Return the known word that was probably meant, or the word itself."""
        return next(iter(self.near(word)), word)

    def near(self, word: str) -> list[str]:
        """Return the known words that differ by one mistake, sorted. Empty for a known word."""
        if word in self._known or not self._shortest <= len(word) <= _LONGEST or not word.isalpha():
            return []
        alike = {other for short in _without_a_letter(word) for other in self._with(hash(short))}
        return sorted(other for other in alike if typing_distance(word, other) == 1)

    def slipped(self, word: str) -> str | None:
        """Return the only known word from which a typing slip differs, or None.

        Slips are swapped, doubled and undoubled letters. With other differences it may be another
        word, as in `würde` and `werde`, or another ending, as in `spielt` and `spiele`.
        """
        near = [
            candidate
            for candidate in self.near(word)
            if (candidate[0], candidate[-1]) == (word[0], word[-1])
            and (
                sorted(candidate) == sorted(word)
                or _TWICE.sub("", candidate) == _TWICE.sub("", word)
            )
        ]
        return near[0] if len(near) == 1 else None

    def _with(self, hashed: int) -> Iterator[str]:
        """Yield the words that have this hash, either complete or without one letter."""
        index = bisect_left(self._hashes, hashed)
        while index < len(self._hashes) and self._hashes[index] == hashed:
            yield self._words[self._numbers[index]]
            index += 1


_LONGEST = 24
_TWICE = re.compile(r"(.)(?=\1)")


def _without_a_letter(word: str) -> set[str]:
    """Return a word, and every text that results from removing one of its letters."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def _kept(text: str) -> str:
    return text


def lower(text: str) -> str:
    """Return an argument in lower case."""
    return text.lower()


def days(text: str) -> str | None:
    """Return an argument if it is a range of days, or None."""
    return None if read_days(text) is None else text


def duration(text: str) -> str | None:
    """Return an argument if it is a duration, or None."""
    try:
        parse_duration(text)
    except ValueError:
        return None
    return text


MORE = "more"
"""`help more` lists everything that a player can write."""


def topic(text: str) -> str | None:
    """Return an argument if it is `MORE`, a term of a game or a rule ID, or None."""
    if text.lower() == MORE:
        return MORE
    is_known = any(
        glossary.find(text, face_.terms, whole=True) for face_ in all_profiles().values()
    )
    return text if is_known else None


def ping_place(text: str) -> str | None:
    """Return an argument if it is a ping channel, a code or `off`, or None."""
    word = text.split(maxsplit=1)[0].lower().replace("web-hook", "webhook")
    return text if word.isdigit() or word in ("off", *get_args(PingWord)) else None


def card_style(text: str) -> str:
    """Return the canonical words for a way to show cards."""
    words = text.lower()
    if words[0] in "f4":
        return "four-colour"
    return {"big": "large", "in words": "words", "normal": "as usual"}.get(words, words)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of an order with an argument.

    Attributes:
        pattern: matches the whole line. Its only group is the argument.
        check: returns the effective argument, or None if the line is not this order.
        takes_line: True if the rest of the line is free text, including any `;`.
    """

    pattern: re.Pattern[str]
    check: Callable[[str], str | None] = _kept
    takes_line: bool = False


def form(pattern: str, check: Callable[[str], str | None] = _kept) -> Form:
    """Create a form from a pattern that ignores case and has the argument as its only group."""
    return Form(re.compile(pattern, re.IGNORECASE), check)


def text_form(pattern: str) -> Form:
    """Create a form from a pattern that ignores case and ends with free text."""
    return Form(re.compile(pattern, re.IGNORECASE), takes_line=True)


@dataclass(frozen=True, slots=True)
class OrderWord:
    """Properties of an order word, except its act and its translations other than German.

    Attributes:
        forms: forms with an argument.
        synonyms: other lines with the meaning of the bare word, separated by semicolons.
        german: German lines that mean the bare word, or the text after their `=`.
        german_forms: German lines with an argument, and their English, as in `de.FORMS`.
        help: lines in the help, one sentence each, which are translated.
        help_for: an order word of the games in whose help it is shown. Empty means all games.
        untold: why the help does not mention it.
        needs_seat: True if it concerns the game of the answered message. Others work anywhere.
        asks: True if it is a question, so that a question mark changes nothing, unlike `undo?`.
        looks: True if it only displays a game. A player with a single game need not name it.
        is_private: True if admins must not see such a line.
        welcomes: True if a stranger who writes it probably wants to play.
        needs_proof: True if its sender must be authenticated. It affects others or is final.
        is_setting: True if it shows a setting, or changes it when there is an argument.
    """

    forms: tuple[Form, ...] = ()
    synonyms: str = ""
    german: str = ""
    german_forms: tuple[tuple[str, str], ...] = ()
    help: str = ""
    help_for: str = ""
    untold: str = ""
    needs_seat: bool = True
    asks: bool = False
    looks: bool = False
    is_private: bool = False
    welcomes: bool = False
    needs_proof: bool = False
    is_setting: bool = False

    def names(self, word: str) -> tuple[str, ...]:
        """Return all complete English lines that mean the bare word."""
        return (word, *filter(None, self.synonyms.split("; ")))

    def german_lines(self, word: str) -> dict[str, str]:
        """Map complete German lines to their English."""
        parted = (line.partition(" = ") for line in filter(None, self.german.split("; ")))
        return {phrase: english or word for phrase, _, english in parted}

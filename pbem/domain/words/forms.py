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
from pbem.games.face import faces
from pbem.sections import PingWord


class Spelling:
    """Known words, which are recognised with one mistake as well."""

    def __init__(self, words: Iterable[str], shortest: int = 6) -> None:
        """Store the words; those with fewer letters than `shortest` have to be right."""
        self._known = frozenset(words)
        self._shortest = shortest
        # Two words one mistake apart are equal without one letter each: few need to be compared. Kept are
        # hashes of these texts, which are many, and the words' numbers.
        self._words = tuple(word for word in self._known if len(word) >= shortest - 1)
        found = sorted(
            (hash(short), number)
            for number, word in enumerate(self._words)
            for short in _without_a_letter(word)
        )
        self._hashes = array("q", (hashed for hashed, _ in found))
        self._numbers = array("I", (number for _, number in found))

    def nearest(self, word: str) -> str:
        """Return the known word that was probably meant, or the word itself."""
        return next(iter(self.near(word)), word)

    def near(self, word: str) -> list[str]:
        """Return the known words one mistake away, sorted; none for a known word."""
        if word in self._known or not self._shortest <= len(word) <= _LONGEST or not word.isalpha():
            return []
        alike = {other for short in _without_a_letter(word) for other in self._with(hash(short))}
        return sorted(other for other in alike if typing_distance(word, other) == 1)

    def slipped(self, word: str) -> str | None:
        """Return the word that a slip of the finger made: two letters changed places, or one came twice or once.

        Any other letter may make another word: `würde` is no `werde`. So do other ends, as in `spielt` and `spiele`.
        """
        near = [
            one
            for one in self.near(word)
            if (one[0], one[-1]) == (word[0], word[-1])
            and (sorted(one) == sorted(word) or _TWICE.sub("", one) == _TWICE.sub("", word))
        ]
        return near[0] if len(near) == 1 else None

    def _with(self, hashed: int) -> Iterator[str]:
        """Yield the words that have this hash without a letter, or as they are."""
        at = bisect_left(self._hashes, hashed)
        while at < len(self._hashes) and self._hashes[at] == hashed:
            yield self._words[self._numbers[at]]
            at += 1


_LONGEST = 24
_TWICE = re.compile(r"(.)(?=\1)")


def _without_a_letter(word: str) -> set[str]:
    """Return a word, and the word without each one of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _kept(text: str) -> str:
    return text


def lower(text: str) -> str:
    """Return an argument in lower case."""
    return text.lower()


def days(text: str) -> str | None:
    """Return an argument that names days; None for another one."""
    return None if read_days(text) is None else text


def duration(text: str) -> str | None:
    """Return an argument that is a length of time; None for another one."""
    try:
        parse_duration(text)
    except ValueError:
        return None
    return text


MORE = "more"
"""`help more` lists everything that a player can write."""


def topic(text: str) -> str | None:
    """Return `MORE`, or a text that is a word of a game or the id of a rule; None for another one."""
    if text.lower() == MORE:
        return MORE
    is_known = any(glossary.find(text, one.terms, whole=True) for one in faces().values())
    return text if is_known else None


def ping_place(text: str) -> str | None:
    """Return an argument that names a place for pings, a code, or `off`; None for another one."""
    word = text.split(maxsplit=1)[0].lower().replace("web-hook", "webhook")
    return text if word.isdigit() or word in ("off", *get_args(PingWord)) else None


def look(text: str) -> str:
    """Return the canonical words for a way to show cards."""
    words = text.lower()
    if words[0] in "f4":
        return "four-colour"
    return {"big": "large", "in words": "words", "normal": "as usual"}.get(words, words)


@dataclass(frozen=True, slots=True)
class Form:
    """How an order word is written together with its argument.

    Attributes:
        pattern: matches the whole line; its one group is the argument.
        check: returns the argument to pass on; None if the line is not this order.
        takes_line: the rest of the line is the player's own text, including any `;`.
    """

    pattern: re.Pattern[str]
    check: Callable[[str], str | None] = _kept
    takes_line: bool = False


def form(pattern: str, check: Callable[[str], str | None] = _kept) -> Form:
    """Return the form of a line, in any case, whose one group is the argument."""
    return Form(re.compile(pattern, re.IGNORECASE), check)


def text_form(pattern: str) -> Form:
    """Return the form of a line that ends with the player's own text."""
    return Form(re.compile(pattern, re.IGNORECASE), takes_line=True)


@dataclass(frozen=True, slots=True)
class OrderWord:
    """All properties of an order word but its act, and its words in a third language.

    Attributes:
        forms: how it is written with an argument.
        synonyms: other lines that mean the bare word, separated by semicolons.
        german: German lines that mean the bare word, or the text after their `=`.
        german_forms: German lines with an argument, and their English; see `de.FORMS`.
        help: its lines in the help, a sentence each, which the catalogues translate.
        help_for: an order word of the games whose players read its help; empty: all players.
        untold: why the help does not name it.
        needs_seat: it is about the game of the answered mail; else it is allowed in any mail.
        asks: it is a question, so a question mark changes nothing; `undo?` is a doubt.
        looks: it shows one game and changes nothing; a player with one game need not name it.
        is_private: only the service reads such a line; admins do not see it.
        welcomes: a stranger who writes it probably wants to play here.
        needs_proof: it affects others or is final, so the mail must prove its sender.
        is_setting: it shows the person's settings, or with an argument changes them.
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
        """Return all whole English lines that mean the bare word."""
        return (word, *filter(None, self.synonyms.split("; ")))

    def german_lines(self, word: str) -> dict[str, str]:
        """Return whole German lines, each with its English."""
        parted = (line.partition(" = ") for line in filter(None, self.german.split("; ")))
        return {said: english or word for said, _, english in parted}

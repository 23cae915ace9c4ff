"""Private parts of a player's mail that an admin reads: talk, orders, `try`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import AnyRuleset
from pbem.domain.words.orders import OrderLine, read_lines
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.domain.words.talk import read_said
from pbem.errors import Refusal
from pbem.language import languages

CLOSED = "(told in private: it stays closed)"
"""Stands in place of a private line."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The writer of a mail: the rules and names of their table, and their seat."""

    rules: AnyRuleset
    names: Sequence[str]
    seat: int

    def without_private(self, text: str) -> str:
        """Return the words of a mail without its private lines."""
        lines = self._lines(text)
        if not any(map(self._is_private, lines)):
            return text
        return "\n".join(CLOSED if self._is_private(line) else _whole(line) for line in lines)

    def tells_in_private(self, text: str) -> bool:
        """True if an answered line was for the service or for some players only."""
        return any(map(self._is_private, self._lines(text)))

    def _lines(self, text: str) -> Sequence[OrderLine]:
        """Read a text in the language that makes most of it private.

        The player's language at that time is not known.
        """
        said = [read_lines(text, (self.rules,), self.names, one) for one in languages()]
        return max(said, key=lambda lines: sum(map(self._is_private, lines)))

    def _is_private(self, line: OrderLine) -> bool:
        if line.word is not Word.SAY:
            return line.word is not None and ORDER_WORDS[line.word].is_private
        words = line.argument or ""
        if not words.strip():
            return False
        try:
            said = read_said(words, self.names, self.seat)
        except Refusal:
            return True  # its audience is not certain
        return bool(said.to) or said.is_anonymous


def _whole(line: OrderLine) -> str:
    """Return a line with the paragraph below it."""
    if line.word is Word.SAY and "\n" in (line.argument or ""):
        return f"{line.text}\n{line.argument}"
    return line.text

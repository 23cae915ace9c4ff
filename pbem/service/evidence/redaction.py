"""Redact private parts of a player's message for admins: talk, standing orders, `try`."""

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
"""Replacement text of a private line."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The author of a message: the rules and names of their table, and their seat."""

    rules: AnyRuleset
    names: Sequence[str]
    seat: int

    def without_private(self, text: str) -> str:
        """Return the text of a message without its private lines."""
        lines = self._lines(text)
        if not any(map(self._is_private, lines)):
            return text
        return "\n".join(
            CLOSED if self._is_private(line) else _with_paragraph(line) for line in lines
        )

    def tells_in_private(self, text: str) -> bool:
        """True if a line was meant for the service or for only some of the players."""
        return any(map(self._is_private, self._lines(text)))

    def _lines(self, text: str) -> Sequence[OrderLine]:
        """Parse a text in the language in which the most lines are private.

        The player's language at that time is unknown.
        """
        said = [read_lines(text, (self.rules,), self.names, language) for language in languages()]
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
            return True  # its audience is uncertain
        return bool(said.to) or said.is_anonymous


def _with_paragraph(line: OrderLine) -> str:
    """Return a line. For talk, include the paragraph below it."""
    if line.word is Word.SAY and "\n" in (line.argument or ""):
        return f"{line.text}\n{line.argument}"
    return line.text

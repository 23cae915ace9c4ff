"""What of a player's mail stays theirs when an admin reads it: talk to some, standing orders, `try`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.api import AnyRuleset
from pbem.domain.words.orders import OrderLine, read_lines
from pbem.domain.words.service_words import Word
from pbem.domain.words.talk import read_said
from pbem.errors import Refusal
from pbem.language import languages

CLOSED = "(told in private: it stays closed)"
"""Stands for what is left out."""

_TO_THE_SERVICE = frozenset({Word.NEXT, Word.DRAWING, Word.TRY, Word.MUTE, Word.UNMUTE})


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a mail: the table that they sat at, its names by seat, and their seat there."""

    rules: AnyRuleset
    names: Sequence[str]
    seat: int

    def without_private(self, text: str) -> str:
        """Return the own words of a mail without what was told in private; all of them if nothing was."""
        lines = self._lines(text)
        if not any(map(self._is_private, lines)):
            return text
        return "\n".join(CLOSED if self._is_private(line) else _whole(line) for line in lines)

    def tells_in_private(self, text: str) -> bool:
        """True if a line, as an answer repeats it, was for the service or some players alone."""
        return any(map(self._is_private, self._lines(text)))

    def _lines(self, text: str) -> Sequence[OrderLine]:
        """Read a text in the language in which the most of it is private: which was theirs is not kept."""
        said = [read_lines(text, (self.rules,), self.names, one) for one in languages()]
        return max(said, key=lambda lines: sum(map(self._is_private, lines)))

    def _is_private(self, line: OrderLine) -> bool:
        if line.word is not Word.SAY:
            return line.word in _TO_THE_SERVICE
        words = line.argument or ""
        if not words.strip():
            return False
        try:
            said = read_said(words, self.names, self.seat)
        except Refusal:
            return True  # it is not certain for whom it was
        return bool(said.to) or said.is_anonymous


def _whole(line: OrderLine) -> str:
    """Return a line with the paragraph that it opens."""
    if line.word is Word.SAY and "\n" in (line.argument or ""):
        return f"{line.text}\n{line.argument}"
    return line.text

"""Lines that somebody put between lines of our mail.

A line that reads as an order within the original can be an answer, or one of our lines that was
changed on its way. It is certainly an answer if our mail continues behind it at the very word at
which it broke off before it. Then our mail is complete, and the line is one too many.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pbem.mail_in.mime.lines import BodyLine
from pbem.mail_in.quotes.answered import Answered
from pbem.mail_in.quotes.marks import words_of

_NEAR: Final = 6
"""Most lines of an answer between our lines, before and after its order."""
_EVIDENCE: Final = 6
_MOST: Final = 50
_LONG: Final = 3


class Gaps:
    """Looks for lines that are one too many in a body."""

    def __init__(
        self, lines: Sequence[BodyLine], answered: Answered, strange: Collection[int]
    ) -> None:
        """Take the lines; `strange` are places of orders that are more often here than in our mail."""
        self._answered = answered
        self._strange: set[int] = set()  # their places among the lines with words
        self._texts: list[str] = []
        self._words: list[list[str]] = []
        self._rank: dict[int, int] = {}  # place of a line -> its place among the lines with words
        for at, line in enumerate(lines):
            words = words_of(line.text)
            if words:
                self._rank[at] = len(self._words)
                if at in strange:
                    self._strange.add(len(self._words))
                self._words.append(words)
                self._texts.append(line.text)
        self._asked = 0

    def is_insertion(self, at: int) -> bool:
        """True if the line is one too many; looks at some dozens of lines only."""
        rank = self._rank.get(at)
        self._asked += 1
        if rank is None or self._asked > _MOST or not self._answered.is_complete:
            return False
        if rank and self._answered.continues(self._texts[rank - 1], self._texts[rank]):
            return False  # the client wrapped there
        afters = [self._after(last + 1) for last in self._beside(rank, 1)]
        for first in self._beside(rank, -1):
            before = self._before(first)
            if self._answered.ends_with(before):
                return True
            if any(self._answered.goes_on(before, after) for after in afters):
                return True
        return False

    def _beside(self, rank: int, step: int) -> list[int]:
        """Return the line and its possible continuation in one direction.

        None of these lines is ours, but one of several orders can read like a listed move.
        """
        found = [rank]
        for other in range(rank + step, rank + step * _NEAR, step):
            if not 0 <= other < len(self._words):
                break
            text, words = self._texts[other], self._words[other]
            ours = self._answered.contains(text) and len(words) >= _LONG
            is_ours = ours or self._answered.knows_most_of(words)
            if is_ours and other not in self._strange:
                break
            found.append(other)
        return found

    def _before(self, rank: int) -> list[str]:
        found: list[str] = []
        while rank > 0 and len(found) < _EVIDENCE:
            rank -= 1
            found = self._words[rank][-_EVIDENCE:] + found
        return found[-_EVIDENCE:]

    def _after(self, rank: int) -> list[str]:
        found: list[str] = []
        while rank < len(self._words) and len(found) < _EVIDENCE:
            found += self._words[rank][:_EVIDENCE]
            rank += 1
        return found[:_EVIDENCE]

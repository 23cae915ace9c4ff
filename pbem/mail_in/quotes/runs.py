"""Rows of lines that follow each other in our mail: which are surely a copy of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from pbem.mail_in.mime.lines import BodyLine, Zone
from pbem.mail_in.quotes import marks
from pbem.mail_in.quotes.answered import Fit

_SURE_WORDS: Final = 6
_SURE_ALONE: Final = 8
_BELOW: Final = 10


def part_from_list(
    lines: Sequence[BodyLine], fits: list[Fit], is_order: Callable[[str], bool]
) -> None:
    """Take a number for what it is where the listed move that it begins follows only later.

    Whoever answers `24` right above our line `24  play 9c` has not written the start of it.
    """
    for at, line in enumerate(lines):
        fit = fits[at]
        if fit.run < 0 or fit.whole or not is_order(line.text):
            continue
        words = marks.words_of(line.text)
        below = [one for one in lines[at + 1 : at + _BELOW] if one.text]
        if any(
            len(after := marks.words_of(one.text)) > len(words) and after[: len(words)] == words
            for one in below
        ):
            fits[at] = Fit(fit.words)


def judge(
    lines: Sequence[BodyLine], fits: Sequence[Fit], is_order: Callable[[str], bool]
) -> tuple[frozenset[int], frozenset[int]]:
    """Say which runs of unmarked lines are surely from our mail, and which only list moves."""
    words, count, prose = Counter[int](), Counter[int](), set[int]()
    for line, fit in zip(lines, fits, strict=True):
        if fit.run < 0 or line.zone is Zone.QUOTE:
            continue
        words[fit.run] += fit.words
        count[fit.run] += 1
        if fit.run not in prose and not is_order(line.text):
            prose.add(fit.run)
    sure = {
        run
        for run, found in words.items()
        if run in prose and found >= (_SURE_WORDS if count[run] > 1 else _SURE_ALONE)
    }
    listed = {run for run in words if run not in prose and count[run] > 1}
    return frozenset(sure), frozenset(listed)

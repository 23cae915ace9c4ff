"""Ends of quoted lines that a client or relay wrapped and left unmarked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pbem.mail_in.mime.lines import BodyLine, Zone
from pbem.mail_in.quotes.answered import Answered, Fit

_NARROWEST: Final = 34
_SLACK: Final = 4
_WRAPS: Final = 2
_LONGEST_TAIL: Final = 3


def known_tails(lines: Sequence[BodyLine], answered: Answered | None) -> frozenset[int]:
    """Find lines that continue a line of our mail; none if it is not known."""
    found: set[int] = set()
    if answered is None:
        return frozenset()
    for at in range(1, len(lines)):
        line, before = lines[at], lines[at - 1]
        if line.zone is not Zone.TEXT or not line.text:
            continue
        after_quote = before.zone is Zone.QUOTE or at - 1 in found
        if after_quote and answered.continues(before.text, line.text):
            found.add(at)
    return frozenset(found)


def likely_tails(
    lines: Sequence[BodyLine],
    fits: Sequence[Fit],
    answered: Answered | None,
    is_order: Callable[[str], bool],
) -> frozenset[int]:
    """Find unmarked lines that may be the end of a quoted line.

    They follow a quoted line without a blank line between. Their first word would have made that
    line wider than any other quoted line. If our mail is not known, and several unmarked lines are
    tightly between marked ones, the client wraps; then all such lines count.
    """
    wide = _too_wide(lines, fits)
    if answered is not None:
        return wide
    between = _between_marked(lines)
    texts = sum(not is_order(lines[at].text) for at in between)
    return wide | frozenset(between) if texts >= _WRAPS else wide


def _between_marked(lines: Sequence[BodyLine]) -> list[int]:
    """Find unmarked lines, a few in a row, directly between marked ones."""
    found: list[int] = []
    row: list[int] | None = None  # since the last marked line; None after anything else
    for at, line in enumerate(lines):
        if line.zone is Zone.QUOTE:
            if row and len(row) <= _LONGEST_TAIL:
                found += row
            row = [] if line.text else None
        elif row is not None and line.text and line.zone is Zone.TEXT:
            row.append(at)
        else:
            row = None
    return found


def _too_wide(lines: Sequence[BodyLine], fits: Sequence[Fit]) -> frozenset[int]:
    """Find unmarked lines whose first word was too wide for the quoted line before."""
    width = max((line.width for line in lines if line.zone is Zone.QUOTE), default=0)
    found: set[int] = set()
    if width < _NARROWEST:
        return frozenset()
    for at in range(1, len(lines)):
        line, before, fit = lines[at], lines[at - 1], fits[at - 1]
        if not line.text or not before.text or line.zone is not Zone.TEXT:
            continue
        if (before.zone is not Zone.QUOTE and at - 1 not in found) or fit.whole:
            continue
        if before.width + len(line.text.split(" ", 1)[0]) > width - _SLACK:
            found.add(at)
    return frozenset(found)

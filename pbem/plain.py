"""Anybody's words without the characters that nobody sees: names, messages, texts on a terminal.

Our own lists of words are read here, too.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control, format (direction marks, zero-width), surrogate and private-use characters."""
_JOINERS: Final = frozenset({"\u200c", "\u200d"})
"""Some scripts cannot do without them, so they stay."""


_COMMANDS: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    """Return a text for a terminal or a log: every invisible character but line end and tab is replaced.

    Those are the controls (C0, C1), direction marks, zero-width characters, and halves of characters. They could
    move the cursor, turn a line around, or hide a part of it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(char) in _COMMANDS and char not in "\n\t"
        else char
        for char in text
    )


def visible(line: str) -> str:
    """Return a line without invisible characters; every white space becomes a blank."""
    if line.isascii() and line.isprintable():
        return line
    spaced = (" " if char.isspace() else char for char in line)
    return "".join(
        char for char in spaced if char in _JOINERS or unicodedata.category(char) not in DROPPED
    )


def clean(text: object, limit: int | None = None) -> str:
    """Return the text on one line, without invisible characters.

    Args:
        text: any value. It is turned into a string first.
        limit: maximum number of characters. A cut text ends in an ellipsis.
    """
    shown = " ".join(visible(str(text)).split())
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1].rstrip() + "…"
    return shown


def words_in(text: str) -> tuple[str, ...]:
    """Read words that are separated by blanks."""
    return tuple(text.split())


def sayings_in(text: str) -> tuple[str, ...]:
    """Read texts of several words that are separated by semicolons or stand on lines of their own."""
    return tuple(filter(None, (one.strip() for one in re.split(r"[;\n]", text))))

"""Remove invisible characters from names, messages and terminal output.

Also parses our own word lists.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control, format (direction marks, zero-width), surrogate and private-use characters."""
_JOINERS: Final = frozenset({"\u200c", "\u200d"})
"""Kept, because some scripts need them."""


_COMMANDS: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    """Replace every invisible character except line end and tab, for terminals and logs.

    These are control characters (C0, C1), direction marks, zero-width characters and lone
    surrogates. They could move the cursor, reverse a line, or hide a part of it.
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
    """Return a line without invisible characters. White space becomes spaces."""
    if line.isascii() and line.isprintable():
        return line
    spaced = (" " if char.isspace() else char for char in line)
    return "".join(
        char for char in spaced if char in _JOINERS or unicodedata.category(char) not in DROPPED
    )


def clean(text: object, limit: int | None = None) -> str:
    """Return the text on a single line, without invisible characters.

    Args:
        text: any value. It is converted to a string first.
        limit: maximum number of characters. A truncated text ends with an ellipsis.
    """
    shown = " ".join(visible(str(text)).split())
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1].rstrip() + "…"
    return shown


def words_in(text: str) -> tuple[str, ...]:
    """Split words that are separated by white space."""
    return tuple(text.split())


def sayings_in(text: str) -> tuple[str, ...]:
    """Split phrases that are separated by semicolons or line ends, dropping empty phrases."""
    return tuple(filter(None, (phrase.strip() for phrase in re.split(r"[;\n]", text))))

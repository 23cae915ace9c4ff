"""Anybody's words without the characters that nobody sees: names, messages, texts on a terminal."""

from __future__ import annotations

import unicodedata
from typing import Final

DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control, format (direction marks, zero-width), surrogate and private-use characters."""
_JOINERS: Final = frozenset({"\u200c", "\u200d"})
"""Some scripts cannot do without them, so they stay."""


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
        text: any value; it is turned into a string first.
        limit: maximum number of characters; a cut text ends in an ellipsis.
    """
    shown = " ".join(visible(str(text)).split())
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1].rstrip() + "…"
    return shown

"""The first line of text of every mail that we send, in each language that we write.

Mails that go out print it; mails that come in recognise it when a client quotes without marks. It
is a hint and no guillotine: what a player writes below it still counts when it is clearly theirs.
"""

from __future__ import annotations

from typing import Final

from pbem.domain.words import en
from pbem.domain.words.translate import TABLES

REPLY_MARKER_BY_LANGUAGE: Final[dict[str, str]] = {
    "en": en.REPLY_MARKER,
    **{code: table.REPLY_MARKER for code, table in TABLES.items()},
}
"""Language code -> marker; `en` is the fallback of every language that is not listed."""

_FORMER: Final[tuple[str, ...]] = ("--- Please write your answer above this line ---",)

REPLY_MARKERS: Final[tuple[str, ...]] = (*REPLY_MARKER_BY_LANGUAGE.values(), *_FORMER)
"""All markers that a mail of ours may ever have had, for whoever reads answers to them."""


def reply_marker(language: str) -> str:
    """Return the marker for a language code such as `de` or `de-AT`; English if we have none."""
    code = language.replace("_", "-").split("-", 1)[0].lower()
    return REPLY_MARKER_BY_LANGUAGE.get(code, REPLY_MARKER_BY_LANGUAGE["en"])

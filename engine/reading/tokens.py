"""Split the text of players into words.

All kinds of digits become plain digits. Characters that keyboards add automatically (quotes,
invisible characters, emoji variants) are removed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST_ORDER = 1000
"""Maximum length of an order in code points."""

# variation selectors 15 and 16 (text or emoji style of ♥), zero-width characters, soft hyphen
_INVISIBLE = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_KEYCAP = re.compile("([0-9#])\ufe0f?\u20e3")
_TEN_KEYCAP = "\U0001f51f"
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_APART = re.compile(r"[\s,&+]+|(?<=[^\W\d_])[-‐‑–—](?=[^\W\d_])")  # also splits "pick-up"
_LIST_SIGN = re.compile(r"[,&+]")
QUOTES = "\"'`´“”„‟‘’‚‛«»‹›「」『』"
"""Quotation marks that people and keyboards put around words."""
_FORGIVEN = f".,:!()[]{{}}*_•-‐‑–—{QUOTES}".translate({ord("‹"): None, ord("›"): None})
"""Characters around words that are ignored. `›` is kept, because messages use it before talk."""
_QUOTED = re.compile(rf"[{QUOTES}\s]*([^{QUOTES}]*?)[{QUOTES}]+([.,!]?)\s*")


def plain_digits(text: str) -> str:
    """Replace digits of all kinds by plain digits: keycaps, full-width, circled, Arabic."""
    if text.isascii():
        return text
    text = _KEYCAP.sub(r"\1", text).replace(_TEN_KEYCAP, "10")
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.digit(digit[0])), _folded_digits(text))


def _folded_digits(text: str) -> str:
    """Replace numbers that are not decimal digits, such as ㉑ and ②."""
    return "".join(
        unicodedata.normalize("NFKC", sign) if unicodedata.category(sign) == "No" else sign
        for sign in text
    )


def unquoted(text: str) -> str:
    """Remove quotes around a whole line, e.g. `»22«`. Other lines are returned unchanged."""
    if text[:1] not in QUOTES:
        return text
    match = _QUOTED.fullmatch(text)
    return f"{match[1]}{match[2]}" if match is not None and match[1] else text


def plain(text: str) -> str:
    """Return a line in compatibility characters with plain digits. Empty if it is too long."""
    if len(text) > LONGEST_ORDER:
        return ""
    return unicodedata.normalize("NFKC", plain_digits(text).translate(_INVISIBLE))


@lru_cache(1024)  # every game splits the same line
def split_words(text: str) -> tuple[str, ...]:
    """Split an order into words, without ignorable punctuation and invisible characters.

    The case is kept. Other characters (`?`, `>`, `@` …) stay part of their word, which then does
    not match any order word. A line that is too long has no words.
    """
    return _words(plain(text))


@lru_cache(1024)
def split_parts(text: str) -> tuple[tuple[str, ...], ...]:
    """Split an order at commas, `&` and `+`, and split each non-empty part into words."""
    parts = map(_words, _LIST_SIGN.split(plain(text)))
    return tuple(words for words in parts if words)


def lower_words(text: str) -> tuple[str, ...]:
    """Split an order into words in lower case."""
    return tuple(word.casefold() for word in split_words(text))


def _words(line: str) -> tuple[str, ...]:
    stripped = (word.strip(_FORGIVEN) for word in _APART.split(line))
    return tuple(word.replace("’", "").replace("'", "") for word in stripped if word)

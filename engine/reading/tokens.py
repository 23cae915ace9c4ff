"""Split what players write into words.

Every kind of digit is a plain digit here, and signs that a keyboard adds without being asked (quotes,
invisible characters, the look of an emoji) disappear.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST_ORDER = 1000
"""Longer lines are not orders, in code points."""

# Variation selectors 15 and 16 (text or emoji look of ♥), zero-width characters, soft hyphen.
_INVISIBLE = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_KEYCAP = re.compile("([0-9#])\ufe0f?\u20e3")
_TEN_KEYCAP = "\U0001f51f"
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_APART = re.compile(r"[\s,&+]+|(?<=[^\W\d_])[-‐‑–—](?=[^\W\d_])")  # blanks, and "pick-up"
_LIST_SIGN = re.compile(r"[,&+]")
QUOTES = "\"'`´“”„‟‘’‚‛«»‹›「」『』"
"""Quotation marks that people and their keyboards write around words."""
_FORGIVEN = f".,:!()[]{{}}*_•-‐‑–—{QUOTES}".translate({ord("‹"): None, ord("›"): None})
"""Signs around a word that are ignored. `›` is not among them, because mails show it before talk."""
_QUOTED = re.compile(rf"[{QUOTES}\s]*([^{QUOTES}]*?)[{QUOTES}]+([.,!]?)\s*")


def plain_digits(text: str) -> str:
    """Return a text with digits of all kinds as plain ones: keycaps, full-width, circled, Arabic."""
    if text.isascii():
        return text
    text = _KEYCAP.sub(r"\1", text).replace(_TEN_KEYCAP, "10")
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.digit(digit[0])), _folded_digits(text))


def _folded_digits(text: str) -> str:
    """Fold the numbers that are no decimal digits, as ㉑ and ②."""
    return "".join(
        unicodedata.normalize("NFKC", sign) if unicodedata.category(sign) == "No" else sign
        for sign in text
    )


def unquoted(text: str) -> str:
    """Return a line without the quotes around all of it: `»22«`; a line with others is unchanged."""
    if text[:1] not in QUOTES:
        return text
    match = _QUOTED.fullmatch(text)
    return f"{match[1]}{match[2]}" if match is not None and match[1] else text


def plain(text: str) -> str:
    """Return a line in compatible characters with plain digits; empty if it is too long."""
    if len(text) > LONGEST_ORDER:
        return ""
    return unicodedata.normalize("NFKC", plain_digits(text).translate(_INVISIBLE))


@lru_cache(1024)  # each game splits a line again
def split_words(text: str) -> tuple[str, ...]:
    """Split an order into words, without forgiven punctuation and invisible signs.

    Case is kept. Other signs (`?`, `>`, `@` …) stay in their word, which then is not an order word.
    A line that is too long has no words.
    """
    return _words(plain(text))


@lru_cache(1024)
def split_parts(text: str) -> tuple[tuple[str, ...], ...]:
    """Split an order at commas, `&` and `+`, and each part into words; no empty parts."""
    parts = map(_words, _LIST_SIGN.split(plain(text)))
    return tuple(words for words in parts if words)


def lower_words(text: str) -> tuple[str, ...]:
    """Split an order into words in lower case."""
    return tuple(word.casefold() for word in split_words(text))


def _words(line: str) -> tuple[str, ...]:
    stripped = (word.strip(_FORGIVEN) for word in _APART.split(line))
    return tuple(word.replace("’", "").replace("'", "") for word in stripped if word)

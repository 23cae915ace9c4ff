"""Split the text of players into words.

All kinds of digits become plain digits. Characters that keyboards add automatically (quotes,
invisible characters, emoji variants) are removed, and so are list signs and pictures around a line.
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

_PICTURES = (
    "\U0001f300-\U0001f44d\U0001f44f-\U0001f492\U0001f4a0-\U0001f51e\U0001f550-\U0001f567"
    "\U0001f573-\U0001f5a3\U0001f5fa-\U0001f644\U0001f646-\U0001f64f\U0001f680-\U0001f6aa"
    "\U0001f6b2-\U0001f6ff\U0001f90c\U0001f90f-\U0001f936\U0001f938-\U0001f9e0\U0001f9e2-\U0001f9ff"
    "\U0001fa80-\U0001fa93\U0001fa96-\U0001faff\U0001f0cf"
    "\u263a\u2639\u270a\u270c\u261d\u2615\u23f0\u2728\u2b50\u2600\u2705\u2714\u200d\ufe0e\ufe0f"
)
"""Pictures without meaning: no hearts, coloured shapes or signs of negation, and no pencil, which
marks edited messages."""
_ARROW = r"(?:[-=]>|[→➔➜►▶])\s*"
_LIST_NUMBER = re.compile(r"\(?(?:[1-9]|1\d|20)[.):]\)?\s+(?=\S)")
_BULLET = re.compile(rf"(?:[-*•·‣▪◦–—]\s+|{_ARROW}|{_LIST_NUMBER.pattern})(?=\S)")
_MARKS_BEFORE = re.compile(rf"(?:{_ARROW}|[{_PICTURES}\s]+)+")
_NUMERO = re.compile(r"(?:\bno\s?[.:]|№)\s?(?=\d{2})", re.IGNORECASE)
_MARKS_BEHIND = re.compile(
    rf"(?<![{_PICTURES}\s])(?:[{_PICTURES}\s]+|\s(?::-?[)(DPp]+|;-?[)DPp]+|:-?/|=[)D]|\^\^|[xX]D)"
    # a heart that is not a suit, after a word or after a list number that is too high for a rank
    r"|(?:(?<=2[1-9]|[3-9]\d)\s*|(?<=[a-z]{3})\s+)[\u2665\u2764]\ufe0f?)\Z"
)


def without_bullet(text: str) -> str:
    """Remove the bullet of a line such as `- join` or `=> 21`."""
    return _BULLET.sub("", text, count=1) if _BULLET.match(text) else text


def without_marks(text: str) -> str:
    """Remove arrows, pictures and smileys around a line, and `No.` before a number."""
    match = _MARKS_BEHIND.search(text)
    bare = text[: match.start()] if match is not None and match.start() else text
    marks = _MARKS_BEFORE.match(bare)
    bare = bare[marks.end() :] if marks is not None else bare
    return _NUMERO.sub("", bare, count=1)


def without_list_number(text: str) -> str:
    """Remove the number of a list item, as in `2. pickup`."""
    return _LIST_NUMBER.sub("", text, count=1) if _LIST_NUMBER.match(text) else text


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

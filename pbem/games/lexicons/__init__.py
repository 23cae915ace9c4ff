"""Lexicons of the languages of orders. Each file `<code>.txt` is read when it is first needed.

`any.txt` has the courtesies of languages without a lexicon.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.reading.lexicon import Lexicon
from pbem.language import SOURCE

_FOLDER = Path(__file__).parent


@cache
def lexicon(code: str) -> Lexicon | None:
    """Return the lexicon of a language, or None if it has no file."""
    file = _FOLDER / f"{code}.txt"
    return Lexicon.read(code, file.read_text("utf-8")) if file.is_file() else None


def lexicons(*codes: str) -> tuple[Lexicon, ...]:
    """Return the lexicons of several languages without duplicates. Missing ones are omitted."""
    return tuple(filter(None, map(lexicon, dict.fromkeys(codes))))


@cache
def spoken(language: str) -> Lexicon:
    """Return the words of a player's language and of English in one lexicon."""
    return _merged(lexicons(SOURCE, language), language)


@cache
def all_words() -> Lexicon:
    """Return the words of all languages in one lexicon, for words that mean the same everywhere."""
    return _merged(lexicons(*sorted(file.stem for file in _FOLDER.glob("*.txt"))), "any")


def _merged(known: tuple[Lexicon, ...], code: str) -> Lexicon:
    texts = ((_FOLDER / f"{one.code}.txt").read_text("utf-8") for one in known)
    return Lexicon.read(code, "\n[]\n".join(texts))

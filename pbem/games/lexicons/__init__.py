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
    return Lexicon.read(file.read_text("utf-8"), code) if file.is_file() else None


def lexicons(*codes: str) -> tuple[Lexicon, ...]:
    """Return the lexicons of several languages without duplicates. Missing ones are omitted."""
    return tuple(filter(None, map(lexicon, dict.fromkeys(codes))))


@cache
def spoken(language: str) -> Lexicon:
    """Return the words of a player's language and of English in one lexicon."""
    return _joined(SOURCE, language)


@cache
def all_words() -> Lexicon:
    """Return the words of all languages in one lexicon, for words that mean the same everywhere."""
    return _joined(*sorted(file.stem for file in _FOLDER.glob("*.txt")))


def _joined(*codes: str) -> Lexicon:
    files = {code: _FOLDER / f"{code}.txt" for code in codes}
    texts = {code: file.read_text("utf-8") for code, file in files.items() if file.is_file()}
    return Lexicon.read("\n[]\n".join(texts.values()), *texts)

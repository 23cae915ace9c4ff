"""The languages that mails are written in: catalogs, and sentences translated by them.

English stands in the program and its templates; every other language is a catalog in gettext's
form, `pbem/locale/<language>/LC_MESSAGES/pbem.po`, read as it is when it is first needed.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.pofile import read_po

from engine.sentences import Sentence
from pbem.errors import ConfigError

SOURCE: Final = "en"
"""The language that the program itself is written in."""

_LOCALE = Path(__file__).resolve().parent / "locale"
_CATALOG = "LC_MESSAGES/pbem.po"


class Catalog(gettext.NullTranslations):
    """What the sentences of the program are in one language; unknown ones stay English."""

    def __init__(self, language: str) -> None:
        """Read the catalog of a language."""
        super().__init__()
        self._texts: dict[str, str] = {}
        self._counted: dict[str, tuple[str, ...]] = {}
        if language == SOURCE:
            return
        with catalog_file(language).open("rb") as file:
            for message in read_po(file, locale=language):
                if message.fuzzy:
                    continue
                if isinstance(message.id, str):
                    self._texts[message.id] = str(message.string or "")
                else:
                    self._counted[message.id[0]] = tuple(message.string or ())

    def gettext(self, message: str) -> str:
        """Translate a text without a number."""
        return self._texts.get(message) or message if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Translate a text that counts; every language here has one form for 1, one for all else."""
        one, many = self._counted.get(msgid1) or (msgid1, msgid2)
        return (one if n == 1 else many) or (msgid1 if n == 1 else msgid2)


def catalog_file(language: str) -> Path:
    """Return where the catalog of a language lies."""
    return _LOCALE / language / _CATALOG


@cache
def languages() -> tuple[str, ...]:
    """List the codes of the languages that mails can be written in, English first."""
    found = sorted(file.parts[-3] for file in _LOCALE.glob(f"*/{_CATALOG}"))
    return (SOURCE, *found)


@cache
def catalog(language: str) -> Catalog:
    """Return the catalog of a language. Raises: ConfigError, there is none."""
    if language not in languages():
        raise ConfigError(
            f"there are no texts in the language {language}; there are {', '.join(languages())}"
        )
    return Catalog(language)


@cache
def _by_name() -> dict[str, str]:
    """Map what people call a language, in any language of ours, to its code."""
    names = {code: code for code in languages()}
    for code in languages():
        for writer in languages():
            names[(Locale.parse(code).get_language_name(writer) or code).lower()] = code
    return names


def find_language(name: str) -> str | None:
    """Give the code of a language by what people call it: `de`, `german`, `Deutsch`; None if we have none."""
    return _by_name().get(name.strip().lower())


def own_name(language: str) -> str:
    """Say how a language calls itself: `English`, `Deutsch`."""
    return Locale.parse(language).get_language_name(language) or language


def translate(text: str, language: str) -> str:
    """Say a sentence in a language: its template is translated, then filled in.

    What is no `Sentence` (a name, a player's words) stays as it is, whatever it says.
    """
    if language == SOURCE or not isinstance(text, Sentence):
        return str(text)
    words = catalog(language)
    template = (
        words.ngettext(text.template, text.many, text.number)
        if text.many
        else words.gettext(text.template)
    )
    values = {
        name: translate(value, language) if isinstance(value, Sentence) else value
        for name, value in text.values.items()
    }
    return template.format(**values) if values else template

"""The languages that mails are written in: catalogs, and sentences translated by them.

English stands in the program and its templates; every other language is a catalog in gettext's
form, `pbem/locale/<language>/LC_MESSAGES/pbem.po`, read as it is when it is first needed.
"""

from __future__ import annotations

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.sentences import Sentence
from pbem.errors import ConfigError

SOURCE: Final = "en"
"""The language that the program itself is written in."""

_LOCALE = Path(__file__).resolve().parent / "locale"
_CATALOG = "LC_MESSAGES/pbem.po"


def catalog_file(language: str) -> Path:
    """Return where the catalog of a language lies."""
    return _LOCALE / language / _CATALOG


@cache
def languages() -> tuple[str, ...]:
    """List the codes of the languages that mails can be written in, English first."""
    found = sorted(file.parts[-3] for file in _LOCALE.glob(f"*/{_CATALOG}"))
    return (SOURCE, *found)


@cache
def catalog(language: str) -> gettext.NullTranslations:
    """Return the catalog of a language; what it lacks stays English.

    Raises: ConfigError, there is none.
    """
    if language not in languages():
        raise ConfigError(
            f"there are no texts in the language {language}; there are {', '.join(languages())}"
        )
    if language == SOURCE:
        return gettext.NullTranslations()
    with catalog_file(language).open("rb") as file:
        return read_catalog(file, language)


class Catalogue(gettext.GNUTranslations):
    """What the sentences of the program are in one language; unknown ones stay English."""

    def gettext(self, message: str) -> str:
        """Translate a text without a number; gettext keeps its header under the empty one."""
        return super().gettext(message) if message else ""


def read_catalog(po: IO[bytes], language: str) -> Catalogue:
    """Return the texts of a catalog in the form of gettext's `.po`, with its own plural rule."""
    compiled = BytesIO()
    write_mo(compiled, read_po(po, locale=language))
    compiled.seek(0)
    return Catalogue(compiled)


@cache
def _by_name() -> dict[str, str]:
    """Map what people call a language, in any language of ours, to its code."""
    names = {code: code for code in languages()}
    for code in languages():
        for writer in languages():
            names[(Locale.parse(code).get_language_name(writer) or code).lower()] = code
    return names


def find_language(name: str) -> str | None:
    """Return the code of a language by what people call it: `de`, `german`, `Deutsch`; None if we have none."""
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

"""Languages of messages: translation catalogs and their use.

English is in the program and its templates. Every other language has a gettext catalog,
`pbem/locale/<language>/LC_MESSAGES/pbem.po`, which is loaded on first use. A game that is installed
as a package has catalogs for its own sentences.
"""

from __future__ import annotations

import gettext
import re
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine import registry
from engine.sentences import Sentence
from pbem.errors import ConfigError

SOURCE: Final = "en"
"""The language of the sentences in the source code."""

QUOTES: Final = {"de": ("„", "“")}
"""Quotation marks of languages in which they differ from English."""

_LOCALE = Path(__file__).resolve().parent / "locale"
_CATALOG = "LC_MESSAGES/pbem.po"


def catalog_file(language: str) -> Path:
    """Return the path of a language's catalog."""
    return _LOCALE / language / _CATALOG


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages for messages, English first."""
    codes = sorted(file.parts[-3] for file in _LOCALE.glob(f"*/{_CATALOG}"))
    return (SOURCE, *codes)


@cache
def catalog(language: str) -> Source:
    """Return the catalog of a language. Sentences without a translation stay in English.

    Raises: ConfigError if the language is not available.
    """
    if language not in languages():
        raise ConfigError(
            f"there are no texts in the language {language}; there are {', '.join(languages())}"
        )
    if language == SOURCE:
        return Source()
    with catalog_file(language).open("rb") as file:
        result = read_catalog(file, language)
    for package in registry.installed():
        folder = package.folder("locale")
        if folder is not None:
            # If the catalog of a package cannot be read, its game stays in English.
            with suppress(OSError, ValueError), (folder / language / _CATALOG).open("rb") as file:
                result.add_fallback(read_catalog(file, language))
    return result


_OPENING = re.compile(r'(?<![^\s(\[/–])"')
_APOSTROPHE = re.compile(r"(?<=[\w})])'")


@cache
def curled(template: str, quotes: tuple[str, str]) -> str:
    """Return a sentence with the quotation marks of its language and curly apostrophes.

    Programs and catalogs use straight quotation marks. Only templates are changed, never their
    values, so that players' text stays as typed.
    """
    opening, closing = quotes
    template = _OPENING.sub(opening, template).replace('"', closing)
    return _APOSTROPHE.sub("’", template)


class Source(gettext.NullTranslations):
    """The untranslated sentences of the program, used for English."""

    quotes: tuple[str, str] = ("“", "”")

    def gettext(self, message: str) -> str:
        """Return the translation of a text without a number.

        The empty text is not translated, because gettext stores a catalog's header under it.
        """
        return curled(super().gettext(message), self.quotes) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation in the plural form for the number `n`."""
        return curled(super().ngettext(msgid1, msgid2, n), self.quotes)


class Catalogue(Source, gettext.GNUTranslations):
    """The sentences of the program in another language, or in English if untranslated."""


def read_catalog(po: IO[bytes], language: str) -> Catalogue:
    """Parse a gettext `.po` catalog, with its plural rule."""
    compiled = BytesIO()
    write_mo(compiled, read_po(po, locale=language))
    compiled.seek(0)
    result = Catalogue(compiled)
    result.quotes = QUOTES.get(language, Source.quotes)
    return result


@cache
def _by_name() -> dict[str, str]:
    """Map the names of each language, in all our languages, to its code."""
    names = {code: code for code in languages()}
    for code in languages():
        for writer in languages():
            names[(Locale.parse(code).get_language_name(writer) or code).lower()] = code
    return names


def find_language(name: str) -> str | None:
    """Return the code of a language, given its name or code, or None if it is not available.

    Examples: `de`, `german`, `Deutsch`.
    """
    return _by_name().get(name.strip().lower())


def own_name(language: str) -> str:
    """Return a language's name for itself: `English`, `Deutsch`."""
    return Locale.parse(language).get_language_name(language) or language


def translate(text: str, language: str) -> str:
    """Translate a sentence: its template is translated, then filled in.

    Text that is not a `Sentence` (a name, a player's talk) is returned unchanged.
    """
    if not isinstance(text, Sentence):
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


def squeezed(text: str) -> str:
    """Remove letters that are repeated three times or more: `jaaa` becomes `ja`."""
    return re.sub(r"([^\W\d_])\1{2,}", r"\1", text)

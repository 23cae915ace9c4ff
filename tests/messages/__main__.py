"""Bring every catalog up to date with the program: `make messages`.

New sentences are added without a translation, those that are gone are left out; what was translated
stays. Then it says what is missing.
"""

from __future__ import annotations

import sys

from babel.messages.pofile import read_po, write_po

from pbem.language import SOURCE, catalog_file, languages
from tests.messages.extract import template_catalog

HEADER = """\
# What pbem says to players. `make messages` adds new sentences; their translations are written here.
msgid ""
msgstr ""
"Project-Id-Version: pbem\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def main() -> int:
    """Update all catalogs; give 1 if a sentence is not translated."""
    template = template_catalog()
    missing = 0
    for language in languages():
        if language == SOURCE:
            continue
        file = catalog_file(language)
        with file.open("rb") as old:
            catalog = read_po(old, locale=language)
        catalog.update(template, no_fuzzy_matching=True)
        with file.open("wb") as new:
            new.write(HEADER.format(language=language).encode())
            write_po(
                new,
                catalog,
                width=100,
                ignore_obsolete=True,
                include_lineno=False,
                omit_header=True,
            )
        empty = [
            message for message in catalog if message.id and not _is_translated(message.string)
        ]
        missing += len(empty)
        sys.stdout.write(f"{language}: {len(catalog)} sentences, {len(empty)} not translated\n")
    return 1 if missing else 0


def _is_translated(string: str | tuple[str, ...]) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


if __name__ == "__main__":
    sys.exit(main())

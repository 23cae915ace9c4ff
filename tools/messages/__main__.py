"""Update every translation catalog to the program's sentences: `make messages`.

New sentences are added without a translation, and removed sentences are deleted. Existing
translations do not change. Missing translations are listed at the end. With the folder of a package
(`python -m tools.messages games/oh-hell`), the catalogs of that game are updated, which contain only
sentences that the program does not have.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from pbem.language import SOURCE, catalog_file, languages
from tools.messages.extract import package_catalog, template_catalog
from tools.new_game import install

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


def main(source: Path | None) -> int:
    """Update all catalogs, or those of a package. Return 1 if a sentence is not translated."""
    if source is None:
        files = {language: catalog_file(language) for language in languages()}
        return _update(
            {name: file for name, file in files.items() if name != SOURCE}, template_catalog()
        )
    with TemporaryDirectory() as temporary:
        (module, *_) = install(source, Path(temporary))
        sys.path.insert(0, temporary)
        template = package_catalog(Path(temporary) / module)
    catalogues = (source / module / "locale").glob("*/LC_MESSAGES/pbem.po")
    return _update({file.parts[-3]: file for file in catalogues}, template)


def _update(files: Mapping[str, Path], template: Catalog) -> int:
    missing = 0
    for language, file in files.items():
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
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))

"""A club with pages: a table of tests, and the folder of its pages."""

from __future__ import annotations

from pathlib import Path

from pbem.sections import Pages
from pbem.service.pages import building
from tests.service.conftest import Table, configured

URL = "https://cards.example.org/club"


def with_pages(table: Table, folder: Path) -> Table:
    """Switch pages on."""
    table.service = configured(table.service, pages=Pages(folder=folder, url=URL))
    return table


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name, but for the lock."""
    found = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def built_anew(table: Table, folder: Path) -> dict[str, bytes]:
    """The files of a build into an empty folder; the table goes on with its own."""
    section = table.service.config.pages
    assert section is not None
    with_pages(table, folder)
    building.build(table.service)
    with_pages(table, section.folder)
    with table.service.store.unit_of_work() as uow:
        uow.pages.outdate()
    return files(folder)

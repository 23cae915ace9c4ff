"""The generated pages say what the program is today."""

import pytest

from tests.references.pages import DOCS, pages

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run `make references`"


def test_every_key_of_the_configuration_is_explained():
    unexplained = [line for line in PAGES["configuration.md"].splitlines() if line.endswith("|  |")]
    assert unexplained == []


def test_every_command_shows_an_example():
    sections = PAGES["cli.md"].split("\n## ")[1:]
    commands = [part for section in sections for part in section.split("\n### ")]
    lacking = [
        part.splitlines()[0]
        for part in commands
        if "COMMAND [ARGS]" not in part and "Example" not in part
    ]
    assert lacking == []

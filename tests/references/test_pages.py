"""Test that the generated pages agree with the program."""

import shutil
import subprocess

import pytest

from tools.references.pages import DOCS, pages

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make references`"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_manual_page_is_sound() -> None:
    """The formatter has no complaint, and shows each command."""
    made = subprocess.run(
        ["groff", "-man", "-ww", "-K", "utf8", "-T", "utf8", DOCS / "man" / "pbem.1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert made.stderr == ""
    assert "pbem mail outbox list" in made.stdout


def test_every_key_of_the_configuration_is_explained():
    lines = PAGES["configuration.md"]().splitlines()
    unexplained = [line for line in lines if line.endswith("|  |")]
    assert unexplained == []


def test_every_command_shows_an_example():
    sections = PAGES["cli.md"]().split("\n## ")[1:]
    commands = [part for section in sections for part in section.split("\n### ")]
    lacking = [
        part.splitlines()[0]
        for part in commands
        if "COMMAND [ARGS]" not in part and "Example" not in part
    ]
    assert lacking == []

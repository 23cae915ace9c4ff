"""Test that every kind of fact has exactly one sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import resources
from pbem.domain.table.facts import FACTS
from pbem.mail_out.render import Renderer
from tests.mail_out.samples import game_mail

ROOT = Path(__file__).parents[2]
TEMPLATES = resources.templates_dir() / "email"
SILENT = {"kept", "revealed"}
"""Kinds that some game has, and another one, with the same module, has not."""


def macros(file: str) -> list[str]:
    return re.findall(r"macro happened_(\w+)\(fact\)", (TEMPLATES / file).read_text())


def names(folder: str) -> Iterator[str]:
    """Yield every text in the code of a folder that could be the name of a fact."""
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def facts(folder: str) -> set[str]:
    """Return the kinds of facts that code names where it makes one."""
    calls = (
        node
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
    )
    return {
        call.args[0].value
        for call in calls
        if getattr(call.func, "id", "") in ("Fact", "_told", "_fact")
        for _ in call.args[:1]
        if isinstance(call.args[0], ast.Constant)
    }


def test_every_fact_that_the_service_makes_has_a_row() -> None:
    assert facts("pbem") <= set(FACTS)


def test_every_row_is_a_fact_that_the_program_can_tell() -> None:
    made_up = {"bot_decides", "person_decides"}  # f"{controller}_decides"
    assert set(FACTS) - made_up <= set(names("pbem/domain")) | set(names("pbem/service"))


@pytest.mark.parametrize("game", ["phyliss", "cathedral", "phalanx", "phase10"])
def test_every_macro_of_a_game_tells_a_fact_of_its_engine(game: str) -> None:
    said = macros(f"includes/{game}/words.txt")
    assert len(said) == len(set(said))
    known = set(names(f"engine/{game}")) | set(names("engine"))
    assert set(said) <= known
    assert facts(f"engine/{game}") - set(said) <= {"chosen", "battle"}


def test_a_fact_without_a_macro_says_nothing() -> None:
    renderer = Renderer([TEMPLATES])
    assert renderer.sentences(game_mail(happened=())) == []

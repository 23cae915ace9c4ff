"""Test that each game has one profile, and that no other module names a game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.reading.lexicon import parted
from pbem.games.face import GameFace, face, faces

PACKAGE = Path(__file__).parents[2] / "pbem"
SOURCES = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "games" not in path.parents]
GAMES = sorted({rules.__module__.split(".")[1] for rules in map(type, registry.RULESETS)})
NAMED = re.compile("|".join(GAMES), re.IGNORECASE)


def test_the_search_knows_what_to_look_for() -> None:
    assert GAMES == ["cathedral", "phalanx", "phase10", "phyliss"]
    assert len(SOURCES) > 100


@pytest.mark.parametrize("name", registry.names())
def test_every_game_that_is_shipped_has_a_whole_face(name: str) -> None:
    its = face(name)
    assert its is faces()[name]
    assert its.bot is not None
    assert its.picture is not None
    assert its.forms.keys() == {"de"}
    assert {code for _, said in parted(its.rows) for code in said} == {"en", "de"}
    assert its.subjects
    assert its.next_examples
    assert {*its.aliases} <= {*registry.names()}


def test_a_game_without_a_file_of_its_own_has_the_plain_face() -> None:
    assert face("whist") == GameFace()


def test_a_profile_of_1_0_has_its_everyday_words_by_language() -> None:
    """`said` of packages that were written for 1.0 means the same as `rows` (docs/stable.md)."""
    old = GameFace(
        said={"en": "\nbid {number} | bid/call | on it\n", "de": "\nbid {number} | biete | auf"}
    )
    rows = list(parted(old.everyday_rows))
    assert rows == [
        ("bid {number}", {"en": "bid/call | on it"}),
        ("bid {number}", {"de": "biete | auf"}),
    ]
    assert GameFace(rows="x\n    en | y\n").everyday_rows == "x\n    en | y\n"


def said(tree: ast.Module) -> Iterator[str]:
    """What a module says: strings, imports and names, but for docstrings and the help of commands."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        shown: ast.AST | None = None  # which may show examples
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (getattr(node, "module", None) or "", *(alias.name for alias in node.names))
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "help"):
            shown = node.value if isinstance(node.value, ast.Constant) else None
        waiting += (below for below in ast.iter_child_nodes(node) if below is not shown)


def test_no_other_module_names_a_game() -> None:
    found = [
        (str(path.relative_to(PACKAGE)), text)
        for path in SOURCES
        for text in said(ast.parse(path.read_text(encoding="utf-8")))
        if NAMED.search(text)
    ]
    assert found == []

"""Check the architecture: module sizes, service layers, docstrings and glossary entries.

The import contracts in `pyproject.toml` hold the layers themselves.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SOURCES = sorted((ROOT / "pbem").rglob("*.py"))
GLOSSARY = (ROOT / "docs" / "dev" / "glossary.md").read_text(encoding="utf-8")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
MAX_LINES = 600
"""Lines of a module, docstrings included."""


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass
class Read:
    """What is asked about a module: parsing all takes a second, so each is parsed once.

    Attributes:
        docstrings: with the places where they stand.
        names: public ones of classes and functions.
    """

    docstrings: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


@cache
def read(path: Path) -> Read:
    """Parse a module once and collect what the tests ask about."""
    result = Read()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS) and (
            text := ast.get_docstring(node)
        ):
            result.docstrings.append((f"{name(path)}:{getattr(node, 'lineno', 1)}", text))
        if isinstance(node, ast.ClassDef | FUNCTIONS) and not node.name.startswith("_"):
            result.names.add(node.name)
    return result


def test_a_module_has_at_most_600_lines() -> None:
    counts = {name(path): lines(path) for path in SOURCES}
    assert {path: count for path, count in counts.items() if count > MAX_LINES} == {}


def test_every_layer_of_the_service_is_in_the_architecture_page() -> None:
    contracts = {
        contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]
    }
    contract = contracts["rooms of the service"]
    assert contract["exhaustive"]
    assert not contract.get("ignore_imports")
    layers = [layer.split(" | ") for layer in contract["layers"]]
    page = (ROOT / "docs" / "dev" / "architecture.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)]
    assert all(set(layer) in map(set, rows) for layer in layers)


def test_docstrings_begin_in_plain_english() -> None:
    """An imperative says what comes back; a predicate says what is true."""
    stiff = re.compile(r"(Gives?|Says? (whether|if)|Tells? (whether|if)|Whoever|Whom) ")
    sources = [*SOURCES, *sorted((ROOT / "engine").rglob("*.py"))]
    said = [one for path in sources for one in read(path).docstrings]
    assert len(said) > 1000
    assert [place for place, text in said if stiff.match(text)] == []


def table_rows() -> list[tuple[str, list[str]]]:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", GLOSSARY, re.MULTILINE)
    return [(word, re.findall(r"`([\w.]+)`", code)) for word, code in rows if "`" in code]


@pytest.mark.parametrize(("word", "places"), table_rows(), ids=lambda value: str(value)[:40])
def test_a_word_of_the_glossary_lives_where_it_says(word: str, places: list[str]) -> None:
    for place in places:
        try:
            importlib.import_module(place)
        except ModuleNotFoundError:
            module, _, member = place.rpartition(".")
            assert hasattr(importlib.import_module(module), member), (word, place)


def test_words_that_we_do_not_use_are_in_no_public_name() -> None:
    """Modules, classes and functions of the package."""
    refused = re.findall(r"`(\w+)`", GLOSSARY.split("## Words we do not use in names")[1])
    assert len(refused) >= 5
    names = {path.stem for path in SOURCES}.union(*(read(path).names for path in SOURCES))
    parts = {part.lower() for one in names for part in re.findall(r"[A-Z]?[a-z]+", one)}
    assert parts & set(refused) == set()


def test_tests_import_neither_benchmarks_nor_trials() -> None:
    """Both measure at length; a test that needed them could not run without them."""
    imports = re.compile(r"^ *(?:from|import) (?:bench|trials)\b", re.MULTILINE)
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [name(path) for path in files if imports.search(path.read_text("utf-8"))] == []

"""The house stays as it is: sizes of rooms, docstrings, words.

The numbers stand in `pyproject.toml` under `[tool.pbem.budget]`. Raising one is a line in a commit that
says why.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUDGET = PROJECT["tool"]["pbem"]["budget"]
SOURCES = sorted((ROOT / "pbem").rglob("*.py"))
GLOSSARY = (ROOT / "docs" / "dev" / "glossary.md").read_text(encoding="utf-8")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def rooms() -> Iterator[Path]:
    """Every package below `pbem`, itself included; a floor with rooms counts its own modules only."""
    return (path.parent for path in SOURCES if path.name == "__init__.py")


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def modules(room: Path) -> int:
    return len([path for path in room.glob("*.py") if path.name != "__init__.py"])


@pytest.mark.parametrize("room", sorted(rooms()), ids=name)
def test_a_room_keeps_its_budget(room: Path) -> None:
    assert modules(room) <= BUDGET["modules"].get(name(room), BUDGET["modules_of_a_room"])
    assert sum(map(lines, room.glob("*.py"))) <= BUDGET["lines"][name(room)]


def test_no_budget_is_left_over() -> None:
    assert set(BUDGET["lines"]) == set(map(name, rooms()))
    many = {name(room): modules(room) for room in rooms()}
    many = {room: count for room, count in many.items() if count > BUDGET["modules_of_a_room"]}
    assert BUDGET["modules"] == many
    assert set(BUDGET["splinters"]) <= set(map(name, SOURCES))


def test_the_package_keeps_its_budget() -> None:
    assert sum(map(lines, SOURCES)) <= BUDGET["lines_of_the_package"]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_module_is_one_thought(path: Path) -> None:
    """Neither a splinter without a reason nor more than a reader takes in."""
    assert lines(path) <= 600
    if path.name not in ("__init__.py", "__main__.py") and lines(path) < 50:
        assert BUDGET["splinters"][name(path)], "say why it stands alone, or merge it"


def test_the_service_keeps_its_rooms_and_floors() -> None:
    """The longest way down is as long as the contract has layers, and no room is left out of it."""
    contracts = {one["name"]: one for one in PROJECT["tool"]["importlinter"]["contracts"]}
    contract = contracts["rooms of the service"]
    assert contract["exhaustive"]
    floors = [layer.split(" | ") for layer in contract["layers"]]
    assert len(floors) <= BUDGET["service"]["floors"]
    assert not contract.get("ignore_imports")
    service = ROOT / "pbem" / "service"
    assert len([*service.glob("*/__init__.py")]) <= BUDGET["service"]["rooms"]
    assert len([*service.glob("*.py")]) <= 1 + 3, "its docstring and at most three modules"
    page = (ROOT / "docs" / "dev" / "design.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)]
    assert all(set(floor) in map(set, rows) for floor in floors)


def test_parameters_imports_and_exceptions_keep_their_budget() -> None:
    """Long signatures, imports inside of functions, and `noqa`."""
    wide, inner, silenced = [], [], 0
    for path in SOURCES:
        silenced += path.read_text(encoding="utf-8").count("# noqa")
        for node in nodes(path):
            if isinstance(node, FUNCTIONS):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if len([one for one in arguments if one.arg not in ("self", "cls")]) > 6:
                    wide.append(f"{name(path)}: {node.name}")
                inner += [
                    f"{name(path)}: {node.name}"
                    for below in ast.walk(node)
                    if isinstance(below, ast.Import | ast.ImportFrom)
                ]
    assert len(wide) <= BUDGET["wide_functions"], wide
    assert len(set(inner)) <= BUDGET["inner_imports"], inner
    assert silenced <= BUDGET["noqa"]


def docstrings() -> Iterator[tuple[str, str]]:
    for base in ("pbem", "engine"):
        for path in sorted((ROOT / base).rglob("*.py")):
            for node in nodes(path):
                if isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS):
                    text = ast.get_docstring(node)
                    if text:
                        yield f"{name(path)}:{getattr(node, 'lineno', 1)}", text


def test_docstrings_begin_in_plain_english() -> None:
    """An imperative says what comes back; a predicate says what is true."""
    stiff = re.compile(r"(Gives?|Says? (whether|if)|Tells? (whether|if)|Whoever|Whom) ")
    assert [place for place, text in docstrings() if stiff.match(text)] == []


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
    names = {path.stem for path in SOURCES}
    for path in SOURCES:
        names |= {
            node.name
            for node in nodes(path)
            if isinstance(node, ast.ClassDef | FUNCTIONS) and not node.name.startswith("_")
        }
    parts = {part.lower() for one in names for part in re.findall(r"[A-Z]?[a-z]+", one)}
    assert parts & set(refused) == set()

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
from dataclasses import dataclass, field
from functools import cache
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


@dataclass
class Read:
    """What is asked about a module: parsing all takes a second, so each is parsed once.

    Attributes:
        docstrings: with the places where they stand.
        names: public ones of classes and functions.
        wide: functions of more than six parameters.
        inner: functions with imports inside.
    """

    docstrings: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    wide: list[str] = field(default_factory=list)
    inner: set[str] = field(default_factory=set)


@cache
def read(path: Path) -> Read:
    found = Read()
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(ast.parse(path.read_text("utf-8")), ())]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS) and (
            text := ast.get_docstring(node)
        ):
            found.docstrings.append((f"{name(path)}:{getattr(node, 'lineno', 1)}", text))
        if isinstance(node, ast.ClassDef | FUNCTIONS) and not node.name.startswith("_"):
            found.names.add(node.name)
        if isinstance(node, FUNCTIONS):
            around = (*around, f"{name(path)}: {node.name}")
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if len([one for one in arguments if one.arg not in ("self", "cls")]) > 6:
                found.wide.append(around[-1])
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.inner.update(around)
        waiting += ((below, around) for below in ast.iter_child_nodes(node))
    return found


def modules(room: Path) -> int:
    return len([path for path in room.glob("*.py") if path.name != "__init__.py"])


def test_a_room_keeps_its_budget() -> None:
    have = {name(room): (modules(room), sum(map(lines, room.glob("*.py")))) for room in rooms()}
    many, most = BUDGET["modules"], BUDGET["modules_of_a_room"]
    may = {room: (many.get(room, most), BUDGET["lines"].get(room, 0)) for room in have}
    beyond = {
        room: (figures, may[room])
        for room, figures in have.items()
        if any(figure > limit for figure, limit in zip(figures, may[room], strict=True))
    }
    assert beyond == {}, "modules and lines of a room, and how many there may be"


def test_no_budget_is_left_over() -> None:
    assert set(BUDGET["lines"]) == set(map(name, rooms()))
    many = {name(room): modules(room) for room in rooms()}
    many = {room: count for room, count in many.items() if count > BUDGET["modules_of_a_room"]}
    assert BUDGET["modules"] == many
    assert set(BUDGET["splinters"]) <= set(map(name, SOURCES))


def test_the_package_keeps_its_budget() -> None:
    assert sum(map(lines, SOURCES)) <= BUDGET["lines_of_the_package"]


def test_a_module_is_one_thought() -> None:
    """Neither a splinter without a reason nor more than a reader takes in."""
    long = {name(path): lines(path) for path in SOURCES}
    assert {path: count for path, count in long.items() if count > 600} == {}
    short = {path for path, count in long.items() if count < 50}
    alone = {path for path in short if not path.endswith(("/__init__.py", "/__main__.py"))}
    unexplained = {path for path in alone if not BUDGET["splinters"].get(path)}
    assert unexplained == set(), "say why it stands alone, or merge it"


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
    silenced = sum(path.read_text(encoding="utf-8").count("# noqa") for path in SOURCES)
    wide = [one for path in SOURCES for one in read(path).wide]
    inner = {one for path in SOURCES for one in read(path).inner}
    assert len(wide) <= BUDGET["wide_functions"], wide
    assert len(inner) <= BUDGET["inner_imports"], inner
    assert silenced <= BUDGET["noqa"]


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

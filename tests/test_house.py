"""Check the architecture: module sizes, docstrings, and what tests import.

The import contracts in `pyproject.toml` hold the layers themselves.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "pbem").rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
MAX_LINES = 600
"""Lines of a module, docstrings included."""


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def docstrings(path: Path) -> list[tuple[str, str]]:
    """Return where each docstring of a module is, and its text."""
    return [
        (f"{name(path)}:{getattr(node, 'lineno', 1)}", text)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Module | ast.ClassDef | FUNCTIONS)
        and (text := ast.get_docstring(node))
    ]


def test_a_module_has_at_most_600_lines() -> None:
    counts = {name(path): lines(path) for path in SOURCES}
    assert {path: count for path, count in counts.items() if count > MAX_LINES} == {}


def test_docstrings_begin_in_plain_english() -> None:
    """An imperative says what comes back; a predicate says what is true."""
    stiff = re.compile(r"(Gives?|Says? (whether|if)|Tells? (whether|if)|Whoever|Whom) ")
    sources = [*SOURCES, *sorted((ROOT / "engine").rglob("*.py"))]
    texts = [item for path in sources for item in docstrings(path)]
    assert len(texts) > 1000
    assert [place for place, text in texts if stiff.match(text)] == []


def test_tests_import_neither_benchmarks_nor_trials() -> None:
    """Both measure at length; a test that needed them could not run without them."""
    imports = re.compile(r"^ *(?:from|import) (?:bench|trials)\b", re.MULTILINE)
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [name(path) for path in files if imports.search(path.read_text("utf-8"))] == []

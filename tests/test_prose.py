"""Check docstrings for constructions that are hard to read.

`EXCEPTIONS` counts the docstrings that were written before this check. Lower the numbers when you
reword some; never raise one.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(path for room in ("pbem", "engine") for path in (ROOT / room).rglob("*.py"))

HARD_TO_READ = re.compile(
    r"^(?:Who|Whom|Whose|What|Whoever|Whatever|How|Where|Why)\b(?!.*\?$)"
    r"|\banew\b"
    r"|\b(?:lies|stands|stood)\b|\b(?:is|are) told\b"
    r"|^[^.]*;[^.]*;",
    re.MULTILINE,
)
"""Clauses without a noun at the start, `anew`, statives, and two semicolons in a sentence."""

EXCEPTIONS: dict[str, int] = {}
"""Docstrings that still have one, by package or module."""


def room(path: Path) -> str:
    """Return the package of a module, two levels below the root, or the module itself."""
    return "/".join(path.relative_to(ROOT).parts[:3 if path.is_relative_to(ROOT / "pbem" / "service") or path.is_relative_to(ROOT / "pbem" / "domain") else 2])


def docstrings(path: Path) -> list[str]:
    """Return all docstrings of a module, including those of attributes."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [
        node.value.value
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def test_docstrings_are_easy_to_read() -> None:
    found = [(room(path), text) for path in SOURCES for text in docstrings(path)]
    assert len(found) > 5000
    hard = [(place, text) for place, text in found if HARD_TO_READ.search(text)]
    counts = Counter(place for place, _ in hard)
    print(sorted(counts.items()))
    for place, t in hard: print(place, '|', HARD_TO_READ.search(t)[0][:40].replace(chr(10),' '), '|', t[:100].replace(chr(10),' '))
    assert 0

"""Check docstrings for constructions that are hard to read."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path for part in ("bench", "engine", "pbem") for path in (ROOT / part).rglob("*.py")
)

HARD_TO_READ = re.compile(
    r"\A\s*(?:Who|Whom|Whose|What|Whoever|Whatever)\b"
    r"|\banew\b"
    r"|\b(?:lies|stands)\b(?! for\b)|\b(?:is|are) told\b"
    r"|[^.;:]*;[^.;]*;",
)
"""A clause at the start, "anew", statives, and two semicolons in one sentence."""


def docstrings_of(path: Path) -> list[str]:
    """Return all docstrings of a module, including those of attributes, without `Raises`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.value.value.partition("Raises: ")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def test_docstrings_are_easy_to_read() -> None:
    found = [(path.name, text) for path in SOURCES for text in docstrings_of(path)]
    assert len(found) > 5000
    assert [(name, text[:80]) for name, text in found if HARD_TO_READ.search(text)] == []

"""The engine is pure: what it may import, read and keep (GEN-1, GEN-2)."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine"
MODULES = sorted(ENGINE.rglob("*.py"))
ALLOWED = {
    "__future__", "collections", "dataclasses", "difflib", "engine", "enum", "functools", "hashlib",
    "itertools", "json", "re", "struct", "sys", "typing", "unicodedata",
}  # fmt: skip
SHELL = {
    "engine/__main__.py": {"sys"},
    "engine/cards.py": {"sys"},
    "engine/packages.py": {"importlib", "pathlib"},
}
"""Who may import more: the program for its streams, the cards for `intern`, and who finds other games."""

by_path = pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(ENGINE.parent).as_posix()
)


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module


@pytest.mark.rule("GEN-1", "GEN-2")
@by_path
def test_only_what_computes_is_imported(path):
    """No clock, no chance, no files, no network, no logging."""
    name = path.relative_to(ENGINE.parent).as_posix()
    allowed = ALLOWED - {"sys"} | SHELL.get(name, set())
    roots = {module.split(".")[0] for module in imported(ast.parse(path.read_text("utf-8")))}
    assert roots <= allowed


@pytest.mark.rule("GEN-1")
@by_path
def test_nothing_is_read_printed_or_hashed_by_address(path):
    """`open`, `print`, `input`, `id`, `hash`, `global` have no place here."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        assert not isinstance(node, ast.Global)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input", "id", "hash", "eval", "exec"}


@by_path
def test_modules_stay_small(path):
    """At most 400 lines each."""
    assert len(path.read_text("utf-8").splitlines()) <= 400


@pytest.mark.rule("GEN-1")
def test_games_do_not_import_each_other():
    """What they share lies below them."""
    games = {path.parent.name for path in ENGINE.glob("*/rules.py")}
    assert "phyliss" in games
    for path in MODULES:
        if path.parent.name in games:
            others = {f"engine.{game}" for game in games - {path.parent.name}}
            modules = imported(ast.parse(path.read_text("utf-8")))
            assert not any(module.startswith(tuple(others)) for module in modules if others)


@pytest.mark.rule("GEN-1")
def test_states_do_not_depend_on_the_hash_seed():
    """Two processes with different string hashes play the same game."""
    script = (
        "from engine.protocol import Conversation\n"
        "import json\n"
        "s = Conversation()\n"
        "s.answer({'op': 'new', 'ruleset': 'phyliss', 'players': 4, 'seed': '07' * 32})\n"
        "for n in range(400):\n"
        "    t = s.answer({'op': 'state'})['to_act']\n"
        "    if t: s.answer({'op': 'play', 'seat': t[0], 'order': str(21 + n % 3)})\n"
        "    if t: s.answer({'op': 'play', 'seat': t[0], 'order': '21'})\n"
        "out = [s.answer({'op': op}) for op in ('state', 'result', 'log')]\n"
        "import sys; sys.stdout.write(json.dumps(out))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed}, cwd=ENGINE.parent, capture_output=True, check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }  # fmt: skip
    assert len(answers) == 1

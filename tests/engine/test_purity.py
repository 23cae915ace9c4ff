"""Test that the engine is pure: its imports, inputs and state (GEN-1, GEN-2)."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine"
MODULES = {
    path.relative_to(ENGINE.parent).as_posix(): path.read_text("utf-8")
    for path in sorted(ENGINE.rglob("*.py"))
}
ALLOWED = {
    "__future__", "abc", "collections", "dataclasses", "difflib", "engine", "enum", "functools", "hashlib",
    "itertools", "json", "operator", "re", "struct", "sys", "textwrap", "typing", "unicodedata",
}  # fmt: skip
SHELL = {
    "engine/__main__.py": {"sys"},
    "engine/cards.py": {"sys"},
    "engine/packages.py": {"contextlib", "importlib", "io", "pathlib", "threading"},
    "engine/testing.py": {"hypothesis"},
}
"""Modules that import more: the program for its streams, the cards for `intern`, the finder of other games,
whose output it drops, and the contract of rulesets as a test."""


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module


@pytest.mark.rule("GEN-1", "GEN-2")
def test_only_what_computes_is_imported():
    """No clock, no chance, no files, no network, no logging."""
    assert len(MODULES) > 50
    found = [
        (name, module)
        for name, text in MODULES.items()
        for module in imported(ast.parse(text))
        if module.split(".")[0] not in ALLOWED - {"sys"} | SHELL.get(name, set())
    ]
    assert found == []


@pytest.mark.rule("GEN-1")
def test_nothing_is_read_printed_or_hashed_by_address():
    """`open`, `print`, `input`, `id`, `hash`, `global` have no place here."""
    refused = {"open", "print", "input", "id", "hash", "eval", "exec"}
    found = [
        (name, node.lineno)
        for name, text in MODULES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Global)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in refused
        )
    ]
    assert found == []


@pytest.mark.rule("GEN-1")
def test_games_do_not_import_each_other():
    """Shared code is in modules outside the games."""
    games = {path.parent.name for path in ENGINE.glob("*/rules.py")}
    assert "phyliss" in games
    for name, text in MODULES.items():
        game = name.split("/")[1]
        if game in games:
            others = {f"engine.{other}" for other in games - {game}}
            modules = imported(ast.parse(text))
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

"""Find tests that cannot fail: `python -m tools.assertions`, part of `make check`.

Every path through a test must assert something. A `return` before the first assertion is a fault, as is a
test whose only assertion is in an `if` without `else` or can be skipped by a `continue`. `assert`, `raise`,
`pytest.raises` and calls of functions that assert count as assertions. A loop counts as if its body ran.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ("tests/**/*.py", "trials/**/*.py", "games/*/tests/**/*.py", "engine/testing.py")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
ASSERTING = frozenset({"raises", "warns", "fail", "skip", "run_state_machine_as_test"})
"""Functions of pytest and Hypothesis that assert or skip."""


def main(root: Path = ROOT) -> int:
    """Print the faults of all tests and return 1 if there are any."""
    files = [path for pattern in FILES for path in sorted(root.glob(pattern))]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    asserting = functions_that_assert(trees.values())
    faults = [
        f"{path.relative_to(root)}:{test.lineno}: {test.name} {fault}"
        for path, tree in trees.items()
        if path.name.startswith("test_")
        for test in ast.walk(tree)
        if isinstance(test, FUNCTIONS) and test.name.startswith("test_")
        if (fault := fault_of(test, asserting))
    ]
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


def functions_that_assert(trees: Sequence[ast.Module] | Iterator[ast.Module]) -> frozenset[str]:
    """Return the names of functions that assert something, at any depth of calls."""
    calls: dict[str, set[str]] = {}
    names = set(ASSERTING)
    for tree in trees:
        for function in ast.walk(tree):
            if isinstance(function, FUNCTIONS):
                called = calls.setdefault(function.name, set())
                for node in _own(function):
                    if isinstance(node, ast.Assert | ast.Raise):
                        names.add(function.name)
                    elif isinstance(node, ast.Call):
                        called.add(_name(node))
    while more := {name for name, called in calls.items() if called & names} - names:
        names |= more
    return frozenset(names)


def fault_of(test: FUNCTIONS, asserting: frozenset[str]) -> str:
    """Return what is wrong with a test, or an empty string."""
    own, any_depth = _asserts(test.body, ASSERTING), _asserts(test.body, asserting)
    if not isinstance(own, bool):
        return f"can leave on line {own} before it asserts anything itself"
    return "" if any_depth else "has a path without an assertion"


def _asserts(body: Sequence[ast.stmt], asserting: frozenset[str]) -> bool | int:
    """Return whether these statements always assert.

    The result is a line number if a `return` on that line can precede the assertion.
    """
    for statement in body:
        if isinstance(statement, ast.Continue | ast.Break):
            return False
        if isinstance(statement, ast.Return) and not _calls(statement, asserting):
            return statement.lineno
        if (result := _one_asserts(statement, asserting)) is not False:
            return result
        if _skips(statement):
            return False
    return False


def _skips(statement: ast.stmt) -> bool:
    """True if the statement may continue with the next iteration of the enclosing loop."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Continue):
            return True
        if not isinstance(node, FUNCTIONS | ast.Lambda | ast.For | ast.AsyncFor | ast.While):
            todo.extend(ast.iter_child_nodes(node))
    return False


def _one_asserts(statement: ast.stmt, asserting: frozenset[str]) -> bool | int:
    parts: list[list[ast.stmt]]
    match statement:
        case ast.Assert() | ast.Raise():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return False
        case ast.If(test=condition, body=body, orelse=other):
            heads: list[ast.expr] = [condition]
            parts = [body, other]
        case ast.Match(subject=subject, cases=cases):
            heads, parts = [subject], [case.body for case in cases]
        case ast.For() | ast.AsyncFor():
            heads, parts = [statement.iter], [statement.body]
        case ast.While():
            heads, parts = [statement.test], [statement.body]
        case ast.With() | ast.AsyncWith():
            heads, parts = [item.context_expr for item in statement.items], [statement.body]
        case ast.Try():
            heads, parts = [], [[*statement.body, *statement.orelse, *statement.finalbody]]
            parts += [
                handler.body
                for handler in statement.handlers
                if isinstance(_asserts(handler.body, asserting), int)
                and not isinstance(_asserts(handler.body, asserting), bool)
            ]
        case _:
            return _calls(statement, asserting)
    if any(_calls(head, asserting) for head in heads):
        return True
    results = [_asserts(branch, asserting) for branch in parts]
    early = [result for result in results if not isinstance(result, bool)]
    return early[0] if early else all(results)


def _calls(node: ast.AST, asserting: frozenset[str]) -> bool:
    return any(
        isinstance(child, ast.Call) and _name(child) in asserting for child in ast.walk(node)
    )


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _own(function: FUNCTIONS) -> Iterator[ast.AST]:
    """Yield the nodes of a function, except those of nested functions."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, FUNCTIONS | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


if __name__ == "__main__":
    sys.exit(main())

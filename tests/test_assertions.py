"""Test that `make check` finds tests that cannot fail."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tools.assertions import fault_of, functions_that_assert

HELPERS = ast.parse(
    """
def holds(x):
    assert x

def both_hold(x):
    holds(x)

def does_nothing(x):
    return x
"""
)


def fault(body: str) -> str:
    """Return the fault of a test with this body."""
    tree = ast.parse(f"def test_it():\n{textwrap.indent(body, '    ')}")
    (test,) = tree.body
    assert isinstance(test, ast.FunctionDef)
    return fault_of(test, functions_that_assert([HELPERS, tree]))


@pytest.mark.parametrize(
    "body",
    [
        "assert x",
        "holds(x)",
        "both_hold(x)",
        "with pytest.raises(ValueError):\n    int(x)",
        "for x in y:\n    assert x",
        "for x in y:\n    if x:\n        continue\n    holds(x)\nassert y",
        "if x:\n    assert y\nelse:\n    holds(x)",
        "if x:\n    pytest.skip('no browser')\nassert y",
        "assert x\nif y:\n    return",
        "def inner():\n    assert x\ninner()",
    ],
)
def test_a_test_that_asserts_on_every_path_is_accepted(body: str) -> None:
    assert fault(body) == ""


@pytest.mark.parametrize(
    "body",
    [
        "run(x)",
        "does_nothing(x)",
        "if x:\n    assert y",
        "for x in y:\n    if x:\n        continue\n    assert x",
        "def inner():\n    assert x",
        "match x:\n    case 1:\n        assert y\n    case _:\n        pass",
    ],
)
def test_a_path_without_an_assertion_is_a_fault(body: str) -> None:
    assert fault(body) == "has a path without an assertion"


@pytest.mark.parametrize(
    "body",
    [
        "if x:\n    return\nassert y",
        "holds(x)\nif x:\n    return\nassert y",
        "try:\n    y = int(x)\nexcept ValueError:\n    return\nassert y",
    ],
)
def test_a_return_before_the_first_assertion_is_a_fault(body: str) -> None:
    assert fault(body).startswith("can leave on line")

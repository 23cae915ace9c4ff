"""Test canonical JSON: one text for each value, and no ambiguous values."""

import json
from collections import OrderedDict
from enum import IntEnum, StrEnum
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.canonical import canonical_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=20,
)


class Pair(NamedTuple):
    first: int
    second: int


class Colour(StrEnum):
    RED = "red"


class Number(IntEnum):
    ONE = 1


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, False, None]}, '{"a":[true,false,null],"b":1}'),
        ({"é": "♥", "e": '"\\\n\x01\x7f\u2028'}, '{"e":"\\"\\\\\\n\\u0001\x7f\u2028","é":"♥"}'),
        ((1, (2, [])), "[1,[2,[]]]"),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        ({}, "{}"),
        ("", '""'),
    ],
)
def test_texts(value, text):
    """Sorted keys, no blanks, UTF-8, only what must be escaped."""
    assert canonical_json(value) == text.encode()


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), b"x", {1: 2}, {None: 1}, {1, 2}, object(), [1.5], {"a": {"b": 2.0}},
     Pair(1, 2), OrderedDict(a=1), Colour.RED, Number.ONE, {Colour.RED: 1}],
)  # fmt: skip
def test_other_types_are_refused(value):
    """Floats, bytes, sets, enums, keys that are no texts."""
    with pytest.raises(TypeError):
        canonical_json(value)


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 10**400, "\ud800", {"\udfff": 1}])
def test_values_that_do_not_travel_are_refused(value):
    """Integers that are not exact elsewhere, and halves of surrogate pairs."""
    with pytest.raises(ValueError, match=r"±2\^53|surrogates"):
        canonical_json(value)


def test_nesting_has_an_end():
    """A list within itself, and 65 lists, are errors; 64 are not."""
    loop: list = []
    loop.append(loop)
    deep: list = []
    for _ in range(63):
        deep = [deep]
    assert canonical_json(deep) == b"[" * 64 + b"]" * 64
    for value in (loop, [deep]):
        with pytest.raises(ValueError, match="deep"):
            canonical_json(value)


@given(VALUES)
def test_it_reads_back_and_is_the_same_for_the_same_value(value):
    """JSON readers get the value back; writing that gives the same bytes."""
    text = canonical_json(value)
    again = json.loads(text)
    assert again == value
    assert canonical_json(again) == text


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 9)))
def test_the_order_of_insertion_does_not_matter(value):
    assert canonical_json(value) == canonical_json(dict(reversed(value.items())))

"""Test instructions that turn one JSON value into another."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.show.delta import changes
from tests.show.following import applied

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["7c", "10h", "R5", ""]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["hand", "pile", "0", "seats"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(before=JSON, after=JSON)
def test_instructions_lead_from_one_value_to_the_other(before: Any, after: Any) -> None:
    """Exactly, types included; the first value stays as it was."""
    was = json.dumps(before)
    told = json.loads(json.dumps(changes(before, after)))
    assert json.dumps(applied(before, told), sort_keys=True) == json.dumps(after, sort_keys=True)
    assert json.dumps(before) == was


def test_false_is_no_zero() -> None:
    """Deep inside, too, where Python takes them for equal."""
    assert changes({"a": [False]}, {"a": [0]}) == [[["a"], [0]]]
    assert changes([[0, 1]], [[False, 1]]) == [[[0], [False, 1]]]


def test_a_card_on_a_pile_is_one_short_instruction() -> None:
    """What lies below is not told again, nor what stays."""
    before = {"pile": ["7c"] * 40, "seats": [{"hand": ["8c", "9c"]}, {"hand": None}]}
    after = {"pile": ["7c"] * 40 + ["8c"], "seats": [{"hand": ["9c"]}, {"hand": None}]}
    assert changes(before, after) == [
        [["pile"], 40, ["8c"]],
        [["seats", 0, "hand"], ["9c"]],
    ]
    assert changes(before, before) == []

"""Test converting Python values to the texts in columns."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.store.rows.texts import dump, load, load_object, random_id, storable
from tests.store.samples import JSON


@given(JSON)
def test_json_comes_back(value: object) -> None:
    """Canonical JSON, read again, is the value."""
    assert load(dump(value)) == value  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["1.0", "1e3", "NaN", "Infinity", "[" * 100_000, "", "{]"])
def test_what_canonical_json_has_not_is_refused(text: str) -> None:
    """Floats, NaN, endless nesting: a ValueError, nothing else."""
    with pytest.raises(ValueError, match=r".") as caught:
        load(text)
    assert isinstance(caught.value, ValueError)


def test_an_object_is_wanted() -> None:
    """A list is no payload."""
    assert load_object('{"a":1}') == {"a": 1}
    with pytest.raises(ValueError, match="not a JSON object"):
        load_object("[]")


@given(st.text() | st.just("\x00\udcff"))
def test_any_text_becomes_storable(text: str) -> None:
    """No NUL, no half characters; the rest as it was."""
    stored = storable(text)
    assert "\x00" not in stored
    assert stored.encode("utf-8").decode("utf-8") == stored
    assert len(stored) == len(text)


def test_ids_are_random_and_plain() -> None:
    """10 characters that survive mail systems."""
    ids = {random_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(re.fullmatch("[a-z2-7]{10}", one) for one in ids)

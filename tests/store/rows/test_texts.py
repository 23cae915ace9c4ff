"""Test converting Python values to the texts in columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.store.rows.texts import load, load_object, storable


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


@pytest.mark.parametrize("text", ["1.0", "1e3", "NaN", "Infinity", "[" * 100_000, "", "{]"])
def test_what_canonical_json_has_not_is_refused(text: str) -> None:
    """Floats, NaN, endless nesting: a ValueError, nothing else."""
    with pytest.raises(ValueError, match=r".") as caught:
        load(text)
    assert isinstance(caught.value, ValueError)

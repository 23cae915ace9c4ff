"""The envelope around what could be secret."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import StoreError
from pbem.store.envelope import open_envelope, seal


@given(st.binary(max_size=200))
def test_what_goes_in_comes_out(data: bytes) -> None:
    """Any bytes survive."""
    assert open_envelope(seal(data)) == data


def test_the_format_is_fixed() -> None:
    """Rows that exist must stay readable."""
    assert seal(b"hi") == '{"v":1,"alg":"none","kid":null,"nonce":null,"data":"aGk="}'


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"v": 2}, "envelope version 2 is unknown to this program"),
        ({"v": True}, "envelope version True is unknown"),
        ({"v": "secret" * 10}, "unknown"),
        ({"alg": "aes-256-gcm"}, "algorithm 'aes-256-gcm' is unknown to this program"),
        ({"data": None}, "data is missing"),
        ({"data": "secret!"}, "data is not base64"),
        ({"data": "sécret"}, "data is not base64"),
    ],
)
def test_anything_else_is_refused(change: dict[str, object], words: str) -> None:
    """Newer versions and algorithms are named; contents never are."""
    envelope = json.loads(seal(b"x")) | change
    with pytest.raises(StoreError, match=words) as caught:
        open_envelope(json.dumps(envelope))
    assert "secretsecretsecret" not in str(caught.value)


@given(st.text(max_size=50) | st.just("[" * 100_000) | st.just("[]") | st.just("3"))
def test_no_envelope_at_all(text: str) -> None:
    """A StoreError, nothing else."""
    with pytest.raises(StoreError):
        open_envelope(text)

"""Test the envelopes around encrypted values."""

import base64
import hashlib
import json
import zlib
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import KeyMissingError, StoreError
from pbem.store.seal import packing
from pbem.store.seal.envelope import Envelopes, kid_of
from pbem.store.seal.keyring import Key, KeyRing
from tests.store.old_rows import in_json

OLD, NEW = (Key.made(date(2026, 1, n), bytes([n]) * 32) for n in (1, 2))
PLAIN = Envelopes()
SEALED = Envelopes(KeyRing((OLD, NEW)))
STRICT = Envelopes(KeyRing((OLD, NEW), sealed_only=True))
PLACE: Final = ("event_secret.payload", "k7q2m3x9ab", 17)
SEALED_HI = "~4768648b0a1287beAAAAAAAAAAAAAAAAMhvWNMuTbx9byPAhErdWgtuU"
"""Sealed with `NEW`, for `PLACE`."""


@given(st.binary(max_size=200))
def test_what_goes_in_comes_out(data: bytes) -> None:
    """Any bytes survive, with a key and without."""
    assert PLAIN.open(PLAIN.seal(data, *PLACE), *PLACE) == data
    assert SEALED.open(SEALED.seal(data, *PLACE), *PLACE) == data


def test_a_place_is_the_json_that_the_documentation_names() -> None:
    """An envelope can be opened with the key and without this program."""
    at = datetime(2026, 11, 27, 9, 5, tzinfo=UTC)
    place = ("inbox.bound", 'Jörg "é\u2028\x07"', at, None, -3, "x")
    shown = json.dumps(
        [*place[:2], "2026-11-27T09:05:00.000000Z", *place[3:]],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    for one, text in ((place, shown), (PLACE, '["event_secret.payload","k7q2m3x9ab",17]')):
        sealed = base64.b64decode(SEALED.seal(b"seven", *one)[17:], validate=True)
        bound = b"pbem-envelope-v1\n" + text.encode()
        assert AESGCM(bytes([2]) * 32).decrypt(sealed[:12], sealed[12:], bound) == b"seven"


@given(st.binary(max_size=200) | st.binary(max_size=20).map(lambda tail: b"x\x9c" + tail))
def test_a_mail_comes_out_as_it_went_in(raw: bytes) -> None:
    """It is compressed, whatever its first bytes are."""
    assert SEALED.open_mail(SEALED.seal_mail(raw, *PLACE), *PLACE) == raw


def test_dictionaries_stay() -> None:
    """Data compressed with a dictionary can be read as long as the dictionary exists unchanged."""
    folder = Path(packing.__file__).parent
    sums = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.zdict")
    }
    assert sums == {
        "mails-1.zdict": "756ee71264ed009e74bf7e1e33db3a051921b439e80af21700b556443647459e",
        "mails-2.zdict": "182514fedb9256232abefd759d72e95e6a86a1dfc751a4db95450abaab3e9f04",
    }
    assert len(sums) == packing.NEWEST
    packer = zlib.compressobj(zdict=b"of a newer program")
    newer = SEALED.seal(packer.compress(b"mail") + packer.flush(), *PLACE)
    with pytest.raises(StoreError, match="a newer pbem"):
        SEALED.open_mail(newer, *PLACE)


def test_the_format_is_fixed() -> None:
    """Rows that exist must stay readable."""
    unsealed = '{"v":1,"alg":"none","kid":null,"nonce":null,"data":"aGk="}'
    assert PLAIN.seal(b"hi", *PLACE) == unsealed
    assert SEALED.open(unsealed, *PLACE) == b"hi"
    for sealed in (
        json.dumps(in_json(SEALED_HI), separators=(",", ":")),
        SEALED_HI,
    ):
        assert SEALED.open(sealed, *PLACE) == b"hi"
        assert kid_of(sealed) == "4768648b0a1287be"


def test_however_an_envelope_of_1_0_is_written() -> None:
    """It is JSON: blanks, other places of its members and escapes mean nothing."""
    envelope = in_json(SEALED.seal(b"hi", *PLACE))
    turned = dict(reversed(envelope.items()))
    escaped = json.dumps(envelope).replace(NEW.kid, f"\\u{ord(NEW.kid[0]):04x}{NEW.kid[1:]}")
    for text in (json.dumps(envelope), json.dumps(turned, separators=(",", ":")), escaped):
        assert SEALED.open(text, *PLACE) == b"hi"


def test_the_newest_key_seals_and_each_opens() -> None:
    """The envelope names its key; nonces differ; nothing of the contents shows."""
    sealed = SEALED.seal(b"secret", *PLACE)
    assert sealed.startswith(f"~{NEW.kid}")
    assert sealed[17:33] != SEALED.seal(b"secret", *PLACE)[17:33]
    assert SEALED.open(Envelopes(KeyRing((OLD,))).seal(b"secret", *PLACE), *PLACE) == b"secret"


@pytest.mark.parametrize(
    "place",
    [
        ("event_secret.payload", "k7q2m3x9ab", 18),
        ("event_secret.payload", "k7q2m3x9ac", 17),
        ("event_secret.salt", "k7q2m3x9ab", 17),
        ("event_secret.payload", "k7q2m3x9ab17"),
        (),
    ],
)
def test_it_opens_nowhere_else(place: tuple[str | int, ...]) -> None:
    """An envelope that was moved to another row is detected."""
    with pytest.raises(StoreError, match="it was changed, or it belongs to another place"):
        SEALED.open(SEALED.seal(b"secret", *PLACE), *place)


def test_a_changed_one_does_not_open() -> None:
    """One bit is enough, in the nonce as well; another key of the same name would not do either."""
    sealed = SEALED.seal(b"secret", *PLACE)
    changed = [
        f"{sealed[:at]}{'B' if sealed[at] == 'A' else 'A'}{sealed[at + 1 :]}" for at in (17, 33, 40)
    ]
    for text in (*changed, f"~{OLD.kid}{sealed[17:]}", sealed[:33], sealed[:17]):
        for form in (text, json.dumps(in_json(text))):
            with pytest.raises(StoreError, match="does not open"):
                SEALED.open(form, *PLACE)
        assert SEALED.opener(*PLACE[:-1])(text, PLACE[-1]) is None


def test_a_missing_key_is_named_with_the_remedy() -> None:
    """The admin learns what to do; lists go on without."""
    sealed = SEALED.seal_text("secret", *PLACE)
    without = Envelopes(KeyRing((OLD,)))
    with pytest.raises(KeyMissingError, match=f"'{NEW.kid}'.*pbem key restore"):
        without.open(sealed, *PLACE)
    assert without.open_if_possible(sealed, *PLACE) is None
    with pytest.raises(StoreError, match="another place"):
        SEALED.open_if_possible(sealed, "elsewhere")


def test_a_key_that_was_made_meanwhile_opens() -> None:
    """A unit of work that began earlier can read re-encrypted values."""
    rings = iter([KeyRing((OLD, NEW))])
    begun_before = Envelopes(KeyRing((OLD,)), later=lambda: next(rings))
    assert begun_before.open(SEALED.seal(b"secret", *PLACE), *PLACE) == b"secret"
    assert kid_of(begun_before.seal(b"secret", *PLACE)) == OLD.kid


def test_nothing_unsealed_is_believed_once_all_is_sealed() -> None:
    """Values written into the database without the key are detected."""
    for text in (PLAIN.seal(b"forged", *PLACE), "forged"):
        with pytest.raises(StoreError, match="written without the key"):
            STRICT.open_text(text, *PLACE)
    assert STRICT.open_text(SEALED.seal_text("x", *PLACE), *PLACE) == "x"


def test_texts_of_earlier_versions_stay_readable() -> None:
    """They stood in their columns plainly; a null is a null."""
    assert SEALED.open_text("anna@example.org", *PLACE) == "anna@example.org"
    assert SEALED.open_text(None, *PLACE) is None
    assert SEALED.seal_text(None, *PLACE) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"v": 2}, "envelope version 2 is unknown to this program"),
        ({"v": True}, "envelope version True is unknown"),
        ({"v": "secret" * 10}, "unknown"),
        ({"alg": "rot13"}, "algorithm 'rot13' is unknown to this program"),
        ({"data": None}, "data is missing"),
        ({"data": "secret!"}, "data is not base64"),
        ({"data": "sécret"}, "data is not base64"),
        ({"alg": "aes-256-gcm"}, "kid is missing"),
        ({"alg": "aes-256-gcm", "kid": NEW.kid}, "nonce is missing"),
        ({"alg": "aes-256-gcm", "kid": NEW.kid, "nonce": "AA=="}, "does not open"),
    ],
)
def test_anything_else_is_refused(change: dict[str, object], words: str) -> None:
    """Newer versions and algorithms are named; contents never are."""
    envelope = json.loads(PLAIN.seal(b"x", *PLACE)) | change
    with pytest.raises(StoreError, match=words) as caught:
        SEALED.open(json.dumps(envelope), *PLACE)
    assert "secretsecretsecret" not in str(caught.value)

"""The envelope around everything at rest that could be secret: payloads, mails, snapshots.

`{"v":1,"alg":"none","kid":null,"nonce":null,"data":"<base64>"}`. From day one, so that encrypting
(`aes-256-gcm` with a key outside the database) changes no table.
"""

from __future__ import annotations

import base64
import json

from pbem.errors import StoreError

VERSION = 1
ALGORITHM = "none"


def seal(data: bytes) -> str:
    """Put bytes into an envelope."""
    return json.dumps(
        {
            "v": VERSION,
            "alg": ALGORITHM,
            "kid": None,
            "nonce": None,
            "data": base64.b64encode(data).decode("ascii"),
        },
        separators=(",", ":"),
    )


def open_envelope(text: str) -> bytes:
    """Take the bytes out again.

    Raises:
        StoreError: no envelope, damaged, or made in a way that this program does not know.
    """
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        raise StoreError("what is stored is no envelope: not JSON") from None
    if not isinstance(envelope, dict):
        raise StoreError("what is stored is no envelope: not a JSON object")
    if envelope.get("v") != VERSION or type(envelope.get("v")) is not int:
        raise StoreError(
            f"envelope version {_word(envelope.get('v'))} is unknown to this program (it knows"
            f" {VERSION}): a newer pbem wrote it"
        )
    if envelope.get("alg") != ALGORITHM:
        raise StoreError(
            f"envelope algorithm {_word(envelope.get('alg'))} is unknown to this program (it knows"
            f" {ALGORITHM!r})"
        )
    data = envelope.get("data")
    if not isinstance(data, str):
        raise StoreError("the envelope is damaged: data is missing")
    try:
        return base64.b64decode(data.encode("ascii"), validate=True)
    except ValueError:
        raise StoreError("the envelope is damaged: data is not base64") from None


def _word(value: object) -> str:
    """Quote a short value of the frame; anything long could be payload in the wrong place."""
    text = repr(value)
    return text if len(text) <= 20 else f"{text[:17]}..."  # noqa: PLR2004

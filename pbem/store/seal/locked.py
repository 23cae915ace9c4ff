"""Bytes that a passphrase protects, as JSON: scrypt (RFC 7914) and AES-256-GCM."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from engine.api import JsonObject
from pbem.errors import ConfigError

SHORTEST_PASSPHRASE = 10
COST = 2**17
"""scrypt's N: 128 MiB and some tenths of a second for every guess."""
_BLOCK = 8
_MOST_MEMORY = 2**30
_KEY_BYTES = 32


def lock(
    data: bytes, passphrase: str, kind: str, said: JsonObject | None = None, cost: int = COST
) -> str:
    """Lock bytes up.

    Args:
        data: what is protected.
        passphrase: 10 characters or more.
        kind: names the format; what is of another one does not open.
        said: what anybody may read in the file.
        cost: scrypt's N.

    Raises: ConfigError if the passphrase is too short.
    """
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise ConfigError(f"a passphrase has {SHORTEST_PASSPHRASE} characters or more")
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    cipher = AESGCM(_derived(passphrase, salt, cost))
    kept: dict[str, object] = {
        "format": kind,
        **(said or {}),
        "scrypt": {"n": cost, "r": _BLOCK, "p": 1, "salt": salt.hex()},
        "nonce": nonce.hex(),
        "data": base64.b64encode(cipher.encrypt(nonce, data, kind.encode("ascii"))).decode(),
    }
    return json.dumps(kept, indent=1) + "\n"


def unlock(text: str, passphrase: str, kind: str, source: str) -> bytes:
    """Open what `lock` wrote; `source` names it in errors. Raises: ConfigError."""
    try:
        kept = json.loads(text)
        if kept["format"] != kind:
            raise ConfigError(f"{source}: its form is not {kind}, which this program knows")
        scrypt = kept["scrypt"]
        if (scrypt["r"], scrypt["p"]) != (_BLOCK, 1) or type(scrypt["n"]) is not int:
            raise ValueError
        cipher = AESGCM(_derived(passphrase, bytes.fromhex(scrypt["salt"]), scrypt["n"]))
        nonce, data = bytes.fromhex(kept["nonce"]), base64.b64decode(kept["data"], validate=True)
        return cipher.decrypt(nonce, data, kind.encode("ascii"))
    except InvalidTag:
        raise ConfigError(f"{source}: the passphrase is wrong, or the file is damaged") from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise ConfigError(f"{source}: this is no {kind} file, or a damaged one") from None


def _derived(passphrase: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(
        passphrase.encode("utf-8"),
        salt=salt,
        n=cost,
        r=_BLOCK,
        p=1,
        maxmem=_MOST_MEMORY,
        dklen=_KEY_BYTES,
    )

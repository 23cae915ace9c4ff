"""A copy of the keys that a passphrase protects, to be kept apart from the database.

JSON with the parameters of scrypt (RFC 7914) and AES-256-GCM over the lines of the key file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.errors import ConfigError
from pbem.store.keyring import KEY_BYTES, KeyRing, from_text, to_text

FORMAT = "pbem-keys-backup-v1"
SHORTEST_PASSPHRASE = 10
COST = 2**17
"""scrypt's N: 128 MiB and some tenths of a second for every guess."""
_BLOCK = 8
_MOST_MEMORY = 2**30


def sealed(ring: KeyRing, passphrase: str, cost: int = COST) -> str:
    """Write a backup. Raises: ConfigError if the passphrase is too short."""
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise ConfigError(f"a passphrase has {SHORTEST_PASSPHRASE} characters or more")
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    cipher = AESGCM(_derived(passphrase, salt, cost))
    data = cipher.encrypt(nonce, to_text(ring).encode("utf-8"), FORMAT.encode("ascii"))
    kept = {
        "format": FORMAT,
        "keys": [key.kid for key in ring.keys],
        "scrypt": {"n": cost, "r": _BLOCK, "p": 1, "salt": salt.hex()},
        "nonce": nonce.hex(),
        "data": base64.b64encode(data).decode("ascii"),
    }
    return json.dumps(kept, indent=1) + "\n"


def opened(text: str, passphrase: str, source: str) -> KeyRing:
    """Read a backup. Raises: ConfigError."""
    try:
        kept = json.loads(text)
        if kept["format"] != FORMAT:
            raise ConfigError(
                f"{source}: this is a backup of a form that this program does not know"
            )
        scrypt = kept["scrypt"]
        if (scrypt["r"], scrypt["p"]) != (_BLOCK, 1) or type(scrypt["n"]) is not int:
            raise ValueError
        cipher = AESGCM(_derived(passphrase, bytes.fromhex(scrypt["salt"]), scrypt["n"]))
        nonce, data = bytes.fromhex(kept["nonce"]), base64.b64decode(kept["data"], validate=True)
        lines = cipher.decrypt(nonce, data, FORMAT.encode("ascii")).decode("utf-8")
    except InvalidTag:
        raise ConfigError(f"{source}: the passphrase is wrong, or the file is damaged") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigError(f"{source}: this is no backup of keys, or a damaged one") from None
    return from_text(lines, source)


def _derived(passphrase: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(
        passphrase.encode("utf-8"),
        salt=salt,
        n=cost,
        r=_BLOCK,
        p=1,
        maxmem=_MOST_MEMORY,
        dklen=KEY_BYTES,
    )

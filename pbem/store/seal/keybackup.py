"""A passphrase-protected backup of all keys, to be stored separately from the database.

The file is JSON. scrypt (RFC 7914) derives a key from the passphrase, and AES-256-GCM encrypts the
keys with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.errors import ConfigError
from pbem.store.seal.keyring import KeyRing, from_text, to_text

FORMAT = "pbem-keys-backup-v1"
SHORTEST_PASSPHRASE = 10
COST = 2**17
"""scrypt's N. Each guess of the passphrase takes 128 MiB and some tenths of a second."""
_BLOCK = 8
_MAX_MEMORY = 2**30
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Kept:
    """The contents of a backup.

    Attributes:
        ring: the keys that encrypt the database.
        signing: the keys of the reply addresses, the current one first.
    """

    ring: KeyRing
    signing: tuple[bytes, ...] = field(default=(), repr=False)


def sealed(kept: Kept, passphrase: str, cost: int = COST) -> str:
    """Encrypt and serialize a backup. `cost` is scrypt's N.

    Raises: ConfigError if the passphrase is too short.
    """
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise ConfigError(f"the passphrase needs at least {SHORTEST_PASSPHRASE} characters")
    inside = {"ring": to_text(kept.ring), "signing": [key.hex() for key in kept.signing]}
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    locked = _cipher(passphrase, salt, cost).encrypt(
        nonce, json.dumps(inside).encode("utf-8"), FORMAT.encode("ascii")
    )
    kids = [key.kid for key in kept.ring.keys]
    written = {
        "format": FORMAT,
        "keys": kids,
        "reply_keys": len(kept.signing),
        "scrypt": {"n": cost, "r": _BLOCK, "p": 1, "salt": salt.hex()},
        "nonce": nonce.hex(),
        "data": base64.b64encode(locked).decode(),
    }
    return json.dumps(written, indent=1) + "\n"


def opened(text: str, passphrase: str, source: str) -> Kept:
    """Parse and decrypt a backup. Raises: ConfigError, which names `source`."""
    try:
        written = json.loads(text)
        if written["format"] != FORMAT:
            raise ConfigError(f"{source}: its format is not {FORMAT}")
        scrypt = written["scrypt"]
        if (scrypt["r"], scrypt["p"]) != (_BLOCK, 1) or type(scrypt["n"]) is not int:
            raise ValueError
        cipher = _cipher(passphrase, bytes.fromhex(scrypt["salt"]), scrypt["n"])
        data = base64.b64decode(written["data"], validate=True)
        nonce = bytes.fromhex(written["nonce"])
        inside = json.loads(cipher.decrypt(nonce, data, FORMAT.encode("ascii")))
        signing = tuple(bytes.fromhex(key) for key in inside["signing"])
        return Kept(from_text(inside["ring"], source), signing)
    except InvalidTag:
        raise ConfigError(f"{source}: the passphrase is wrong, or the file is damaged") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ConfigError(f"{source}: this is no backup of keys, or a damaged one") from None


def _cipher(passphrase: str, salt: bytes, cost: int) -> AESGCM:
    """Derive the cipher from a passphrase."""
    return AESGCM(
        hashlib.scrypt(
            passphrase.encode("utf-8"),
            salt=salt,
            n=cost,
            r=_BLOCK,
            p=1,
            maxmem=_MAX_MEMORY,
            dklen=_KEY_BYTES,
        )
    )

"""A copy of all keys that a passphrase protects, to be kept apart from the database."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from engine.api import JsonObject
from pbem.errors import ConfigError
from pbem.store.seal import locked
from pbem.store.seal.keyring import KeyRing, from_text, to_text
from pbem.store.seal.locked import lock, unlock

FORMAT = "pbem-keys-backup-v2"
OLD_FORMAT = "pbem-keys-backup-v1"
"""Without the keys of the reply addresses; still read."""
COST = locked.COST


@dataclass(frozen=True, slots=True)
class Kept:
    """What a backup holds.

    Attributes:
        ring: the keys that seal the database.
        signing: those of the reply addresses, the one that signs first.
    """

    ring: KeyRing
    signing: tuple[bytes, ...] = field(default=(), repr=False)


def sealed(kept: Kept, passphrase: str, cost: int = COST) -> str:
    """Write a backup. Raises: ConfigError if the passphrase is too short."""
    inside = {"ring": to_text(kept.ring), "signing": [key.hex() for key in kept.signing]}
    kids = [key.kid for key in kept.ring.keys]
    told: JsonObject = {"keys": [*kids], "reply_keys": len(kept.signing)}
    return lock(json.dumps(inside).encode("utf-8"), passphrase, FORMAT, told, cost)


def opened(text: str, passphrase: str, source: str) -> Kept:
    """Read a backup, of the older form too. Raises: ConfigError."""
    is_old = f'"format": "{OLD_FORMAT}"' in text
    inside = unlock(text, passphrase, OLD_FORMAT if is_old else FORMAT, source)
    try:
        if is_old:
            return Kept(from_text(inside.decode("utf-8"), source))
        found = json.loads(inside)
        signing = tuple(bytes.fromhex(key) for key in found["signing"])
        return Kept(from_text(found["ring"], source), signing)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{source}: this is no backup of keys, or a damaged one") from None

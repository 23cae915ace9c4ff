"""A copy of the keys that a passphrase protects, to be kept apart from the database."""

from __future__ import annotations

from pbem.errors import ConfigError
from pbem.store import locked
from pbem.store.keyring import KeyRing, from_text, to_text
from pbem.store.locked import lock, unlock

FORMAT = "pbem-keys-backup-v1"
COST = locked.COST


def sealed(ring: KeyRing, passphrase: str, cost: int = COST) -> str:
    """Write a backup. Raises: ConfigError if the passphrase is too short."""
    kids = [key.kid for key in ring.keys]
    return lock(to_text(ring).encode("utf-8"), passphrase, FORMAT, {"keys": [*kids]}, cost)


def opened(text: str, passphrase: str, source: str) -> KeyRing:
    """Read a backup. Raises: ConfigError."""
    try:
        lines = unlock(text, passphrase, FORMAT, source).decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{source}: this is no backup of keys, or a damaged one") from None
    return from_text(lines, source)

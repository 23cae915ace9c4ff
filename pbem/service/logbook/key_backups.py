"""All keys of an installation in one file, and back: those of the database and of the reply addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.config import Config
from pbem.errors import ConfigError
from pbem.sections import ServiceSection
from pbem.service.logbook.keys import configured, ring_of
from pbem.store.seal import keybackup, keyring
from pbem.store.seal.keybackup import Kept


@dataclass(frozen=True, slots=True)
class RestoredKeys:
    """What came back.

    Attributes:
        kids: names of the keys of the database that were added.
        files: into which a key of the reply addresses was written.
        unnamed: files with such a key that the configuration does not name yet.
        is_signing: there is a key now that signs reply addresses.
    """

    kids: tuple[str, ...]
    files: tuple[Path, ...]
    unnamed: tuple[Path, ...]
    is_signing: bool


def backup(config: Config, to: Path, passphrase: str, cost: int = keybackup.COST) -> Kept:
    """Write all keys into a new file that a passphrase protects. Raises: ConfigError."""
    ring = keyring.read(configured(config.database.keys_file))
    if to.exists():
        raise ConfigError(f"{to} exists already; nothing was overwritten")
    kept = Kept(ring, (config.service.key, *config.service.old_keys))
    keyring.write_privately(to, keybackup.sealed(kept, passphrase, cost))
    return kept


def restore(config: Config, source: Path, passphrase: str) -> RestoredKeys:
    """Put the keys of a backup into their files; those that are there stay, and go on working.

    Args:
        config: read with `may_lack_secrets`.
        source: what `backup` wrote.

    Raises: ConfigError.
    """
    file = configured(config.database.keys_file)
    try:
        text = source.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{source}: this is no backup of keys, or a damaged one") from None
    except OSError as error:
        raise ConfigError(f"{source}: {error.strerror}") from None
    kept = keybackup.opened(text, passphrase, str(source))
    with keyring.changing(file):
        ring = ring_of(file)
        added = tuple(key.kid for key in kept.ring.keys if ring.get(key.kid) is None)
        if added:
            keyring.write(file, ring.joined(kept.ring))
    service = config.service
    files, unnamed = _restore_signing(service, kept.signing, service.key_file or file)
    is_signing = bool(service.key) or service.key_file in files
    return RestoredKeys(added, tuple(files), tuple(unnamed), is_signing)


def _restore_signing(
    service: ServiceSection, signing: Sequence[bytes], beside: Path
) -> tuple[list[Path], list[Path]]:
    """Write what signs, or signed, reply addresses and is not here.

    A key of which no file was lost goes into a new one beside another: old mails can be answered as
    soon as the configuration names it.
    """
    missing = [key for key in signing if key not in (service.key, *service.old_keys)]
    lost = [file for file in service.old_key_files if not file.exists()]
    if not service.key and service.key_file is not None:
        lost.insert(0, service.key_file)
    named = list(zip(lost, missing, strict=False))
    unnamed = [
        (beside.with_name(f"{beside.stem}.{hashlib.sha256(key).hexdigest()[:8]}.key"), key)
        for key in missing[len(named) :]
    ]
    written = [(file, key) for file, key in (*named, *unnamed) if not file.exists()]
    for file, key in written:
        keyring.write_privately(file, f"{key.hex()}\n")
    return [file for file, _ in written], [file for file, _ in unnamed]

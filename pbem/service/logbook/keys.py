"""Manage the keys that encrypt the database: create, rotate, retire, give up (docs/keys.md).

The key file encrypts data keys, which encrypt the values (`pbem.store.seal.data_keys`).

A backup contains all of them in one file, together with the keys that sign the reply addresses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from pbem.config import Config
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import UNFINISHED
from pbem.errors import ConfigError, KeyMissingError, Refusal, StoreError
from pbem.sections import ServiceSection
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.rows.core import INBOX, OUTBOX
from pbem.store.seal import binding, data_keys, keybackup, keyring, sealed
from pbem.store.seal.envelope import PLAIN
from pbem.store.seal.keybackup import Kept
from pbem.store.seal.keyring import Key, KeyRing
from pbem.store.seal.sealed import SEALED

_LOST = "sealed with a key that is lost"


@dataclass(frozen=True, slots=True)
class Usage:
    """The existing keys, and the number of envelopes encrypted with each of them.

    Attributes:
        ring: the keys of the file and the data keys.
        counts: envelopes by key name. `PLAIN` counts unencrypted values. A name that is not in the
            key ring is a missing key.
        unneeded: names of keys of the file without which everything opens.
    """

    ring: KeyRing
    counts: dict[str, int]
    unneeded: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of keys that encrypted something but are missing."""
        return tuple(
            sorted(kid for kid in self.counts if kid != PLAIN and self.ring.get(kid) is None)
        )


@dataclass(frozen=True, slots=True)
class Resealed:
    """The result of encrypting data keys and values.

    Attributes:
        envelopes: the number that was written.
        unopened: the values that could not be read, and why.
        is_all: True if nothing is unencrypted now.
        is_clean: True if no old bytes are left in free pages of the file.
    """

    envelopes: int
    unopened: tuple[str, ...]
    is_all: bool
    is_clean: bool


def new_ring(today: date) -> KeyRing:
    """Create the key ring of a new installation, with one key."""
    return KeyRing((Key.made(today),))


def expect_nothing_unsealed(file: Path) -> None:
    """Record in the key file that unencrypted rows must be treated as forged from now on."""
    with keyring.changing(file):
        keyring.write(file, replace(keyring.read(file), sealed_only=True))


def configured(file: Path | None) -> Path:
    """Return the key file. Raises: ConfigError if the configuration names no key file."""
    if file is None:
        raise ConfigError(
            "[database] keys_file is not set, so nothing in the database is sealed: add the line"
            ' keys_file = "pbem.keys" under [database], then run `pbem key rotate`'
        )
    return file


def ring_of(file: Path) -> KeyRing:
    """Read a key file. A missing file is an empty key ring. Raises: ConfigError."""
    return keyring.read(file, may_be_empty=True) if file.exists() else KeyRing()


def usage(store: Store) -> Usage:
    """Count the envelopes of each key. Reads the whole database."""
    with store.reading() as uow:
        return _usage(uow)


def _usage(uow: UnitOfWork) -> Usage:
    ring, rows = uow.envelopes.ring, data_keys.read(uow.connection)
    # Data keys count although they may not have encrypted anything yet.
    counts = {kid: 0 for _, kid, _ in rows} | sealed.count(uow.connection)
    return Usage(ring, counts, data_keys.unneeded(rows, ring, counts))


def require_present(uow: UnitOfWork) -> None:
    """Refuse to start if the key file cannot decrypt a data key or the newest values.

    Raises: KeyMissingError, which names the missing key of the file.
    """
    ring = uow.envelopes.ring
    missing = data_keys.missing(data_keys.read(uow.connection), ring)
    used = sealed.newest_kids(uow.connection) - ring.lost
    missing += sorted(kid for kid in used if ring.get(kid) is None)
    if missing:
        raise KeyMissingError(
            f"the database is sealed with the key {missing[0]}, which is not in the key file: put it"
            " back with `pbem key restore BACKUP` (docs/keys.md says what if there is none)"
        )


def lost_games(uow: UnitOfWork) -> frozenset[GameId]:
    """Return the games encrypted with a key that was given up. Reads the whole database.

    Raises: KeyMissingError if another key is missing, because it may be restored.
    """
    ring = uow.envelopes.ring
    missing = sorted(set(_usage(uow).missing) - ring.lost)
    if missing:
        raise KeyMissingError(
            f"something is sealed with {_named(missing)}, not in the key file: put it back with"
            " `pbem key restore BACKUP`, or give it up with `pbem key give-up`"
        )
    return frozenset(sealed.games_under(uow.connection, sorted(ring.lost)) if ring.lost else ())


def rotate(store: Store, file: Path, today: date) -> Key:
    """Add a key to the file. `reseal` wraps the data keys with it.

    Raises:
        Refusal: a key is missing. It must be restored or given up first.
        ConfigError.
    """
    with keyring.changing(file):
        ring = ring_of(file)
        missing = [kid for kid in usage(store).missing if kid not in ring.lost]
        if missing:
            raise Refusal(
                "key-missing",
                f"The database is sealed with {_named(missing)}, not in {file}. Put it back first:"
                " `pbem key restore BACKUP`. If there is no backup: `pbem key give-up` tells what is"
                " lost.",
            )
        key = Key.made(today)
        keyring.write(file, ring.with_key(key))
    return key


def reseal(store: Store, file: Path, progress: Callable[[int], None]) -> Resealed:
    """Wrap the data keys with the newest key of the file, and encrypt what is unencrypted.

    A running service uses the new data key without a restart. It can be interrupted and run again.

    Args:
        progress: called with the number of rows processed so far.

    Raises: ConfigError, KeyMissingError, StoreError.
    """
    with keyring.changing(file):
        keyring.read(file)  # without a key it raises an error
        with store.reading() as uow:
            require_present(uow)
        envelopes = _renew(store, file)
    rows = 0
    unopened: list[str] = []
    for table in SEALED:
        after = None
        while True:
            with store.unit_of_work() as uow:
                batch = sealed.seal_plain(uow.connection, uow.envelopes, table, after)
            envelopes += batch.envelopes
            unopened += batch.unopened
            if batch.last is None:
                break
            after = batch.last
            rows += batch.rows
            progress(rows)
            if batch.rows == sealed.BATCH:
                store.yield_to_writers()
    found = usage(store)
    is_all = not found.counts.get(PLAIN)
    if is_all and not found.ring.sealed_only:
        expect_nothing_unsealed(file)
    is_clean = False
    with suppress(StoreError):
        store.vacuum()
        is_clean = True
    return Resealed(envelopes, tuple(unopened), is_all, is_clean)


def _renew(store: Store, file: Path) -> int:
    """Wrap the data keys with the newest key of the file. Return the number of keys wrapped.

    The file is written again, because running services read the data keys when it changes.
    """
    with store.unit_of_work() as uow:
        count = data_keys.renew(uow.connection, uow.envelopes.ring)
    if count:
        keyring.write(file, keyring.read(file))
    return count


def retire(store: Store, file: Path) -> tuple[str, ...]:
    """Remove keys that are no longer used from the file, and return their names.

    Older backups of the database still need them.
    """
    with keyring.changing(file):
        ring = keyring.read(file)
        unused = usage(store).unneeded
        if unused:
            keyring.write(file, ring.without(unused))
    return unused


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The data that can no longer be read.

    Attributes:
        kids: names of the lost keys.
        games: running games that cannot continue, because their hidden data is lost.
        mails_in, mails_out: the number of waiting messages that are quarantined.
        players: players whose addresses can no longer be verified. They are re-signed as they are.
    """

    kids: tuple[str, ...]
    games: tuple[str, ...]
    mails_in: int
    mails_out: int
    players: tuple[str, ...] = ()


def give_up(store: Store, file: Path, now: datetime, *, really: bool) -> GivenUp:
    """Create a new key and quarantine messages that need missing keys.

    No data is deleted: if the keys are found, `restore` makes everything readable again.

    Args:
        really: False to return what would be lost without changing anything.
    """
    with keyring.changing(file):
        ring = ring_of(file)
        missing = usage(store).missing
        if really and missing:
            given_up = replace(ring, lost=ring.lost | set(missing))
            has_key = ring.current is not None
            keyring.write(file, given_up if has_key else given_up.with_key(Key.made(now.date())))
            _renew(store, file)
    with store.unit_of_work() as uow:
        games = tuple(
            game_id
            for game_id in sealed.games_under(uow.connection, missing)
            if (game := uow.projections.game(game_id)) is not None and game.status in UNFINISHED
        )
        coming = sealed.mails_under(uow.connection, INBOX, missing, ("new",))
        leaving = sealed.mails_under(uow.connection, OUTBOX, missing, ("pending",))
        players = tuple(binding.players_under(uow.connection, missing))
        if really:
            binding.resign_lost(uow.connection, uow.envelopes, missing)
            for mail_id in coming:
                uow.inbox.mark(mail_id, "shunted", error=_LOST, handled_at=now)
            for mail_id in leaving:
                uow.outbox.mark_failed(mail_id, _LOST, now)
    return GivenUp(missing, games, len(coming), len(leaving), players)


def _named(kids: Sequence[str]) -> str:
    return f"{'the key' if len(kids) == 1 else 'the keys'} {', '.join(kids)}"


# --- backups ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RestoredKeys:
    """The result of restoring keys.

    Attributes:
        kids: names of the database keys that were added.
        files: files into which a key of the reply addresses was written.
        unnamed: those of the files that the configuration does not name yet.
        is_signing: True if there is now a key that signs reply addresses.
    """

    kids: tuple[str, ...]
    files: tuple[Path, ...]
    unnamed: tuple[Path, ...]
    is_signing: bool


def backup(config: Config, to: Path, passphrase: str) -> Kept:
    """Write all keys into a new file, protected by a passphrase. Raises: ConfigError."""
    ring = keyring.read(configured(config.database.keys_file))
    if to.exists():
        raise ConfigError(f"{to} exists already; nothing was overwritten")
    kept = Kept(ring, (config.service.key, *config.service.old_keys))
    keyring.write_privately(to, keybackup.sealed(kept, passphrase))
    return kept


def restore(config: Config, source: Path, passphrase: str) -> RestoredKeys:
    """Restore the keys of a backup to their files. Existing keys are kept.

    Args:
        config: loaded with `may_lack_secrets`.
        source: the file that `backup` wrote.

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
    """Write the missing keys that sign, or signed, reply addresses.

    A key without a configured file is written to a new file. Old messages can be answered again as
    soon as the configuration names that file.

    Returns: the files written, and those of them that the configuration does not name.
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

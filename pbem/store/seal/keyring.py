"""The keys that encrypt the database's data keys, stored in a separate file.

The file has one line per key, oldest first. The last key encrypts, and all keys decrypt. A key's
name (`kid`) is computed from the key, so that a damaged line is detected. `data_keys` adds the data
keys that the database stores. docs/keys.md describes the file for admins.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.errors import ConfigError

KEY_BYTES = 32
KID_LENGTH = 16
OPEN_TO_OTHERS = 0o077
"""Permission bits that a key file must not have."""
_GROUP_READS = 0o040

_KID_PREFIX = b"pbem-kid-v1\n"
_SEALED_ONLY = "sealed-only"
_LINE = re.compile(r"key ([0-9a-f]{16}) (\d{4}-\d\d-\d\d) ([0-9a-f]{64})", re.ASCII)
_LOST = re.compile(r"lost ([0-9a-f]{16})", re.ASCII)
_HEADER = """\
# Keys of pbem: with them and the database everything can be read, the hands of running games too.
# Keep a copy in another place: pbem key backup FILE. docs/keys.md tells the rest.
"""


@dataclass(frozen=True, slots=True)
class Key:
    """An AES-256-GCM key.

    Attributes:
        kid: its name, as in envelopes.
        made_on: date of creation, for information only. None for data keys.
    """

    kid: str
    made_on: date | None
    secret: bytes = field(repr=False)
    cipher: AESGCM = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cipher", AESGCM(self.secret))

    @classmethod
    def made(cls, made_on: date | None, secret: bytes | None = None) -> Self:
        """Create a key from the given secret, or from a random secret."""
        secret = secret or secrets.token_bytes(KEY_BYTES)
        return cls(kid_of(secret), made_on, secret)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """All keys of an installation.

    Attributes:
        keys: the keys of the file, oldest first. The last one encrypts the data keys.
        sealed_only: True if the database has no unencrypted data, so that such data is not trusted.
        lost: names of abandoned keys. Their absence is not an error.
        data: the data keys, oldest first. The last one encrypts values.
        is_stale: True if a data key cannot be decrypted with the keys of the file. Then nothing is
            encrypted, because other processes could not decrypt it.
    """

    keys: tuple[Key, ...] = ()
    sealed_only: bool = False
    lost: frozenset[str] = frozenset()
    data: tuple[Key, ...] = ()
    is_stale: bool = False

    @property
    def current(self) -> Key | None:
        """Return the key that encrypts values, or None if nothing is encrypted.

        Without data keys it is the newest key of the file, as in version 1.0.
        """
        return next(reversed((*self.keys, *self.data)), None)

    def get(self, kid: str) -> Key | None:
        """Return the key with this name, or None."""
        for key in (*self.data, *self.keys):
            if key.kid == kid:
                return key
        return None

    def with_key(self, key: Key) -> KeyRing:
        """Return a key ring with an additional key of the file, the newest one."""
        return replace(self, keys=(*self.keys, key))

    def without(self, kids: Collection[str]) -> KeyRing:
        """Return a key ring without the keys of the file with these names."""
        return replace(self, keys=tuple(key for key in self.keys if key.kid not in kids))

    def joined(self, other: KeyRing) -> KeyRing:
        """Return a key ring with another ring's keys placed first, so that our current key remains."""
        new = tuple(key for key in other.keys if self.get(key.kid) is None)
        sealed_only = self.sealed_only if self.keys else other.sealed_only
        lost = (self.lost | other.lost) - {key.kid for key in (*new, *self.keys)}
        return KeyRing((*new, *self.keys), sealed_only, lost)


NO_KEYS = KeyRing()
"""The key ring of an installation that encrypts nothing."""


def kid_of(secret: bytes) -> str:
    """Compute the name of a key."""
    return hashlib.sha256(_KID_PREFIX + secret).hexdigest()[:KID_LENGTH]


def to_text(ring: KeyRing) -> str:
    """Serialize the keys of the file of a key ring as its text. Data keys are not part of it."""
    lines = [f"key {key.kid} {key.made_on} {key.secret.hex()}" for key in ring.keys]
    if ring.sealed_only:
        lines.append(_SEALED_ONLY)
    lines += [f"lost {kid}" for kid in sorted(ring.lost)]
    return _HEADER + "".join(f"{line}\n" for line in lines)


def from_text(text: str, source: str) -> KeyRing:
    """Parse the text of a key file.

    Raises: ConfigError, which names the source and the line but not the key.
    """
    keys: list[Key] = []
    lost: set[str] = set()
    sealed_only = False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        if line == _SEALED_ONLY:
            sealed_only = True
            continue
        if given_up := _LOST.fullmatch(line):
            lost.add(given_up.group(1))
            continue
        match = _LINE.fullmatch(line)
        try:
            key = None if match is None else _key(*match.groups())
        except ValueError:
            key = None
        if key is None or key.kid != kid_of(key.secret):
            raise ConfigError(
                f"{source}: line {number} is no key, or a damaged one: restore the file from a"
                " backup (`pbem key restore`)"
            )
        keys.append(key)
    if len({key.kid for key in keys}) < len(keys):
        raise ConfigError(f"{source}: a key stands there twice")
    return KeyRing(tuple(keys), sealed_only, frozenset(lost))


def _key(kid: str, made_on: str, secret: str) -> Key:
    return Key(kid, date.fromisoformat(made_on), bytes.fromhex(secret))


def read(file: Path, *, may_be_empty: bool = False) -> KeyRing:
    """Read a key file.

    Raises: ConfigError, which suggests a remedy if the file is missing or has no key in it.
    """
    try:
        ring = from_text(file.read_text(encoding="utf-8"), str(file))
    except FileNotFoundError:
        raise ConfigError(
            f"{file}: there is no such file ([database] keys_file names it). If it was lost, restore"
            " it with `pbem key restore BACKUP`; if there never was one, `pbem key rotate` creates it"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: this is no key file") from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    if not ring.keys and not may_be_empty:
        raise ConfigError(
            f"{file}: there is no key in it. Restore it with `pbem key restore BACKUP`, or remove the"
            " file if there never was a key"
        )
    return ring


@contextlib.contextmanager
def changing(file: Path) -> Iterator[None]:
    """Hold a lock while a key file is read and rewritten, so that no key is lost.

    The lock is on the folder, because the file itself is replaced. Readers are not blocked.

    Raises: ConfigError if the folder cannot be opened.
    """
    try:
        folder = os.open(file.parent, os.O_RDONLY)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from None
    try:
        with contextlib.suppress(OSError):  # the file system may not support locks
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def write(file: Path, ring: KeyRing) -> None:
    """Replace a key file atomically. Only its owner can read it.

    Raises: ConfigError if the file cannot be written.
    """
    write_privately(file, to_text(ring))


def write_privately(file: Path, text: str) -> None:
    """Write a file with mode 0600, atomically, and sync it to disk.

    An existing file keeps its owner, so that the service can still read it when root writes it.

    Raises: ConfigError if the file cannot be written.
    """
    name = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        # mkstemp creates the file with mode 0600
        with os.fdopen(descriptor, "w", encoding="utf-8") as temporary:
            _keep_owner(descriptor, file)
            temporary.write(text)
            temporary.flush()
            os.fsync(temporary.fileno())
        Path(name).replace(file)
        name = None
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from None
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                Path(name).unlink()


def _keep_owner(descriptor: int, file: Path) -> None:
    try:
        old = file.stat()
    except FileNotFoundError:
        return
    if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, old.st_mode & 0o640)


def is_open_to_others(file: Path) -> bool:
    """True if a file exists and users other than its owner can read or write it.

    A file owned by root may be readable by a group other than root's, so that a service can read
    but not change it. A process that is not root must be in that group.
    """
    try:
        status = file.stat()
    except OSError:
        return False
    mode = status.st_mode
    if _is_lent(status):
        groups = (os.getegid(), *os.getgroups())
        if os.geteuid() == 0 or status.st_gid in groups:
            mode &= ~_GROUP_READS
    return bool(mode & OPEN_TO_OTHERS)


def closing_command(file: Path) -> str:
    """Return the shell command that restricts a file's permissions."""
    return f"chmod {'640' if _is_lent(file.stat()) else '600'} {file}"


def _is_lent(status: os.stat_result) -> bool:
    """True if a file belongs to root and to a group other than root's."""
    return status.st_uid == 0 and status.st_gid != 0


class KeyFile:
    """Read a key ring from its file, and again whenever the file has changed.

    A running service therefore uses a key from `pbem key rotate` from its next transaction on. If
    the file disappears or becomes unreadable, the last key ring is used until the next start.

    Args:
        file: the key file.
        is_needed: False if a missing file counts as an empty key ring.
    """

    def __init__(self, file: Path, *, is_needed: bool = True) -> None:
        self._file = file
        self._is_needed = is_needed
        self._ring: KeyRing | None = None
        self._seen: tuple[int, int, int] | None = None

    def __call__(self) -> KeyRing:
        """Return the current key ring. Raises: ConfigError if it was never read successfully."""
        seen = self._file_signature()
        if seen is None and self._ring is None and not self._is_needed:
            return NO_KEYS
        if self._ring is None:
            self._ring, self._seen = read(self._file), seen
        elif seen is not None and seen != self._seen:
            with contextlib.suppress(ConfigError):
                self._ring, self._seen = read(self._file), seen
        return self._ring

    def _file_signature(self) -> tuple[int, int, int] | None:
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size

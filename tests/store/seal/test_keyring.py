"""Test the key file and its backup."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.store.seal import keybackup, keyring
from pbem.store.seal.keybackup import Kept
from pbem.store.seal.keyring import Key, KeyFile, KeyRing

DAY = date(2026, 11, 21)
OLD, NEW = Key.made(DAY, b"\x01" * 32), Key.made(DAY, b"\x02" * 32)
PASSPHRASE = "correct horse battery"
CHEAP = 2**4
"""scrypt as no backup should have it, for the sake of the tests' time."""


@pytest.mark.parametrize(
    "ring",
    [
        KeyRing((OLD, NEW)),
        KeyRing((NEW,), sealed_only=True, lost=frozenset({"0" * 16, "f" * 16})),
    ],
)
def test_what_is_written_is_read(tmp_path: Path, ring: KeyRing) -> None:
    """Nobody but the owner can read the file, whatever the mask."""
    file = tmp_path / "pbem.keys"
    mask = os.umask(0)
    try:
        keyring.write(file, ring)
    finally:
        os.umask(mask)
    assert file.stat().st_mode & 0o777 == 0o600
    assert keyring.read(file) == ring
    assert [path.name for path in tmp_path.iterdir()] == ["pbem.keys"]


def test_a_file_without_a_key_is_refused(tmp_path: Path) -> None:
    """Otherwise a truncated file would stop the encryption. A running service keeps its keys."""
    file = tmp_path / "pbem.keys"
    keyring.write(file, KeyRing((OLD,)))
    keys = KeyFile(file)
    assert keys().current == OLD
    file.write_text("# no key\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="there is no key in it"):
        keyring.read(file)
    assert keys().current == OLD


@pytest.mark.parametrize(
    "line",
    [
        "key",
        f"key {OLD.kid} 2026-11-21 {'03' * 32}",
        f"key {OLD.kid} 2026-13-21 {'01' * 32}",
        f"key {OLD.kid} 2026-11-21 {'01' * 31}",
        "sealed-onyl",
    ],
)
def test_a_damaged_line_is_refused(line: str) -> None:
    """It is named by its number; no key is shown."""
    with pytest.raises(
        ConfigError, match=r"pbem\.keys: line 2 is no key, or a damaged one"
    ) as caught:
        keyring.from_text(f"# keys\n{line}\n", "pbem.keys")
    assert "0101" not in str(caught.value)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    """The error names the remedies for a lost file and for one that was never created."""
    file = tmp_path / "pbem.keys"
    with pytest.raises(ConfigError, match=r"key restore BACKUP.*key rotate"):
        KeyFile(file)()
    assert KeyFile(file, is_needed=False)() == KeyRing()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """A service that runs takes up a new key; a file that vanishes does not stop it."""
    file = tmp_path / "pbem.keys"
    keyring.write(file, KeyRing((OLD,)))
    ring = KeyFile(file)
    assert ring().current == OLD
    keyring.write(file, KeyRing((OLD, NEW)))
    assert ring().current == NEW
    file.write_text("damaged", encoding="utf-8")
    assert ring().current == NEW
    file.unlink()
    assert ring().current == NEW


def test_the_owner_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root rotates the keys of a service that is not root: it must be able to read them."""
    file = tmp_path / "pbem.keys"
    keyring.write(file, KeyRing((OLD,)))
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setattr(os, "fchown", lambda _, uid, gid: given.append((uid, gid)))
    keyring.write(file, KeyRing((OLD, NEW)))
    assert given == [(file.stat().st_uid, file.stat().st_gid)]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("mode", "owner", "group", "us", "is_open"),
    [
        (0o640, 0, 7, 7, False),
        (0o640, 0, 7, 0, False),
        (0o640, 0, 7, 8, True),
        (0o640, 0, 0, 0, True),
        (0o640, 7, 7, 7, True),
        (0o644, 0, 7, 7, True),
        (0o660, 0, 7, 7, True),
    ],
)
def test_what_root_lends_to_a_group(
    monkeypatch: pytest.MonkeyPatch, mode: int, owner: int, group: int, us: int, is_open: bool
) -> None:
    """A service may read what it must not change; its group is the user's alone (`us`: both ids)."""
    found = os.stat_result((mode, 0, 0, 1, owner, group, 0, 0, 0, 0))
    monkeypatch.setattr(Path, "stat", lambda _: found)
    monkeypatch.setattr(os, "geteuid", lambda: us)
    monkeypatch.setattr(os, "getegid", lambda: us)
    monkeypatch.setattr(os, "getgroups", list)
    assert keyring.is_open_to_others(Path("pbem.key")) is is_open
    how = "640" if (owner, group) == (0, 7) else "600"
    assert keyring.closing_command(Path("pbem.key")) == f"chmod {how} pbem.key"


def test_a_backup_opens_with_its_passphrase() -> None:
    """And with no other; the keys are not in it."""
    ring = KeyRing((OLD, NEW), sealed_only=True)
    kept = Kept(ring, (b"\x6b" * 32, b"\x6c" * 32))
    text = keybackup.sealed(kept, PASSPHRASE, CHEAP)
    assert keybackup.opened(text, PASSPHRASE, "x") == kept
    assert "0101" not in text
    assert "6b6b" not in text
    with pytest.raises(ConfigError, match="the passphrase is wrong"):
        keybackup.opened(text, PASSPHRASE + "!", "x")
    with pytest.raises(ConfigError, match="10 characters"):
        keybackup.sealed(kept, "short", CHEAP)


@pytest.mark.parametrize("inside", ["[]", "{}", '{"ring": 1, "signing": []}', '{"signing": ["x"]}'])
def test_a_backup_with_something_else_in_it(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the right form, and with the right passphrase."""
    dumps = json.dumps
    with monkeypatch.context() as patched:
        patched.setattr(
            keybackup.json,
            "dumps",
            lambda value, **said: inside if "ring" in value else dumps(value, **said),
        )
        text = keybackup.sealed(Kept(KeyRing((OLD,))), PASSPHRASE, CHEAP)
    with pytest.raises(ConfigError, match="x: this is no backup of keys"):
        keybackup.opened(text, PASSPHRASE, "x")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pbem-keys-backup-v1", "pbem-keys-backup-v2"),
        ('"n": 16', '"n": 15'),
        ('"n": 16', '"n": 1073741824'),
        ('"n": 16', f'"n": {2**70}'),
        ('"n": 16', '"n": "16"'),
        ('"r": 8', '"r": 9'),
        ('"nonce"', '"once"'),
        ("{", "["),
    ],
)
def test_a_damaged_backup_is_refused(old: str, new: str) -> None:
    """In words, whatever is wrong, and without filling the memory."""
    text = keybackup.sealed(Kept(KeyRing((OLD,))), PASSPHRASE, CHEAP)
    assert old in text
    with pytest.raises(ConfigError, match="backup"):
        keybackup.opened(text.replace(old, new, 1), PASSPHRASE, "x")

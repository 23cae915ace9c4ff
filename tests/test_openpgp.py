"""Test OpenPGP keys and messages with GnuPG."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem import openpgp
from pbem.openpgp import OpenPgpError
from tests.gnupg import Gpg

OURS = openpgp.new_secret("game@example.org")


def test_what_is_encrypted_for_a_key_opens_with_its_secret_alone() -> None:
    other = openpgp.new_secret("other@example.org")
    sealed = openpgp.encrypted(b"hand: 7H", openpgp.public(OURS), other)
    assert openpgp.decrypted(sealed.encode(), OURS) == b"hand: 7H"
    with pytest.raises(OpenPgpError, match="the message cannot be opened"):
        openpgp.decrypted(sealed.encode(), other)


@pytest.mark.parametrize("key", [b"", b"no key", openpgp.public(OURS)[:200]])
def test_a_key_is_refused_in_our_words(key: bytes) -> None:
    with pytest.raises(OpenPgpError) as error:
        openpgp.checked(key)
    assert "backtrace" not in str(error.value)
    assert error.value.__cause__ is None


def test_nothing_secret_is_kept_of_a_key() -> None:
    assert openpgp.checked(OURS) == openpgp.public(OURS)


@pytest.mark.parametrize("is_revoked", [True, False])
def test_a_key_that_is_over_is_not_used(gpg: Gpg, *, is_revoked: bool) -> None:
    assert openpgp.checked(gpg.key)
    key = gpg.end(is_revoked=is_revoked)
    with pytest.raises(OpenPgpError):
        openpgp.checked(key)
    with pytest.raises(OpenPgpError):
        openpgp.encrypted(b"hand: 7H", key, OURS)


@pytest.mark.parametrize("is_revoked", [True, False])
def test_a_subkey_that_is_over_is_not_used(gpg: Gpg, *, is_revoked: bool) -> None:
    """The key itself goes on, and a newer subkey of it is used alone."""
    gpg.make("sub@example.org", "ed25519", "sign")
    gpg.add_subkey("never" if is_revoked else "seconds=3")
    assert openpgp.checked(gpg.key)
    if is_revoked:
        answers = b"key 1\nrevkey\ny\n0\n\ny\nsave\n"
        gpg.run("--command-fd", "0", "--edit-key", gpg.address, data=answers)
    else:
        time.sleep(4)
    key = gpg.run("--export", gpg.address)
    with pytest.raises(OpenPgpError):
        openpgp.checked(key)
    with pytest.raises(OpenPgpError):
        openpgp.encrypted(b"hand: 7H", key, OURS)
    fresh = gpg.add_subkey("never")
    for newer in (gpg.key, openpgp.checked(gpg.key)):
        sealed = openpgp.encrypted(b"hand: 7H", newer, OURS)
        told = gpg.run("--list-packets", "--list-only", data=sealed.encode()).decode()
        readers = [line.split()[-1] for line in told.splitlines() if ":pubkey enc" in line]
        assert readers == [fresh[-16:]]


def test_our_key_itself_signs(gpg: Gpg) -> None:
    """Five packets, as Autocrypt Level 1 says; Delta Chat asks no subkey who signed."""
    for address in ("game@example.org", "g@b.example"):
        gpg.take(openpgp.public(secret := openpgp.new_secret(address)))
        listed = gpg.run("--list-keys", "--with-colons", address).decode().splitlines()
        rows = [line.split(":") for line in listed]
        kinds = [(row[0], row[11]) for row in rows if row[0] in ("pub", "uid", "sub")]
        assert kinds == [("pub", "scESC"), ("uid", ""), ("sub", "e")]
        assert len(openpgp.library().packet.PacketPile.from_bytes(openpgp.public(secret))) == 5


def test_gpg_reads_ours_and_we_read_gpg(gpg: Gpg) -> None:
    gpg.take(openpgp.public(OURS))
    theirs = openpgp.checked(gpg.key)
    sealed = openpgp.encrypted(b"hand: 7H", theirs, OURS)
    assert gpg.run("--decrypt", data=sealed.encode()) == b"hand: 7H"
    answer = gpg.encrypted(b"play 7H", "game@example.org")
    assert openpgp.decrypted(answer, OURS) == b"play 7H"
    shown = openpgp.fingerprint(theirs).replace(" ", "")
    assert shown in gpg.run("--list-keys", "--with-colons").decode()


def test_the_library_is_not_imported_before_it_is_needed(tmp_path: Path) -> None:
    asked = "import sys, pbem.serving, pbem.openpgp as o; o.is_there(); print('pysequoia' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert found.stdout == "False\n"

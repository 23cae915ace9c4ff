"""Run GnuPG as a player's OpenPGP program, with a separate keyring without a passphrase."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem import openpgp


@dataclass
class Gpg:
    """The keyring of one person. `key` is their public key."""

    home: Path
    address: str
    key: bytes = b""

    def run(self, *arguments: str, data: bytes = b"") -> bytes:
        command = [
            "gpg",
            "--homedir",
            str(self.home),
            "--batch",
            "--quiet",
            "--trust-model",
            "always",
        ]
        done = subprocess.run([*command, *arguments], input=data, capture_output=True, check=True)
        return done.stdout

    def make(self, address: str, *kind: str) -> None:
        """Create a key for an address."""
        made = ("--passphrase", "", "--pinentry-mode", "loopback", "--quick-gen-key", address)
        self.run(*made, *(kind or ("future-default", "default")), "never")
        self.address, self.key = address, self.run("--export", address)

    def end(self, *, is_revoked: bool) -> bytes:
        """Revoke the key, or let it expire within two seconds. Return the changed key."""
        name = openpgp.fingerprint(self.key).replace(" ", "")
        if is_revoked:
            made = (self.home / "openpgp-revocs.d" / f"{name}.rev").read_text(encoding="ascii")
            self.run("--import", data=made.replace(":-----BEGIN", "-----BEGIN").encode())
        else:
            quietly = ("--passphrase", "", "--pinentry-mode", "loopback")
            self.run(*quietly, "--quick-set-expire", name, "seconds=2")
            time.sleep(3)
        return self.run("--export", self.address)

    def add_subkey(self, expires: str) -> str:
        """Add a subkey for encryption that expires after `expires`. Return its fingerprint.

        Args:
            expires: such as `seconds=2`, or `never`.
        """
        name = openpgp.fingerprint(self.key).replace(" ", "")
        quietly = ("--passphrase", "", "--pinentry-mode", "loopback")
        self.run(*quietly, "--quick-add-key", name, "cv25519", "encr", expires)
        self.key = self.run("--export", self.address)
        listed = self.run("--list-keys", "--with-colons", "--with-subkey-fingerprint", name)
        return [one for one in listed.decode().splitlines() if one.startswith("fpr:")][-1].split(
            ":"
        )[9]

    def take(self, key: bytes) -> None:
        """Import and trust another person's key, so that mail programs do not ask about it."""
        self.run("--import", data=key)
        believed = f"{openpgp.fingerprint(key).replace(' ', '')}:6:\n"
        self.run("--import-ownertrust", data=believed.encode())

    def encrypted(self, data: bytes, to: str, *options: str) -> bytes:
        return self.run("--armor", "--sign", "--encrypt", "--recipient", to, *options, data=data)


@pytest.fixture
def gpg() -> Iterator[Gpg]:
    """Create Anna's keyring, or skip the test if GnuPG is not installed."""
    if shutil.which("gpg") is None or shutil.which("gpgconf") is None:
        pytest.skip("NOT TESTED: install gpg, gpg-agent, gpgconf (.ci/run does)")
    with tempfile.TemporaryDirectory(
        prefix="gpg"
    ) as home:  # the path must be short, because it contains a socket
        Path(home).chmod(0o700)
        one = Gpg(Path(home), "anna@example.org")
        one.make(one.address)
        try:
            yield one
        finally:
            subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=True)


def pgp_mime(message: bytes, head: str = "From: Anna <anna@example.org>\r\n") -> bytes:
    """Return an encrypted mail (RFC 3156 §4) that contains an armoured message."""
    before = (
        f"{head}MIME-Version: 1.0\r\n"
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="=b"\r\n\r\n'
        "--=b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n\r\n"
        "--=b\r\nContent-Type: application/octet-stream\r\n\r\n"
    )
    return (
        before.encode()
        + message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        + b"\r\n--=b--\r\n"
    )

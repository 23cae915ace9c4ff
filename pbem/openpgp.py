"""OpenPGP keys and encryption, if the extra `openpgp` is installed.

Only this module uses the library (Sequoia). It is imported on first use, so that a service without
encryption does not load it. Its errors are not passed on, because they could quote private data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pbem.clock import SystemClock
from pbem.errors import PbemError


class OpenPgpError(PbemError):
    """Raised if a key cannot be used, a message cannot be decrypted, or the library is missing."""


@cache
def is_there() -> bool:
    """True if the extra is installed."""
    return find_spec("pysequoia") is not None


def library() -> Any:  # noqa: ANN401  (a module that may be missing)
    """Import the library. Raises: OpenPgpError."""
    if not is_there():
        raise OpenPgpError("the extra openpgp is not installed")
    return import_module("pysequoia")


@contextmanager
def _plainly(what: str) -> Iterator[Any]:
    """Yield the library, and raise `OpenPgpError` with the text `what` instead of its errors."""
    module = library()
    try:
        yield module
    except (RuntimeError, ValueError, OSError):
        raise OpenPgpError(what) from None


def new_secret(address: str) -> bytes:
    """Create a secret key for an address as Autocrypt Level 1 requires.

    It has a primary key that signs and a subkey for encryption. The library would use a subkey for
    signing, but mail programs such as Delta Chat expect signatures by the primary key. So the
    library's signing subkey is left out, and our own certification lets the primary key sign.
    """
    with _plainly("no key can be made") as pgp:
        made = pgp.Tsk.generate(f"<{address}>", profile=pgp.Profile.RFC4880)
        key, _, user, *_, subkey, binding = pgp.packet.PacketPile.from_bytes(bytes(made))
        packets = bytes(key) + bytes(user) + _may_sign(key, user) + bytes(subkey) + bytes(binding)
        return bytes(pgp.Tsk.from_bytes(packets))


def _may_sign(key: Any, user: Any) -> bytes:  # noqa: ANN401  (an untyped object of the library)
    """Certify a user ID of an Ed25519 key, with the flags for certifying and signing.

    See RFC 9580, 5.2.3 and 5.2.4.
    """
    public_part, secret = key.body[:_PUBLIC], key.body[_PUBLIC + 3 : -2]
    fields = (
        b"\x02" + key.body[1:5],  # created together with the key
        b"\x1b\x03",  # key flags: certify and sign
        b"\x0b\x09\x07",  # preferred ciphers: AES-256, AES-128
        b"\x15\x0a\x08",  # preferred hashes: SHA-512, SHA-256
        b"\x1e\x01",  # features: modification detection
        b"\x10" + bytes.fromhex(key.key_id),
        b"\x21\x04" + bytes.fromhex(key.fingerprint),
    )
    hashed = b"".join(bytes([len(field)]) + field for field in fields)
    head = b"\x04\x13\x16\x0a" + len(hashed).to_bytes(2) + hashed
    digest = hashlib.sha512(
        b"\x99"
        + len(public_part).to_bytes(2)
        + public_part
        + b"\xb4"
        + len(user.body).to_bytes(4)
        + user.body
        + head
        + b"\x04\xff"
        + len(head).to_bytes(4)
    ).digest()
    # Imported here because the parser process decrypts messages but creates no keys.
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    key_pair = ed25519.Ed25519PrivateKey.from_private_bytes(secret.rjust(32, b"\0"))
    signed = key_pair.sign(digest)
    numbers = b"".join(
        number.bit_length().to_bytes(2) + number.to_bytes((number.bit_length() + 7) // 8)
        for number in map(int.from_bytes, (signed[:32], signed[32:]))
    )
    body = head + b"\0\0" + digest[:2] + numbers
    return b"\xc2" + bytes([len(body)]) + body


_PUBLIC = 51
"""Number of public bytes in the body of an Ed25519 key. The unencrypted secret follows them."""


def public(secret: bytes) -> bytes:
    """Return the public key that belongs to a secret key."""
    with _plainly("our own key is damaged") as pgp:
        return bytes(pgp.Tsk.from_bytes(secret).extract_certificate())


def checked(key: bytes) -> bytes:
    """Validate a public key and return it as the library serializes it, without secret parts.

    Raises: OpenPgpError, also if the key cannot encrypt, has expired or was revoked.
    """
    with _plainly("the key cannot be used") as pgp:
        cert = _in_force(pgp, key)
        pgp.encrypt(b"", [cert])
        return bytes(cert)


def _in_force(certificate: Any, key: bytes) -> Any:  # noqa: ANN401  (an untyped object of the library)
    """Parse a public key without its expired subkeys.

    The library itself would also encrypt for expired subkeys.

    Raises: ValueError if the key has expired or was revoked, and the library's errors.
    """
    cert, now = certificate.Cert.from_bytes(key), SystemClock().now()
    ends = cert.expiration
    if cert.is_revoked or (ends is not None and ends <= now):
        raise ValueError("expired or revoked")
    parts: list[list[Any]] = [[]]
    for packet in certificate.packet.PacketPile.from_bytes(bytes(cert)):
        if packet.tag == certificate.packet.Tag.PublicSubkey:
            parts.append([])
        parts[-1].append(packet)
    kept = [subkey for subkey in parts[1:] if not _is_over(subkey, now)]
    if len(kept) == len(parts) - 1:
        return cert
    return certificate.Cert.from_packets(
        [packet for subkey in (parts[0], *kept) for packet in subkey]
    )


def _is_over(subkey: list[Any], now: datetime) -> bool:
    """True if a subkey has expired according to its newest binding signature."""
    binding = library().packet.SignatureType.SubkeyBinding
    bound = [one for one in subkey if one.signature_type == binding and one.signature_created]
    if not bound:
        return False
    newest = max(bound, key=lambda one: one.signature_created)
    valid = newest.key_validity_period
    return valid is not None and subkey[0].key_created + valid <= now


def fingerprint(key: bytes) -> str:
    """Return the fingerprint of a public key in groups of four digits, as people compare it."""
    with _plainly("the key cannot be used") as pgp:
        digits = pgp.Cert.from_bytes(key).fingerprint.upper()
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def encrypted(data: bytes, key: bytes, secret: bytes) -> str:
    """Encrypt for a public key and sign with our secret key. Return the armoured message."""
    with _plainly("the key cannot be used any more") as pgp:
        signer = pgp.Tsk.from_bytes(secret).signer()
        sealed: bytes = pgp.encrypt(data, [_in_force(pgp, key)], signer=signer)
        return sealed.decode("ascii")


def decrypted(message: bytes, secret: bytes) -> bytes:
    """Decrypt a message that was encrypted for our key. Signatures are not checked."""
    with _plainly("the message cannot be opened") as pgp:
        opened = pgp.decrypt(message, decryptor=pgp.Tsk.from_bytes(secret).decryptor())
        return bytes(opened.bytes or b"")

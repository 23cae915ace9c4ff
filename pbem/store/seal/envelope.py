"""Authenticated encryption of stored secrets, such as payloads and messages.

An envelope is `~`, the key's name (16 hexadecimal digits), and the base64 of a 12-byte nonce and
the AES-256-GCM output. Release 1.0 wrote JSON, which can still be read but is twice as long for
short data: `{"v":1,"alg":"aes-256-gcm","kid":…,"nonce":"<base64>","data":"<base64>"}`. Without a
key, this JSON form with `alg` `none` is still written. The associated data names table, column and
row, so an envelope cannot be moved to another row. Nonces are random, which is safe for 2^32
envelopes per key.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import overload

from cryptography.exceptions import InvalidTag
from sqlalchemy import Connection

from engine.canonical import encoder
from pbem.domain.log.chain import format_time
from pbem.errors import KeyMissingError, StoreError
from pbem.store.rows.texts import Tables
from pbem.store.seal.keyring import KID_LENGTH, Key, KeyRing
from pbem.store.seal.packing import pack, unpack

VERSION = 1
UNSEALED = "none"
ALGORITHM = "aes-256-gcm"
SHORT = "~"
SEALED_PREFIXES = (SHORT, f'{{"v":{VERSION},"alg":"{ALGORITHM}","kid":"')
"""Prefixes of encrypted envelopes of this release and of 1.0. The key's name follows."""

PLAIN = ""
"""Name used instead of a key's for values that are not encrypted."""

_BEGINS = '{"v":1,"alg":"'
_PLACE_PREFIX = b"pbem-envelope-v1\n"
_NONCE_BYTES = 12
_BODY = len(SHORT) + KID_LENGTH
"""Index at which the base64 part of a short envelope begins."""


def _instant(value: object) -> str:
    if isinstance(value, datetime):
        return format_time(value)
    raise TypeError(f"{type(value).__name__} names no place")


_encode = encoder(_instant)

Place = str | int | datetime | None
"""Part of an envelope's context: `table.column`, then values that identify the row.

Example: `("event_secret.payload", "k7q…", 17)`.
"""


class Envelopes:
    """Encrypt with the newest key of a key ring and decrypt with any. Without a key, only encode.

    Args:
        ring: the keys, or None to use no key.
        later: returns the current key ring. Called if a key is missing in `ring`, because another
            process may have created and used a new key.
    """

    def __init__(
        self, ring: KeyRing | None = None, *, later: Callable[[], KeyRing] | None = None
    ) -> None:
        self.ring = ring or KeyRing()
        self._later = later

    def seal(self, data: bytes, *place: Place) -> str:
        """Encrypt bytes and return the envelope.

        It can only be opened with the same context, `place`.

        Raises: KeyMissingError if the key ring lacks the newest data key.
        """
        if self.ring.is_stale:
            raise KeyMissingError(
                "a data key of the database cannot be decrypted with the key file, so nothing is"
                " written with older keys: put the file back with `pbem key restore BACKUP`, or copy"
                " the newest one from the machine where `pbem key rotate` ran"
            )
        key = self.ring.current
        if key is None:
            body = base64.b64encode(data).decode("ascii")
            return f'{_BEGINS}{UNSEALED}","kid":null,"nonce":null,"data":"{body}"}}'
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + key.cipher.encrypt(nonce, data, _bound_to(place))
        return f"{SHORT}{key.kid}{base64.b64encode(sealed).decode('ascii')}"

    def open(self, text: str, *place: Place) -> bytes:
        """Decrypt an envelope.

        Raises:
            KeyMissingError: its key is not in the key ring.
            StoreError: it is damaged, was encrypted for another context, or has an unknown format.
        """
        if text.startswith(SHORT):
            kid, sealed = text[len(SHORT) : _BODY], _base64(text[_BODY:], "what is sealed")
            nonce, data = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        else:
            envelope = _read(text)
            algorithm = envelope.get("alg")
            if algorithm == UNSEALED:
                self._require_unsealed_allowed()
                return _member(envelope, "data")
            if algorithm != ALGORITHM:
                raise StoreError(
                    f"envelope algorithm {_word(algorithm)} is unknown to this program (it knows"
                    f" {ALGORITHM!r} and {UNSEALED!r})"
                )
            kid = _text(envelope, "kid")
            nonce, data = _member(envelope, "nonce"), _member(envelope, "data")
        try:
            return self._key(kid).cipher.decrypt(nonce, data, _bound_to(place))
        except (InvalidTag, ValueError):
            raise StoreError(
                "the envelope does not open: it was changed, or it belongs to another place"
            ) from None

    def _key(self, kid: str) -> Key:
        key = self.ring.get(kid)
        if key is None and self._later is not None:
            key = self._later().get(kid)
        if key is None:
            raise KeyMissingError(
                f"this is encrypted with the key {_word(kid)}, which is not in the key file: restore"
                " it with `pbem key restore BACKUP` (see docs/keys.md if there is no backup)"
            )
        return key

    def opener(self, *before: Place) -> Callable[[str, int], bytes | None]:
        """Return a fast decryption function for envelopes of one column.

        The contexts of the envelopes may differ only in their last number, which is the function's
        second argument. The function returns None unless the envelope has the current format and
        key and can be decrypted. Call `open` in that case, which raises an error with the reason.
        """
        key = self.ring.current
        if key is None:
            return lambda _text, _number: None
        decrypt, decoded, bound = key.cipher.decrypt, binascii.a2b_base64, _place_before(before)
        head = SHORT + key.kid

        def opened(text: str, number: int) -> bytes | None:
            if not text.startswith(head):
                return None
            try:
                sealed = decoded(text[_BODY:], strict_mode=True)
                return decrypt(
                    sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], b"%b,%d]" % (bound, number)
                )
            except (InvalidTag, ValueError):
                return None

        return opened

    def seal_mail(self, raw: bytes, *place: Place) -> str:
        """Compress and encrypt a message."""
        return self.seal(pack(raw), *place)

    def open_mail(self, text: str, *place: Place) -> bytes:
        """Decrypt and decompress a message.

        Return a message that was stored uncompressed unchanged.

        Raises the same errors as `open`.
        """
        return unpack(self.open(text, *place))

    @overload
    def seal_text(self, text: str, *place: Place) -> str: ...
    @overload
    def seal_text(self, text: str | None, *place: Place) -> str | None: ...
    def seal_text(self, text: str | None, *place: Place) -> str | None:
        """Encrypt a text. None remains None."""
        return None if text is None else self.seal(text.encode("utf-8"), *place)

    @overload
    def open_text(self, text: str, *place: Place) -> str: ...
    @overload
    def open_text(self, text: str | None, *place: Place) -> str | None: ...
    def open_text(self, text: str | None, *place: Place) -> str | None:
        """Decrypt a text. Return a text that was stored without a key unchanged.

        Raises the same errors as `open`.
        """
        if text is None:
            return None
        if not is_envelope(text):
            self._require_unsealed_allowed()
            return text
        try:
            return self.open(text, *place).decode("utf-8")
        except UnicodeDecodeError:
            raise StoreError("the envelope is damaged: this is not text") from None

    def open_if_possible(self, text: str | None, *place: Place) -> str | None:
        """Decrypt a text like `open_text`, but return None if its key is missing."""
        try:
            return self.open_text(text, *place)
        except KeyMissingError:
            return None

    def _require_unsealed_allowed(self) -> None:
        if self.ring.sealed_only:
            raise StoreError(
                "this is not encrypted, though everything here is: it was written without the key"
                " (docs/keys.md, sealed-only)"
            )


class SealedTables(Tables):
    """Base class for access to tables with encrypted columns or signed rows."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        super().__init__(connection)
        self._envelopes = envelopes


def is_envelope(text: str) -> bool:
    """True if a text is an envelope, False if it was stored without a key."""
    return text.startswith((SHORT, _BEGINS))


def kid_of(text: str) -> str:
    """Return the name of the key that encrypted a text, or `PLAIN` if it is not encrypted."""
    for prefix in SEALED_PREFIXES:
        if text.startswith(prefix):
            return text[len(prefix) : len(prefix) + KID_LENGTH]
    return PLAIN


def _bound_to(position: tuple[Place, ...]) -> bytes:
    if len(position) > 1 and type(position[-1]) is int:
        return b"%b,%d]" % (_place_before(position[:-1]), position[-1])
    return _PLACE_PREFIX + _encode(position).encode()


@lru_cache(maxsize=1024)
def _place_before(position: tuple[Place, ...]) -> bytes:
    """Return the encoded prefix shared by all contexts that differ only in their last number."""
    return (_PLACE_PREFIX + _encode(position).encode()).removesuffix(b"]")


def _read(text: str) -> dict[str, object]:
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        raise StoreError("the stored value is no envelope: not JSON") from None
    if not isinstance(envelope, dict):
        raise StoreError("the stored value is no envelope: not a JSON object")
    if envelope.get("v") != VERSION or type(envelope.get("v")) is not int:
        raise StoreError(
            f"envelope version {_word(envelope.get('v'))} is unknown to this program (it knows"
            f" {VERSION}): a newer pbem wrote it"
        )
    return envelope


def _text(envelope: dict[str, object], name: str) -> str:
    text = envelope.get(name)
    if not isinstance(text, str):
        raise StoreError(f"the envelope is damaged: {name} is missing")
    return text


def _member(envelope: dict[str, object], name: str) -> bytes:
    return _base64(_text(envelope, name), name)


def _base64(text: str, name: str) -> bytes:
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise StoreError(f"the envelope is damaged: {name} is not base64") from None


def _word(value: object) -> str:
    """Quote a value of an envelope for an error. Shorten long values, which could be payload."""
    text = repr(value)
    return text if len(text) <= 20 else f"{text[:17]}..."  # noqa: PLR2004

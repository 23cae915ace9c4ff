"""Extraction of the sender's key from the Autocrypt header (Level 1)."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from pbem import openpgp
from pbem.mail_in.mime.headers import Headers
from pbem.openpgp import OpenPgpError

_LONGEST: Final = 10 * 1024
"""Maximum length of the field. The standard requires ignoring longer fields."""
_MAX: Final = 5
_DATE_LENGTH: Final = 100
_KNOWN: Final = frozenset(["addr", "prefer-encrypt", "keydata"])


def key_of(headers: Headers, sender: str | None) -> tuple[str, ...]:
    """Return the sender's key in base64 and the date of the message (ISO 8601).

    The result is empty unless there is exactly one usable key. The date is empty if it is invalid.
    """
    if sender is None or not openpgp.is_there():
        return ()
    values = headers.all("autocrypt")[:_MAX]
    keys = [key for value in values if (key := _key_for(sender, value)) is not None]
    if len(keys) != 1:
        return ()
    try:
        key = openpgp.checked(keys[0])
    except OpenPgpError:
        return ()
    return base64.b64encode(key).decode("ascii"), _written_at(headers.first("date"))


def _key_for(sender: str, value: str) -> bytes | None:
    """Return the key in an Autocrypt field, or None if it is not valid for this address."""
    if len(value) > _LONGEST:
        return None
    given: dict[str, str] = {}
    for attribute in value.split(";"):
        name, _, text = attribute.partition("=")
        given.setdefault(name.strip().lower(), text.strip())
    must_be_known = {name for name in given if name and not name.startswith("_")}
    if not must_be_known <= _KNOWN or given.get("addr", "").lower() != sender:
        return None
    try:
        return binascii.a2b_base64("".join(given["keydata"].split()), strict_mode=True)
    except (KeyError, ValueError):
        return None


def _written_at(value: str) -> str:
    try:
        date = parsedate_to_datetime(value[:_DATE_LENGTH])
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""

"""Values between the service and its reading process: JSON behind a length.

They are never pickled: a mail that took over the reading process must not get any further.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

from pbem.mail_in.mime.lines import BodyLine, Zone
from pbem.mail_in.mime.message import InboundMail, Triage

LENGTH: Final = 4
"""Bytes of the length before each message, big-endian."""
LONGEST: Final = 64 * 1024 * 1024
_NAMES: Final = tuple(one.name for one in fields(InboundMail))
_ZONES: Final = {zone.value: zone for zone in Zone}
_TUPLES: Final = ("recipients", "answers", "problems", "authors", "autocrypt")


def pack(message: dict[str, Any], tail: bytes = b"") -> bytes:
    """Write a message and the bytes that follow it."""
    data = json.dumps({**message, "tail": len(tail)}).encode("ascii")
    return len(data).to_bytes(LENGTH, "big") + data + tail


def mail_to_json(mail: InboundMail) -> dict[str, Any]:
    """Return a mail as JSON."""
    values = {name: getattr(mail, name) for name in _NAMES}
    return {**values, "triage": mail.triage.value}


def mail_from_json(data: dict[str, Any]) -> InboundMail:
    """Return the mail from its JSON.

    Raises: KeyError, TypeError, ValueError if it is not a mail.
    """
    values = {**data, "triage": Triage(data["triage"])}
    for name in _TUPLES:
        values[name] = tuple(data[name])
    if data["rich"] is not None:
        values["rich"] = tuple(
            BodyLine(text, _ZONES[zone], depth, width) for text, zone, depth, width in data["rich"]
        )
    return InboundMail(**values)

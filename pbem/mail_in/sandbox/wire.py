"""What goes between the service and its reading process: JSON behind its length, and a mail behind a request.

It is never pickled: a mail that took over the reading process must not get any further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import msgspec

from pbem.mail_in.mime.message import InboundMail

LENGTH: Final = 4
"""Bytes of the length before each message, big-endian."""
LONGEST: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """What a mail is to be read with; see `MailReader.read`. Its `size` bytes follow."""

    own_domains: list[str]
    own_addresses: list[str]
    mail_from: str | None = field(repr=False)
    head_only: bool
    secret: bytes | None = field(repr=False)
    size: int


class Answer(msgspec.Struct):
    """What came of it: one of these.

    Attributes:
        mail: an `InboundMail`, as JSON; empty for none.
        malformed: why the bytes are not a mail.
        failed: what went wrong over there.
    """

    mail: msgspec.Raw = msgspec.Raw()
    malformed: str | None = None
    failed: str | None = None


request_of: Final = msgspec.json.Decoder(Request).decode
answer_of: Final = msgspec.json.Decoder(Answer).decode
mail_of: Final = msgspec.json.Decoder(InboundMail).decode
"""They read these; raise msgspec.DecodeError for anything else."""


def pack(message: object) -> bytes:
    """Write a message."""
    data = msgspec.json.encode(message)
    return len(data).to_bytes(LENGTH, "big") + data

"""Protocol between the service and its parser process: length-prefixed JSON.

The raw message follows its request. Nothing is pickled, so that a message that takes over the
parser process gets no further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import msgspec

from pbem.mail_in.mime.message import InboundMail

LENGTH: Final = 4
"""Size of the big-endian length prefix of each message."""
LONGEST: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """A request to parse a message of `size` bytes, which follow (see `MailReader.read`)."""

    own_domains: list[str]
    own_addresses: list[str]
    mail_from: str | None = field(repr=False)
    head_only: bool
    secret: bytes | None = field(repr=False)
    size: int


class Answer(msgspec.Struct):
    """The answer to a request. Exactly one attribute is set.

    Attributes:
        mail: an `InboundMail` as JSON, or empty for none.
        malformed: why the bytes are not a message.
        failed: the error in the process.
    """

    mail: msgspec.Raw = msgspec.Raw()
    malformed: str | None = None
    failed: str | None = None


request_of: Final = msgspec.json.Decoder(Request).decode
answer_of: Final = msgspec.json.Decoder(Answer).decode
mail_of: Final = msgspec.json.Decoder(InboundMail).decode
"""Decoders, which raise msgspec.DecodeError for anything else."""


def pack(message: object) -> bytes:
    """Encode a message with its length."""
    data = msgspec.json.encode(message)
    return len(data).to_bytes(LENGTH, "big") + data

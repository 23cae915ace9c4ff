"""Parse header fields: names and values, encoded words, Message-IDs and envelopes.

Functions return None or an empty value for invalid headers and never raise an exception.

The envelope of a message in a mailbox is reconstructed from its trace fields. The delivering server
adds them at the top (RFC 5321 §4.4), so the first field of each name is used. Forging one is
useless, because the sender could have addressed the message to that recipient directly.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from pbem.mail_in.mime.charsets import clean_line, decode_text
from pbem.mail_in.mime.message import Envelope

SUBJECT_LENGTH: Final = 500
_READ_LENGTH: Final = 4096
_ID_LENGTH: Final = 500
_ANSWERS: Final = 30
_HEADER_LIMIT: Final = 64 * 1024
_HEADER_END: Final = re.compile(rb"\r?\n\r?\n")
_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
# RFC 2047 allows 75 characters. Longer words occur in practice, but hundreds are enough.
_WORD: Final = re.compile(
    r"=\?(?P<charset>[^?]{0,60})\?(?P<encoding>[bBqQ])\?(?P<data>.{0,1000}?)\?=", re.DOTALL
)
_BETWEEN_WORDS: Final = re.compile(r"(?<=\?=)\s+(?==\?[^?]{0,60}\?[bBqQ]\?)")


class Headers:
    """The fields of one header block, in order. Names are case-insensitive."""

    __slots__ = ("_values",)

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._values: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(b":")
            text, _ = decode_text(value.replace(b"\t", b" ").strip(), "")
            key = name.strip().decode("ascii", "replace").lower()
            self._values.setdefault(key, []).append(text)

    def all(self, name: str) -> list[str]:
        """Return all values of a field, unfolded and otherwise unchanged."""
        return self._values.get(name, [])[:]

    def first(self, name: str) -> str:
        """Return the first value of a field, or empty if there is none."""
        return next(iter(self._values.get(name, ())), "")

    def names(self) -> frozenset[str]:
        """Return the names of all fields, in lower case."""
        return frozenset(self._values)


def decode_words(value: str) -> str:
    """Decode the encoded words (RFC 2047) in an unstructured value.

    Invalid words are left unchanged. White space between two encoded words is removed (§6.2).
    """
    return _WORD.sub(_decoded, _BETWEEN_WORDS.sub("", value[:_READ_LENGTH]))


def _decoded(word: re.Match[str]) -> str:
    data = word["data"].encode("utf-8", "replace")
    try:
        if word["encoding"] in "qQ":
            raw = binascii.a2b_qp(data, header=True)
        else:
            raw = binascii.a2b_base64(data + b"===")
    except ValueError:
        return word[0]
    return decode_text(raw, word["charset"].partition("*")[0])[0]


def subject_of(headers: Headers) -> str:
    """Return the decoded subject as one printable line."""
    return clean_line(decode_words(headers.first("subject")), SUBJECT_LENGTH)


def message_ids(value: str, limit: int = 200) -> list[str]:
    """Return the well-formed Message-IDs of a field without their brackets, in order."""
    result: list[str] = []
    for piece in value.split("<")[1 : limit + 1]:
        inner, bracket, _ = piece.partition(">")
        if bracket and is_message_id(inner):
            result.append(inner)
    return result


def is_message_id(text: str) -> bool:
    """True if a text is valid between the angle brackets of a Message-ID."""
    return 0 < len(text) <= _ID_LENGTH and text.isascii() and text.isprintable() and " " not in text


def message_id_of(headers: Headers) -> str | None:
    """Return the Message-ID, or None if it is missing, duplicated or malformed (e.g. `<>`)."""
    values = headers.all("message-id")
    ids = message_ids(values[0]) if len(values) == 1 else []
    return ids[0] if len(ids) == 1 else None


def answered_ids(headers: Headers) -> tuple[str, ...]:
    """Return the Message-IDs that a message replies to, nearest first."""
    chain = [
        *(
            message_id
            for value in headers.all("references")[:1]
            for message_id in message_ids(value)
        ),
        *(
            message_id
            for value in headers.all("in-reply-to")[:1]
            for message_id in message_ids(value)
        ),
    ]
    return tuple(dict.fromkeys(reversed(chain)))[:_ANSWERS]


def header_of(raw: bytes) -> bytes:
    """Return the unfolded header block. Header-like lines in the body are excluded."""
    head = _HEADER_END.split(raw[:_HEADER_LIMIT], maxsplit=1)[0]
    return _FOLD.sub(b" ", head)


_RETURN_PATH = re.compile(rb"^return-path:[ \t]*<([^<>\r\n]{0,320})>", re.IGNORECASE | re.MULTILINE)
_RECIPIENT = re.compile(
    rb"^(?:delivered-to|x-original-to|x-delivered-to|envelope-to|x-envelope-to):"
    rb"[ \t]*<?([^<>\s]{1,320})>?[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)


def envelope_of(
    raw: bytes, *, transport: str, arrived_at: datetime, is_ours: Callable[[str], bool]
) -> Envelope:
    """Reconstruct the envelope of a message in a mailbox.

    The recipient is the first address of the service in the trace fields, preferably one with a
    token. It is None if there is none, and callers then use To. The sender is None without a
    Return-Path.

    Args:
        raw: the message, or its beginning.
        transport: as in `Envelope`.
        arrived_at: time when the server received the message.
        is_ours: returns True for an address of the service.
    """
    head = header_of(raw)
    path = _RETURN_PATH.search(head)
    recipients = [found.decode("ascii", "replace") for found in _RECIPIENT.findall(head)[:20]]
    ours = [address for address in recipients if is_ours(address)]
    with_token = (address for address in ours if "+" in address)
    return Envelope(
        mail_from=None if path is None else path.group(1).decode("ascii", "replace").strip(),
        rcpt_to=next(with_token, ours[0] if ours else None),
        transport=transport,
        arrived_at=arrived_at,
    )

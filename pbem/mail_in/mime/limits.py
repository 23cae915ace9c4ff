"""Limits on raw messages, checked before parsing.

Malicious messages of some hundred kilobytes can take the standard library's parsers seconds, or
exhaust the stack. Content beyond these limits is not read. Only the plain header fields are still
read, so that the sender can get an answer.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from pbem.errors import MalformedMailError

_NAME: Final = re.compile(rb"[!-~]+")
"""Printable ASCII characters before the colon."""
_SAME_NAME: Final = 40
"""Maximum number of fields with the same name. More hops mean a loop."""


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits on the parts of a message that are parsed. Sizes are in bytes.

    Attributes:
        mail: size of the part of a message that is parsed. Attachments beyond it are ignored, but
            a text that extends beyond it is rejected.
        head: size of the header block of the message.
        head_line: size of one header line.
        fields: number of header fields.
        part_head: size of the header block of a part.
        parts: number of leaves and containers together.
        depth: number of nested containers.
    """

    mail: int = 256 * 1024
    head: int = 64 * 1024
    head_line: int = 8 * 1024
    fields: int = 200
    part_head: int = 16 * 1024
    parts: int = 50
    depth: int = 10


@dataclass(frozen=True, slots=True)
class RawMail:
    """A message split at its first empty line. Line ends are LF, and NUL bytes are removed.

    Attributes:
        head: the unfolded header lines, without lines that are not header fields.
        body: everything after the first empty line.
        cut: True if the message exceeded the size limit.
        problems, unread: as in `InboundMail`.
    """

    head: tuple[bytes, ...]
    body: bytes
    cut: bool
    problems: tuple[str, ...]
    unread: str | None = None


def open_raw(raw: bytes, limits: ParseLimits) -> RawMail:
    """Check the limits and split a message into header and body.

    If the header exceeds the limits, only fields that are not too long are returned, with an empty
    body.

    Raises:
        MalformedMailError: there is no header.
    """
    problems: list[str] = []
    unread: str | None = None
    cut = len(raw) > limits.mail
    if cut:
        raw = raw[: limits.mail]
        problems.append("longer than the size limit: only the beginning was read")
    if b"\0" in raw:
        raw = raw.replace(b"\0", b"")
        problems.append("NUL bytes were removed")
    raw = raw.replace(b"\r\n", b"\n")
    head, body = split_head(raw)
    if b"\r" in head:
        # A lone CR is a line end for some readers only: it must not start a field.
        head = head.replace(b"\r", b" ")
        problems.append("a lone carriage return in the header")
    if b"\r" in body:
        body = body.replace(b"\r", b"\n")
    try:
        lines = unfold(head, block=limits.head, line=limits.head_line, fields=limits.fields)
    except MalformedMailError as error:
        unread, body = str(error), b""
        lines = _plain_fields(head, limits)
    if lines and lines[0].startswith((b"From ", b">From ")):
        lines = lines[1:]
    fields = tuple(line for line in lines if is_field(line))
    if len(fields) != len(lines):
        problems.append("a header line that is not a field")
    if not fields:
        raise MalformedMailError("no header")
    return RawMail(fields, body, cut, tuple(problems), unread)


def _plain_fields(head: bytes, limits: ParseLimits) -> list[bytes]:
    """Return the fields of a header that exceeds the limits.

    Values that are too long are dropped. A limited number of fields per name is returned, which is
    enough to detect a second From.
    """
    result: list[bytes] = []
    seen = Counter[bytes]()
    for parts in _folded(head):
        name = parts[0].partition(b":")[0].lower()
        seen[name] += 1
        if seen[name] <= _SAME_NAME:
            fits = sum(map(len, parts)) <= limits.head_line
            result.append(b" ".join(parts) if fits else name[: limits.head_line] + b":")
    return result


def split_head(block: bytes) -> tuple[bytes, bytes]:
    """Separate header and body at the first empty line. Line ends are LF."""
    if block.startswith(b"\n"):
        return b"", block[1:]
    head, _, body = block.partition(b"\n\n")
    return head, body


def unfold(head: bytes, *, block: int, line: int, fields: int) -> list[bytes]:
    """Join the folded lines of a header block.

    Raises:
        MalformedMailError: the block, a line or the number of fields is beyond the limit.
    """
    if len(head) > block:
        raise MalformedMailError("the header is too long")
    if head.count(b"\n") > block // 16:
        raise MalformedMailError("the header has too many lines")
    if max(map(len, head.split(b"\n"))) > line:
        raise MalformedMailError("a header line is too long")
    pieces = _folded(head)
    if len(pieces) > fields:
        raise MalformedMailError("too many header fields")
    return [b" ".join(parts) for parts in pieces]


def _folded(head: bytes) -> list[list[bytes]]:
    """Return the lines of each field, without white space around them."""
    pieces: list[list[bytes]] = []
    for text in head.split(b"\n"):
        if text[:1] in (b" ", b"\t") and pieces:
            pieces[-1].append(text.strip())
        elif text.strip():
            pieces.append([text.strip()])
    return pieces


def is_field(line: bytes) -> bool:
    """True if a line has the form `name: value` with a name of printable ASCII characters."""
    name, colon, _ = line.partition(b":")
    return bool(colon) and _NAME.fullmatch(name.rstrip()) is not None

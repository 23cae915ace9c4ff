"""The lines of a body, classified by the structure of the message."""

from __future__ import annotations

import enum
import re
from typing import Final, NamedTuple

MAX_LINES: Final = 5_000
_QUOTE_MARKS: Final = ">|»›＞❯"  # quote marks that mail programs use
_PREFIX: Final = re.compile(rf"[ \t]*(?:[A-Za-z]{{1,8}})?[{_QUOTE_MARKS}][{_QUOTE_MARKS} \t]*")
_TABLE_ROW: Final = re.compile(r"[ \t]*\|[^|]{1,60}\|.{0,400}\|[ \t]*")
"""A header field of a quoted message, as written by 163: `| 发件人 | Bob |`."""
_ARROWS: Final = re.compile(r">>> [^>].{0,200} >>>")
"""GroupWise's introduction of a quoted message that it does not mark."""
_ODD: Final = re.compile(r"[ \t]?((?:[#!%*+~:;=}\]\\/.·•│┃→-]|&gt;|=>){1,3})(?:[ \t]|$)")
_MIN_ODD: Final = 8
_INDENTS: Final = ("\t", "    ")
_MIN_INDENTED: Final = 4


class Zone(enum.StrEnum):
    """Classification of a line by the structure of a message."""

    TEXT = "text"
    """Probably written by the sender, as nothing in the structure contradicts it."""
    QUOTE = "quote"
    """Marked as quoted by the client: `>` or a quote container in HTML."""
    FRAME = "frame"
    """In a client's frame around a quote, before the quote: usually an attribution."""
    REST = "rest"
    """After the point where a client without quote marks inserts the original."""
    SIGNATURE = "signature"
    """In a client's signature container."""


TEXT, QUOTE, FRAME, REST, SIGNATURE = Zone
"""The members as constants, because Python 3.11 is slow to look up enum members."""


class BodyLine(NamedTuple):
    """A line without its quote marks and surrounding white space.

    Attributes:
        text: the text, or empty for a blank line.
        zone: the zone that the line belongs to (see `Zone`).
        depth: quotation depth. 0 outside of `Zone.QUOTE`.
        width: number of columns including quote marks in plain text. 0 in HTML.
    """

    text: str
    zone: Zone = TEXT
    depth: int = 0
    width: int = 0


def plain_lines(text: str) -> list[BodyLine]:
    """Return the lines of a plain text body, up to 5,000. Consecutive blank lines are merged."""
    result: list[BodyLine] = []
    indented: list[int] = []  # indexes of consecutive indented lines
    introduced = False
    for raw in _with_known_marks(text.split("\n")):
        if len(result) >= MAX_LINES:
            break
        stripped = raw.strip()
        if not stripped:
            if result and result[-1].text:
                result.append(BodyLine(""))
            continue
        width = len(raw.rstrip())
        prefix = _PREFIX.match(raw)
        if prefix is not None and not (_TABLE_ROW.fullmatch(raw) or _ARROWS.fullmatch(stripped)):
            result.append(_marked(raw, prefix, width))
            continue
        if raw.startswith(_INDENTS) and introduced:
            indented.append(len(result))
        else:
            _mark(result, indented)
            introduced, indented = stripped.endswith((":", "：")), []
        result.append(BodyLine(stripped, width=width))
    _mark(result, indented)
    return result


def _marked(raw: str, prefix: re.Match[str], width: int) -> BodyLine:
    depth = sum(map(prefix.group().count, _QUOTE_MARKS))
    return BodyLine(raw[prefix.end() :].strip(), QUOTE, depth, width)


def with_own_marks(line: BodyLine) -> BodyLine:
    """Treat `>` at the start of an HTML line as quote marks.

    Programs that convert plain text to HTML leave these marks in the text.
    """
    if line.zone not in (TEXT, FRAME) or not line.text.startswith(">"):
        return line
    prefix = _PREFIX.match(line.text)
    return line if prefix is None or _ARROWS.fullmatch(line.text) else _marked(line.text, prefix, 0)


def _with_known_marks(raws: list[str]) -> list[str]:
    """Replace a custom quote mark, i.e. a sign repeated before many lines, by `>`.

    Unlike a bullet, a quote mark also appears before blank lines.
    """
    first, mark, bare = 0, "", False
    for index, raw in enumerate([*raws, ""]):
        match = _ODD.match(raw)
        sign = match.group(1) if match else ""
        if sign != mark:
            if mark and bare and index - first >= _MIN_ODD:
                raws[first:index] = [">" + line.lstrip()[len(mark) :] for line in raws[first:index]]
            first, mark, bare = index, sign, False
        bare = bare or (bool(sign) and raw.strip() == sign)
    return raws


def _mark(lines: list[BodyLine], indented: list[int]) -> None:
    """Mark indented lines that follow an introduction as quoted."""
    if len(indented) >= _MIN_INDENTED:
        for index in indented:
            lines[index] = lines[index]._replace(zone=QUOTE, depth=1)

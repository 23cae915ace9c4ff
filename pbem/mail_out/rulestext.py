"""Split a rules text into blocks for HTML. `engine.rulebook` describes the format.

Text in any other format becomes a paragraph, so no text is lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(r"\d+\. \S.*")
_PIECE = re.compile(
    r"(?<![=\w])\[(?P<card>(?:10|[2-9JQKA])[♣♦♥♠]?|[RBGY]\d\d?|W|S|\?)\]"
    r"|(?P<codes>\((?:[A-Z][A-Z0-9]{2}-V?\d+(?:, )?)+\))"
    r'|(?P<order>"[^"\n]{1,40}")'
)
_LETTERS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line.

    Attributes:
        kind: `text`, `card`, `codes` (rule IDs in parentheses) or `order` (in quotation marks).
        text: the text of the part. For a card, its notation: `7s`, or `7`, `?`, `R7`, `W`.
    """

    kind: str
    text: str


Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the rules text.

    Attributes:
        kind: `heading`, `paragraph`, `points` or `picture`.
        lines: a single line for a heading or paragraph, or one line per point or row of a picture.
        marked: for `points`, True for each point with a star.
    """

    kind: str
    lines: tuple[Pieces, ...]
    marked: tuple[bool, ...] = ()


def blocks(text: str) -> tuple[Block, ...]:
    """Split a rules text into blocks, without its title."""
    parts = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    return tuple(_block(block) for block in parts[1:] or parts)


def _block(block: str) -> Block:
    lines = block.split("\n")
    if block.startswith("    "):
        return Block("picture", tuple(map(pieces, lines)))
    if block.startswith(("- ", "* ")):
        items = re.split(r"\n(?=[-*] )", block)
        marked = tuple(item.startswith("*") for item in items)
        return Block("points", tuple(pieces(item[2:]) for item in items), marked)
    if len(lines) == 1 and _HEADING.fullmatch(block):
        return Block("heading", (pieces(block),))
    return Block("paragraph", (pieces(block),))


def pieces(text: str) -> Pieces:
    """Split a line at its cards, rule ids and orders. Line ends become spaces."""
    line = " ".join(text.split())
    result: list[Piece] = []
    index = 0
    for match in _PIECE.finditer(line):
        result.append(Piece("text", line[index : match.start()]))
        kind = match.lastgroup or "text"
        shown = match[kind]
        result.append(Piece(kind, _notation(shown) if kind == "card" else shown))
        index = match.end()
    result.append(Piece("text", line[index:]))
    return tuple(piece for piece in result if piece.text)


def _notation(shown: str) -> str:
    return shown[:-1] + _LETTERS.get(shown[-1], shown[-1])

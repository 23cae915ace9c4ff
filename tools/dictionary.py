"""Build a dictionary for zlib from messages of every game: `python -m tools.dictionary FILE`.

Messages share much text that occurs only once in each message. A stored message can be read only
with the dictionary that compressed it. So a released dictionary is never changed, and a new one is
added after it (`pbem.store.seal.packing`).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from pbem.language import languages
from tools.gallery import exhibits
from tools.scenes import GAMES

SIZE = 32 * 1024
"""Bytes of the dictionary, the size of zlib's window."""
PIECE, MIN = 1000, 8
KINDS = (
    "first turn",
    "turn, mid game",
    "reminder",
    "started, not to move",
    "answer, done",
    "board",
)
"""Names of the scenes that show the most frequent messages."""


def build(mails: list[bytes]) -> bytes:
    """Return a dictionary of the pieces whose parts occur in the most messages.

    The best pieces come last, as in zstd's COVER algorithm.
    """
    common = Counter(part for raw in mails for part in set(_parts(raw)))
    text = b"".join(mails)
    each = len(text) * PIECE // SIZE
    known: set[bytes] = set()
    pieces = []
    for start in range(0, len(text) - each + 1, each):
        parts = _parts(text[start : start + each])
        worth = [0 if part in known else common[part] - 1 for part in parts]
        now = sum(worth[:PIECE])
        best, position = now, 0
        for index in range(1, len(worth) - PIECE):
            now += worth[index + PIECE - 1] - worth[index - 1]
            if now > best:
                best, position = now, index
        piece = text[start + position : start + position + PIECE]
        known.update(_parts(piece))
        pieces.append((best, piece))
    return b"".join(piece for _, piece in sorted(pieces, key=lambda one: one[0]))[-SIZE:]


def _parts(text: bytes) -> list[bytes]:
    return [text[start : start + MIN] for start in range(len(text) - MIN)]


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(
        build(
            [
                one.raw
                for language in languages()
                for one in exhibits([*GAMES], language)
                if one.name in KINDS
            ]
        )
    )

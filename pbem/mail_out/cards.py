"""Playing cards as HTML mails show them: what stands on a card, its colours, its name aloud.

The cards of Phase 10 have a letter for their colour, and the suits of standard cards have their
glyph, so colour is never the only sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.sentences import Sentence, sentence
from pbem.mail_out.texts import SUIT_GLYPHS, TEXT_FORM, clean, rank_word

_STANDARD = re.compile(r"(10|[2-9JQKA])([cdhs])")
_COLOURED = re.compile(r"([RBGY])(1[0-2]|[1-9])")

PAPER, EDGE = "#fffdf8", "#c9c4b4"
_SUITS = {
    "c": ("#16191c", sentence("clubs")),
    "d": ("#b3121d", sentence("diamonds")),
    "h": ("#b3121d", sentence("hearts")),
    "s": ("#16191c", sentence("spades")),
}
_COLOURS = {
    "R": ("#b3261e", "#ffffff", sentence("red")),
    "B": ("#1d57a8", "#ffffff", sentence("blue")),
    "G": ("#1a6e38", "#ffffff", sentence("green")),
    "Y": ("#fad955", "#1a1a1a", sentence("yellow")),
}
_SPECIAL = {
    "W": ("#24262b", "#ffffff", sentence("wild")),
    "S": ("#e6e3da", "#1a1a1a", sentence("skip")),
}


@dataclass(frozen=True, slots=True)
class Face:
    """What a card shows.

    Attributes:
        top: its rank, or the letter of its colour, wild or skip.
        low: its suit or its number; empty for a wild or a skip.
        ground, ink: colours, as `#rrggbb`.
        name: to be read aloud, such as `queen of hearts`.
    """

    top: str
    low: str
    ground: str
    ink: str
    name: Sentence | str


def face(card: object) -> Face:
    """Return what a card shows; a text that is not a card is shown as it is."""
    text = str(card)
    if (found := _STANDARD.fullmatch(text)) is not None:
        ink, suit = _SUITS[found[2]]
        said = sentence("{rank} of {suit}", rank=rank_word(found[1]), suit=suit)
        return Face(found[1], SUIT_GLYPHS[found[2]] + TEXT_FORM, PAPER, ink, said)
    if (found := _COLOURED.fullmatch(text)) is not None:
        ground, ink, colour = _COLOURS[found[1]]
        said = sentence("{colour} {number}", colour=colour, number=found[2])
        return Face(found[1], found[2], ground, ink, said)
    if text in _SPECIAL:
        ground, ink, said = _SPECIAL[text]
        return Face(text, "", ground, ink, said)
    return Face(clean(text), "", PAPER, "#16191c", clean(text))

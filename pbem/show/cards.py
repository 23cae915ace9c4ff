"""Cards as HTML elements, identical to the output of `templates/replay/cards.js`.

A card is given by its notation, for example 7c, 10h or Qd, and in Phase 10 R5, W or S.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

_STANDARD = re.compile(r"(10|[2-9JQKA])([cdhs])")
_COLOURED = re.compile(r"([RBGY])(\d+)")
_IN_TEXT = re.compile(r"((?:10|[2-9JQKA])[♣♦♥♠])\ufe0e?")
_SUITS = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
_SPECIAL = {"W": "wild", "S": "skip"}
_MANY_BACKS = 7
_PLAIN_GLYPH = "\ufe0e"


def card(notation: str, more: str = "") -> Markup:
    """Return a face-up card. `more` is a CSS class: `known` to everyone, `down`, or empty."""
    if (match := _STANDARD.fullmatch(notation)) is not None:
        kind = "red" if match[2] in "dh" else "black"
        suit, said = _SUITS[match[2]]
        top, low = match[1], suit + _PLAIN_GLYPH
        words = f"{_RANKS.get(top, top)} of {said}"
    elif (match := _COLOURED.fullmatch(notation)) is not None:
        kind, top, low = f"p10 {_COLOURS[match[1]]}", match[2], match[1]
        words = f"{_COLOURS[match[1]]} {top}"
    else:
        low = _SPECIAL.get(notation, "other")
        kind, top, words = f"p10 {low}", notation, _SPECIAL.get(notation, notation)
    words += ", face down" if more == "down" else ""
    title = Markup(' title="everybody knows this card"') if more == "known" else ""
    return Markup(
        '<span class="card {}" role="img" aria-label="{}" data-card="{}"{}><b>{}</b><i>{}</i></span>'
    ).format(f"{kind} {more}".strip(), words, notation, title, top, low)


def cards(notations: Sequence[str], marked: Sequence[str] = (), size: str = "") -> Markup:
    """Return cards side by side. The cards in `marked` are known to everyone."""
    left = list(marked)
    drawn = []
    for notation in notations:
        is_known = notation in left
        if is_known:
            left.remove(notation)
        drawn.append(card(notation, "known" if is_known else ""))
    return Markup('<span class="{}">{}</span>').format(
        f"cards {size}".strip(), Markup().join(drawn)
    )


def back(number: object = "") -> Markup:
    """Return the back of a card, labelled with a word or number."""
    shown = Markup("<b>{}</b>").format(number) if number != "" else ""
    words = f"hidden card {number}" if number != "" else "a hidden card"
    return Markup('<span class="card back" role="img" aria-label="{}">{}</span>').format(
        words, shown
    )


def backs(count: int) -> Markup:
    """Return a fan of `count` hidden cards with their number."""
    fan = Markup('<span class="card back"></span>') * min(count, _MANY_BACKS)
    return Markup(
        '<span class="cards"><span class="fan" role="img" aria-label="{}">{}</span>'
        '<span class="count">{}</span></span>'
    ).format(counted(count, "hidden card"), fan, count)


def counted(count: int, singular: str) -> str:
    """Return a number with a noun in singular or plural: `1 card`, `2 cards`."""
    return f"{count} {singular}" if count == 1 else f"{count} {singular}s"


def rich(text: str) -> Markup:
    """Escape a sentence and highlight the cards in it."""
    parts = _IN_TEXT.split(text)
    return Markup().join(
        Markup('<b class="{}">{}</b>').format(
            "in red" if piece[-1] in "♦♥" else "in", piece + _PLAIN_GLYPH
        )
        if number % 2
        else escape(piece)
        for number, piece in enumerate(parts)
    )

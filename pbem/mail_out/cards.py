"""Display of playing cards in mails: text, colours, and spoken name.

Phase 10 cards have a letter for their colour, and standard cards have their suit symbol, so that
colour is never the only sign. A reader may choose four colours, large cards, or words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.sentences import Sentence, sentence
from pbem.language import translate
from pbem.mail_out.texts import SUIT_GLYPHS, TEXT_FORM, rank_word, rich
from pbem.plain import clean

_STANDARD = re.compile(r"(10|[2-9JQKA])([cdhs])")
_COLOURED = re.compile(r"([RBGY])(1[0-2]|[1-9])")

FOUR_COLOURS, LARGE, WORDS = LOOKS = ("four-colour", "large", "words")
"""Values of a player's setting `cards`."""

PAPER, EDGE = "#fffdf8", "#c9c4b4"
_SUITS = {
    "c": ("#16191c", sentence("clubs")),
    "d": ("#b3121d", sentence("diamonds")),
    "h": ("#b3121d", sentence("hearts")),
    "s": ("#16191c", sentence("spades")),
}
_FOUR_INKS = {"c": "#0b6b36", "d": "#0b4fa0"}
_NUMBERS = {
    "2": sentence("two"),
    "3": sentence("three"),
    "4": sentence("four"),
    "5": sentence("five"),
    "6": sentence("six"),
    "7": sentence("seven"),
    "8": sentence("eight"),
    "9": sentence("nine"),
    "10": sentence("ten"),
}
_GLYPHS = {glyph: letter for letter, glyph in SUIT_GLYPHS.items()}
_SHOWN = re.compile(rf"(?<!\w)(10|[2-9JQKA])([{''.join(_GLYPHS)}]){TEXT_FORM}?")
_NEXT = re.compile(rf"{_SHOWN.pattern}(?= {_SHOWN.pattern})")
_IN_ORDERS = re.compile(
    rf"(?<![\w.])(?:(10|[2-9JQKA])([cdhs{''.join(_GLYPHS)}])|[RBGY](?:1[0-2]|[1-9])|[WS])(?!\w)"
)
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
    """The display of a card.

    Attributes:
        top: its rank or number, or the letter of a wild or a skip.
        low: its suit or the letter of its colour, or empty for a wild or a skip.
        ground, ink: colours, as `#rrggbb`.
        name: spoken name, such as `queen of hearts`.
    """

    top: str
    low: str
    ground: str
    ink: str
    name: Sentence | str


def face(card: object, looks: Collection[str] = ()) -> Face:
    """Return how to display a card. Text that is not a card is displayed unchanged."""
    text = str(card)
    if (match := _STANDARD.fullmatch(text)) is not None:
        ink, suit = _SUITS[match[2]]
        if FOUR_COLOURS in looks:
            ink = _FOUR_INKS.get(match[2], ink)
        number = _NUMBERS.get(match[1], rank_word(match[1]))
        name_ = sentence("{rank} of {suit}", rank=number, suit=suit)
        return Face(match[1], SUIT_GLYPHS[match[2]] + TEXT_FORM, PAPER, ink, name_)
    if (match := _COLOURED.fullmatch(text)) is not None:
        ground, ink, colour = _COLOURS[match[1]]
        name_ = sentence("{colour} {number}", colour=colour, number=match[2])
        return Face(match[2], match[1], ground, ink, name_)
    if text in _SPECIAL:
        ground, ink, name_ = _SPECIAL[text]
        return Face(text, "", ground, ink, name_)
    return Face(clean(text), "", PAPER, "#16191c", clean(text))


def boxed(text: str, looks: Collection[str], language: str, *, has_letters: bool) -> Markup:
    """Escape a sentence for HTML and draw a box around each card.

    If there are too many cards, no boxes are drawn, which limits the size of the message.

    Args:
        has_letters: True for the cards of Phase 10.
    """
    if len(_BOXED.findall(text)) > _MAX_BOXES:
        return rich(text)

    def box(match: re.Match[str]) -> str:
        is_suited = match["rank"] is not None
        if not is_suited and not has_letters:
            return match[0]
        shown = face(match["rank"] + _GLYPHS[match["suit"]] if is_suited else match[0], looks)
        name = escape(translate(shown.name, language))
        text = f"{match['rank']}{match['suit']}{TEXT_FORM}" if is_suited else match[0]
        return _BOX.format(name=name, ground=shown.ground, ink=shown.ink, said=text)

    return Markup(_BOXED.sub(box, str(escape(text))))  # noqa: S704  (the text is escaped in this line)


_MAX_BOXES = 12
_BOXED = re.compile(
    rf"(?<![\w♣♦♥♠])(?:(?P<rank>10|[2-9JQKA])(?P<suit>[{''.join(_GLYPHS)}]){TEXT_FORM}?"
    r"|[RBGY](?:1[0-2]|[1-9])|[WS])(?![\w’])"
)
_BOX = (
    '<b role="img" aria-label="{name}" style="white-space:nowrap;padding:1px 3px;border:1px solid'
    ' #c9c4b4;border-radius:4px;background-color:{ground};color:{ink};">{said}</b>'
)


def named(cards: Iterable[object], language: str) -> str:
    """Return the names of cards, separated by commas."""
    return ", ".join(translate(face(card).name, language) for card in cards)


def spelled(text: str, language: str) -> str:
    """Replace the cards in a text by their names: `5♣ 6♥` becomes `five of clubs, six of hearts`."""
    return _SHOWN.sub(
        lambda found: named([found[1] + _GLYPHS[found[2]]], language),
        _NEXT.sub(lambda found: f"{found[0]},", text),
    )


def spelled_order(order: str, language: str) -> str:
    """Replace the cards in an order by their names: `play 5c` becomes `play the five of clubs`.

    Text after `on` names a group, such as `my 4s`, and is not replaced.
    """
    order, on, group = order.partition(" on ")

    def name(match: re.Match[str]) -> str:
        card = match[0] if match[1] is None else match[1] + _GLYPHS.get(match[2], match[2])
        return named([card], language)

    found = list(_IN_ORDERS.finditer(order))
    if len(found) == 1 and found[0][1] is not None:
        text = translate(sentence("the {card}", card=name(found[0])), language)
        return f"{_IN_ORDERS.sub(lambda _: text, order)}{on}{group}"
    listed = re.sub(rf"({_IN_ORDERS.pattern})(?= {_IN_ORDERS.pattern})", r"\1,", order)
    return f"{_IN_ORDERS.sub(name, listed)}{on}{group}"

"""Convert small values to text: names, cards, times, and lines of at most 72 columns.

Player names are made safe for text here: control characters and direction marks are removed, and
long names are truncated. HTML is escaped by the templates, and in this module only by `rich` and
`linked`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from urllib.parse import parse_qs, quote, urlsplit

from markupsafe import Markup, escape
from rich.cells import cell_len

from engine.reading.lexicon import folded_words
from engine.sentences import Sentence, joined, sentence
from pbem.domain.words.translate import order_beginnings
from pbem.plain import DROPPED, clean, words_in

WIDTH = 72
NAME_LIMIT = 40
_IN_A_SUBJECT = 24
"""Maximum length of a name in a subject, which every link of a message repeats."""

SUIT_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
TEXT_FORM = "\ufe0e"
"""Selects the monochrome glyph on devices that would show an emoji."""

_CARD = re.compile(r"(10|[2-9JQKA])([cdhs])")
_SHOWN_CARD = re.compile(r"(?<![\w♣♦♥♠])(10|[2-9JQKA])([♣♦♥♠])(?!\w)")
_QUOTED = re.compile(r"(?:(?<=\s)|^)(\S+ )?[“„]([^“”\n]{1,60})[”“]")
ALSO = sentence("also:")
_GLUE = "\u00a0"
_BARE = re.compile(r"\w+")
_LINKS = frozenset({"and", "or", "und", "oder"})
_GLUED_CARDS = 4
_SHORT = 3
_MIN_ROOM = 20
_LONGEST_IN_GRID = 16
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_BEGINNINGS = frozenset(
    words_in("""
play pickup pick take god hand flip draw lay hit discard skip all next say join accept decline
phrase resign confirm yes no help rules games board history resend vacation back pause resume
dispute extend reminders digest settings undo tempo rematch observe address addresses export
replace unobserve status end stop one two three four ace aces king kings queen queens jack jacks
deuce deuces twos threes fours five fives six sixes seven sevens eight eights nine nines ten
tens
""")
)
"""English words that must not start a line, because quoted lines might be parsed as orders."""
_NEARLY_ORDERS = frozenset({"reply."})
"""Words that must not be alone on a line. `reply.` would be read as a misspelt `replay`."""


def ended(text: str) -> str:
    """Return a person's text with a final full stop, unless it already ends with punctuation."""
    return text if text.endswith((".", "!", "?", "…", ":", ")", '"', "“", "”")) else f"{text}."


def isolate(text: str) -> str:
    """Prevent a right-to-left text from reordering the text around it."""
    if not text.isascii() and any(
        unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text
    ):
        return f"{_ISOLATE}{text}{_END_ISOLATE}"
    return text


def name_text(name: object, seat: int | None = None) -> str:
    """Return a player's name for display. It is never empty."""
    shown = isolate(clean(name, NAME_LIMIT).strip('"'))
    if shown:
        return shown
    return sentence("somebody") if seat is None else sentence("player {number}", number=seat + 1)


def shown_names(players: Sequence[object]) -> list[str]:
    """Return the names of all players at a table for display, by seat."""
    return [name_text(name, seat) for seat, name in enumerate(players)]


def game_name(
    title: str, players: Sequence[object], reader: int, left_out: Collection[int] = ()
) -> Sentence:
    """Return the name of a game with the other players, e.g. `Phyliss with Bob, Carol`.

    Args:
        left_out: seats that are not named, because nobody has them.
    """
    others = [
        isolate(clean(name, _IN_A_SUBJECT))
        for seat, name in enumerate(shown_names(players))
        if seat != reader and seat not in left_out
    ]
    if not others:
        return joined((title,))
    return sentence("{game} with {others}", game=title, others=joined(others, ", "))


def card_text(card: object) -> str:
    """Format a standard card, e.g. `7c` as `7♣`. Other texts are returned unchanged."""
    text = str(card)
    match = _CARD.fullmatch(text)
    if match is None:
        text = clean(text)
        match = _CARD.fullmatch(text)
    return f"{match[1]}{SUIT_GLYPHS[match[2]]}" if match else text


def cards_in(order: object) -> list[str]:
    """Return the cards in an order, e.g. `7c` and `7d` for `play 7c 7d`."""
    return [word for word in str(order).split() if _CARD.fullmatch(word)]


def cards_text(cards: object) -> str:
    """Format cards separated by spaces. Empty if the value is not a list."""
    if isinstance(cards, Iterable) and not isinstance(cards, str):
        return " ".join(card_text(card) for card in cards)
    return ""


def place_text(place: object) -> Sentence:
    """Return an ordinal, e.g. `first`. Values above the sixth are written with a number."""
    match place:
        case 1:
            return sentence("first")
        case 2:
            return sentence("second")
        case 3:
            return sentence("third")
        case 4:
            return sentence("fourth")
        case 5:
            return sentence("fifth")
        case 6:
            return sentence("sixth")
        case _:
            return sentence("number {place}", place=clean(place))


def columns(text: str) -> int:
    """Return the width of a text in a terminal. Wide characters count as two columns."""
    return len(text) if text.isascii() else cell_len(text)


def padded(text: object, width: int) -> str:
    """Pad or cut a text to a number of columns. A negative width aligns right."""
    shown = cut = str(text)
    while columns(shown) > abs(width):
        cut = cut[:-1]
        shown = f"{cut}…{_END_ISOLATE * (cut.count(_ISOLATE) - cut.count(_END_ISOLATE))}"
    blanks = " " * (abs(width) - columns(shown))
    return blanks + shown if width < 0 else shown + blanks


def wrap(
    text: object, first: str = "", rest: str | None = None, width: int = WIDTH, also: str = ALSO
) -> str:
    """Wrap a text into lines of at most `width` columns that cannot be parsed as orders.

    A phrase in quotation marks is kept in one piece and after the word before it, as are numbers
    and words that start orders. A line never starts with a card unless it continues a list of
    cards. In that case it starts with `also`.

    Args:
        text: one paragraph.
        first: prefix of the first line.
        rest: prefix of the other lines. By default, spaces with the same width as `first`.
        width: maximum number of columns.
        also: prefix of a line that continues a list of cards.
    """
    rest = " " * columns(first) if rest is None else rest
    lines: list[str] = []
    line, is_empty, before = first, True, ""
    used = columns(line)
    for word in _words(str(text)):
        size = columns(word)
        if not is_empty and used + 1 + size > width:
            lines.append(line)
            goes_on = _is_cards(word.partition(_GLUE)[0]) and _is_cards(before)
            line, is_empty = rest + (f"{also} " if goes_on else ""), True
            used = columns(line)
        if used + size < width or word.startswith(("https://", "http://")):  # links are never split
            line += word if is_empty else f" {word}"
            used += size if is_empty else size + 1
            is_empty, before = False, word
            continue
        room = max(width - used - (0 if is_empty else 1), _MIN_ROOM)
        for piece in broken(word, room, _GLUE):
            if not is_empty and used + 1 + columns(piece) > width:
                lines.append(line)
                line, is_empty = rest, True
                used = columns(line)
            added = piece if is_empty else f" {piece}"
            line += added
            used += columns(added)
            is_empty = False
        before = word
    lines.append(line)
    return "\n".join(line.replace(_GLUE, " ").rstrip() for line in lines)


def _words(text: str) -> list[str]:
    """Split a text into pieces that must stay on one line."""
    glued = _QUOTED.sub(lambda match: match[0].replace(" ", _GLUE), " ".join(text.split()))
    words: list[str] = []
    for word in glued.split(" "):
        if not words or not _stays_behind(word, words[-1]):
            words.append(word)
            continue
        if len(words) > 1 and _needs_more(word, words[-1]):
            short = words.pop()  # a line "are 7♣" looks like a mistyped order
            words[-1] += _GLUE + short
        words[-1] += _GLUE + word
    return words


def _needs_more(word: str, before: str) -> bool:
    return before in _LINKS or (_is_cards(word) and _is_short(before))


def _is_short(word: str) -> bool:
    return len(word) <= _SHORT and not _is_cards(word)


def _stays_behind(word: str, before: str) -> bool:
    if _is_cards(word):
        return not 0 < _GLUED_CARDS <= _cards_at_end(before)
    return _may_begin_order(word)


@lru_cache(maxsize=4096)
def _may_begin_order(word: str) -> bool:
    match = _BARE.search(word)
    if match is None:
        return False
    bare = match[0].lower()
    if bare.isdigit() or word in _NEARLY_ORDERS:
        return True
    return bare in _BEGINNINGS or folded_words(bare) in order_beginnings()


def _is_cards(word: str) -> bool:
    if word.isascii():
        return False
    last = word.rsplit(_GLUE, 1)[-1]
    return _SHOWN_CARD.fullmatch(last.strip("(),.;:")) is not None


def _cards_at_end(word: str) -> int:
    count = 0
    for piece in reversed(word.split(_GLUE)):
        if not _is_cards(piece):
            break
        count += 1
    return count


def broken(text: str, width: int, blank: str = " ") -> list[str]:
    """Split a text into pieces of at most `width` columns, preferably at a blank."""
    pieces: list[str] = []
    while columns(text) > width:
        end = width
        while columns(text[:end]) > width:
            end -= 1
        blank_at = text.rfind(blank, 0, end + 1)
        end = blank_at if blank_at > 0 else end
        pieces.append(text[:end].rstrip(blank))
        text = text[end:].lstrip(blank)
    return [*pieces, text]


def hand_lines(label: str, more: str, cards: object, indent: str = "  ") -> str:
    """Return lines with a label and cards.

    Continuation lines get a label as well, so that none of them can be parsed as an order.
    """
    items = [card_text(card) for card in cards] if isinstance(cards, Iterable) else []
    lines, line = [], f"{label}:"
    for item in items:
        if columns(f"{indent}{line} {item}") > WIDTH:
            lines.append(line)
            line = f"{more}:"
        line += f" {item}"
    return "\n".join(f"{indent}{line}" for line in [*lines, line])


_GAP, _NARROW_GAP = 4, 2


def grid(rows: Sequence[Sequence[object]], figures: int = 0, also: str = ALSO) -> str:
    """Align rows in indented columns. The last cell of a shorter row may exceed its column.

    If lines would be too long, the widest column is wrapped.

    Args:
        rows: texts of the cells. The first column is a name.
        figures: number of right-aligned columns at the end.
        also: as in `wrap`.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    count = max(map(len, cells), default=0)
    full = [row for row in cells if len(row) == count]
    widths = [max(columns(row[column]) for row in full) for column in range(count)] if full else []
    if cells:
        widths[0] = min(_LONGEST_IN_GRID, max(columns(row[0]) for row in cells))
    gap = _GAP if sum(widths) + _GAP * count <= WIDTH else _NARROW_GAP
    too_long = sum(widths) + gap * count - WIDTH
    if too_long > 0:
        widths[widths.index(max(widths))] -= too_long
    lines = []
    for row in cells:
        spans = len(row) < count
        room = [*widths[: len(row) - 1], WIDTH] if spans else widths
        folded = [
            wrap(
                cell, width=min(width, WIDTH - 2 - widths[0] - gap) if column else width, also=also
            )
            for column, (cell, width) in enumerate(zip(row, room, strict=True))
        ]
        for parts in zip_longest(*(cell.split("\n") for cell in folded), fillvalue=""):
            set_in = [
                padded(part, -width if column >= count - figures and not spans else width)
                for column, (part, width) in enumerate(zip(parts, room, strict=True))
            ]
            lines.append(("  " + (" " * gap).join(set_in)).rstrip())
    return "\n".join(lines)


def plain(text: object) -> str:
    """Return a longer text with its line breaks, without control characters, wrapped."""
    lines = []
    for line in str(text).splitlines():
        shown = "".join(char for char in line if unicodedata.category(char) not in DROPPED).rstrip()
        indent = " " * (len(shown) - len(shown.lstrip()))
        fits = columns(shown) <= WIDTH
        lines.append(shown if fits else wrap(shown, first=indent[:8], rest=indent[:8]))
    return "\n".join(lines)


def in_rank_order(cards: Iterable[str]) -> list[str]:
    """Sort cards by rank, then by suit. Other texts come last."""
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

    def place(card: str) -> tuple[int, str]:
        return (ranks.index(rank(card)) if rank(card) in ranks else len(ranks), suit_letter(card))

    return sorted(map(str, cards), key=place)


def rich(text: object) -> Markup:
    """Escape a sentence for HTML. Line breaks never split its cards."""
    escaped = str(escape(str(text)))
    return Markup(  # noqa: S704  (the text is escaped one line above)
        _SHOWN_CARD.sub(
            lambda match: f'<b style="white-space:nowrap;">{match[1]}{match[2]}{TEXT_FORM}</b>',
            escaped,
        )
    )


def linked(text: object, mailto: str) -> Markup:
    """Escape a sentence for HTML. If the link needs text, quoted orders become links."""
    escaped = str(escape(str(text)))
    if not mailto:
        return Markup(escaped)  # noqa: S704  (the text is escaped one line above)
    link = '<a class="muted" href="{}{}" style="color:#566159;text-decoration:underline;">{}</a>'
    return Markup(  # noqa: S704  (the text is escaped above)
        re.sub(
            r"(?<=„)[^„“”]+(?=“)|(?<=“)[^„“”]+(?=”)",
            lambda found: link.format(escape(mailto), quote(found[0]), found[0]),
            escaped,
        )
    )


def reply_words(mailto: str) -> str:
    """Return the body that a `mailto:` link prepares. Empty for any other link."""
    parts = urlsplit(mailto)
    return parse_qs(parts.query).get("body", [""])[0] if parts.scheme == "mailto" else ""


def rank(card: object) -> str:
    """Return the rank of a card, e.g. `10` for `10h`. Other texts are returned unchanged."""
    match = _CARD.fullmatch(str(card))
    return match[1] if match else clean(card)


_RANK_WORDS = {
    "J": sentence("jack"),
    "Q": sentence("queen"),
    "K": sentence("king"),
    "A": sentence("ace"),
}


def rank_word(rank: object) -> str:
    """Return the word for a rank, e.g. `queen` for `Q`. Numbers are returned unchanged."""
    return _RANK_WORDS.get(str(rank), clean(rank))


def suit_letter(card: object) -> str:
    """Return the suit letter of a card, e.g. `h` for `10h`."""
    match = _CARD.fullmatch(str(card))
    return match[2] if match else ""


def with_glyphs(text: str) -> str:
    """Replace the cards in a move by their display form, e.g. `open 9h` by `open 9♥`."""
    return " ".join(card_text(word) for word in text.split(" "))

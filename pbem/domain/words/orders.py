"""Parse a player's text line by line. The legality of moves is checked later.

An order must be a whole line, so prose never moves a card. Parsing ends at a signature mark, `end`,
`stop` or `--`. A line that resembles an order stops the orders below it. The order is suggested but
never executed.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice, takewhile
from typing import TypeVar

from engine.api import AnyRuleset
from engine.cards import read_cards
from engine.orders import is_near_order, is_order, list_number
from engine.reading.lexicon import folded_words
from engine.reading.tokens import plain_digits, split_words, unquoted, without_bullet
from pbem.domain.terms.seats import seat_word, with_seat_numbers, with_seats
from pbem.domain.words.around import (
    Part,
    bare_words,
    describes_move,
    is_idiom,
    is_request_to_player,
    mistyped_number,
    parts,
    question_texts,
    steps,
    takes_back,
    without_doubt,
)
from pbem.domain.words.game_order import LONGEST
from pbem.domain.words.moves import may_order, move_in, names_a_thing
from pbem.domain.words.service_lines import (
    is_doubtful,
    near_service_word,
    opens_block,
    read_service_words,
    service_words,
    takes_whole_line,
)
from pbem.domain.words.service_words import Word
from pbem.domain.words.talk import ANONYMOUS, EVERYBODY, opens_paragraph
from pbem.domain.words.translate import in_english, nearly, shown_order
from pbem.domain.words.translate import order_words as foreign_words
from pbem.games.lexicons import all_words
from pbem.language import SOURCE

T = TypeVar("T")

MAX_LINES = 50
"""Maximum number of lines read from a message, which limits the cost of a flood."""

MAX_LINE = 500

_REMEMBERED = 4096
"""Number of parsed lines to cache. Replies often quote the same lines of our messages."""

_TABLES, _LINES = 64, 128
"""Number of tables whose readers are cached, and of lines in each reader's cache."""

LONGEST_LINE = 10_000
"""Maximum number of characters read from a line of talk, far above the limit for talk."""

BROKEN_FROM, BROKEN_TO = 68, 80
"""Lengths of a line that a mail program may have wrapped.

The line has at most the second number of characters, but with the next word more than the first.
"""

END_MARKS = frozenset({"end", "stop", "--", "-- ", "__", "___"})


_DRAWN = re.compile(r"(?:\s*(?:10|[2-9JQKA])\s?[♣♦♥♠]\ufe0e)+\s*")
"""Cards copied from our HTML messages. People do not type the variation selector."""


class LineKind(enum.Enum):
    """The kind of a line, determined without knowing whether its move is legal."""

    SERVICE = "service"
    GAME = "game"
    NEAR = "near"
    """The line resembles an order and probably has a typing mistake."""
    DOUBT = "doubt"
    """A talk message whose end is unclear."""
    TAKEN_BACK = "taken back"
    """An order that a line below revokes, as `no, 22!` does."""
    UNREAD = "unread"
    """Not an order, but it seems to describe the writer's move, and a move follows below."""
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A parsed line of a message.

    Attributes:
        text: the player's words, trimmed.
        order: for `GAME`, the order for the engine, with seat numbers instead of names.
        word: for `SERVICE`, the order word.
        argument: for `SERVICE`, the argument of the word, as in `ServiceWords`.
        guess: for `NEAR`, the order that was probably meant. For `DOUBT`, the line of the talk
            message that could be an order, or None if the message may continue below.
    """

    text: str
    kind: LineKind
    order: str = ""
    word: Word | None = None
    argument: str | None = None
    guess: str | None = None


class OrderReader:
    """Parses the lines of the players at a table, and caches the results."""

    def __init__(
        self,
        rulesets: Sequence[AnyRuleset] = (),
        names: Sequence[str] = (),
        language: str = SOURCE,
    ) -> None:
        """Create a reader for the orders and names of a table.

        Args:
            rulesets: rulesets whose orders are known.
            names: names of the players, by seat.
            language: the language that is understood in addition to English.
        """
        self._rulesets = tuple(rulesets)
        self._names = tuple(names)
        self._language = language
        self._judged: dict[str, OrderLine | None] = {}
        self._orders: dict[str, bool] = {}  # results of `is_order` by line

    def read(self, text: str) -> tuple[OrderLine, ...]:
        """Split the player's text into lines and determine the kind of each line."""
        lines: list[OrderLine] = []
        rest = [
            raw.strip()[: max(LONGEST_LINE, LONGEST)]
            for raw in self._blocks(text.splitlines()[: MAX_LINES * 4])
        ]
        while rest:
            stripped = rest.pop(0)
            if _ends_reading(stripped):
                break
            for segment in self._split(stripped):
                if len(lines) >= MAX_LINES:
                    return self._judged_together(lines)
                line = self.read_line(segment)
                line = replace(line, text=line.text[:MAX_LINE])
                if line.word is Word.SAY:
                    line, rest = self._with_message(line, rest)
                lines.append(line)
        return self._judged_together(lines)

    def read_line(self, text: str) -> OrderLine:
        """Determine the kind of a single line."""
        exact = self._as_order(text)
        if exact is not None:
            return exact
        asked = self._tried_or_doubtful(text)
        if asked is not None:
            return asked
        readings = [text, *in_english(text, self._language, ())]
        guess = next(filter(None, map(near_service_word, readings)), None)
        order = with_seats(text, self._rulesets, self._names)
        if guess is not None or any(is_near_order(rules, order) for rules in self._rulesets):
            return OrderLine(text, LineKind.NEAR, order, guess=guess)
        meant = nearly(text, self._language, self._rulesets)
        if meant is not None and self._as_order(meant) is not None:
            return OrderLine(text, LineKind.NEAR, order, guess=meant)
        return OrderLine(text, LineKind.PROSE)

    def _tried_or_doubtful(self, text: str) -> OrderLine | None:
        """Parse a move with a question mark, which is only tried, or with words of doubt."""
        question = question_texts(text, self._language)
        doubted = (without_doubt(text, self._language), mistyped_number(text))
        for words in question or filter(None, doubted):
            line = self._as_order(words)
            if line is None or line.kind is not LineKind.GAME:
                continue
            if question:
                return OrderLine(text, LineKind.SERVICE, word=Word.TRY, argument=line.order)
            return OrderLine(text, LineKind.NEAR, line.order, guess=bare_words(words)[0])
        return None

    def is_order(self, text: str) -> bool:
        """True if `read` would parse a line, or a part of it, as an order.

        No line of our messages may be an order, because replies quote them. Lines are split as in
        `read`, so `counts 6; 7h` at the end of a sentence is an order, too.
        """
        known = self._orders.get(text)
        if known is None:
            exact = (
                self._as_order(segment)
                for line in text.splitlines()
                for segment in islice(self._split(line.strip()), MAX_LINES)
            )
            known = any(
                line is not None and line.kind in (LineKind.SERVICE, LineKind.GAME)
                for line in exact
            )
            _remember(self._orders, text, known)
        return known

    def _judged_together(self, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
        """Mark orders that are revoked by a line below, and prose that stops a move below."""
        result = self._without_taken_back(lines)
        last = max(
            (index for index, line in enumerate(result) if line.kind is LineKind.GAME), default=0
        )
        for index, line in enumerate(result[:last]):
            if line.word is Word.DISPUTE or line.kind is LineKind.TAKEN_BACK:
                break  # the lines below belong to the dispute, or are held back already
            if line.kind is LineKind.PROSE and describes_move(line.text, self._language):
                result[index] = replace(line, kind=LineKind.UNREAD)
        return tuple(result)

    def _without_taken_back(self, lines: Sequence[OrderLine]) -> list[OrderLine]:
        """Mark each order that is revoked by a line below it."""
        result = list(lines)
        last = -_NEAR_BELOW - 1
        for index, line in enumerate(lines):
            if line.word is Word.DISPUTE:
                break  # the lines below belong to the dispute
            if line.kind in (LineKind.GAME, LineKind.SERVICE):
                last = index
            elif (
                line.kind is LineKind.PROSE
                and index - last <= _NEAR_BELOW
                and takes_back(line.text, self.is_order)
            ):
                result[last] = replace(lines[last], kind=LineKind.TAKEN_BACK)
        return result

    def _blocks(self, lines: Sequence[str]) -> Iterator[str]:
        """Yield the lines. Orders of several lines are joined and their first line translated."""
        first, below = "", list[str]()
        for line in [*lines, ""]:
            stripped = line.strip()
            if first and stripped and not _ends_reading(stripped):
                below.append(stripped)
                continue
            if first:
                opened = next(filter(opens_block, self._meanings(first)))
                yield "\n".join([opened, *below]) if below else first
                first, below = "", []
            if any(map(opens_block, self._meanings(stripped))):
                first = stripped
            else:
                yield line

    def _split(self, line: str) -> Iterable[str]:
        """Split a line at `;`, unless it contains free text such as talk or a phrase."""
        rest = line
        while rest:
            meanings = self._meanings(rest)
            if any(map(takes_whole_line, meanings)):
                is_long = any(map(_is_talk, meanings)) or opens_block(rest)
                yield rest if is_long else rest[:MAX_LINE]
                return
            segment, _, rest = rest.partition(";")
            rest = rest.strip()
            if segment.strip():
                yield from self._steps(segment.strip()[:MAX_LINE])

    def _steps(self, line: str) -> Iterable[str]:
        """Return the parts of a line that contains several moves, or the line itself."""
        if (
            self._rulesets
            and any(True for _ in steps(line, self._language))
            and self._as_order(line) is None
        ):
            for moves_said in steps(line, self._language):
                orders = (self._as_order(step) for step in moves_said)
                moves = takewhile(bool, (line and line.order for line in orders))
                if len(set(moves)) == len(moves_said):
                    return moves_said
        return (line,)

    def _meanings(self, line: str) -> list[str]:
        """Return a line unchanged, without its bullet, and in English."""
        bare = without_bullet(line)
        return list(dict.fromkeys((line, bare, *in_english(bare, self._language, ()))))

    def _with_message(self, line: OrderLine, rest: list[str]) -> tuple[OrderLine, list[str]]:
        """Add the paragraph below a line such as `say to bob:`. Return the line and the rest.

        The kind is `DOUBT` if the paragraph contains an order, or if the line is long and words
        follow below, because a mail program may have wrapped it.
        """
        if not opens_paragraph(line.argument or ""):
            below = rest[0] if rest else ""
            with_next = len(f"{line.text} {below.partition(' ')[0]}")
            is_broken = (
                bool(below)
                and len(line.text) <= BROKEN_TO
                and with_next > BROKEN_FROM
                and not _ends_reading(below)
            )
            if is_broken and self.read_line(below).kind is LineKind.PROSE:
                return replace(line, kind=LineKind.DOUBT), rest
            return line, rest
        while rest and not rest[0]:
            rest = rest[1:]
        end = next(
            (index for index, text in enumerate(rest) if not text or _ends_reading(text)), len(rest)
        )
        paragraph, rest = rest[:end], rest[end:]
        message = replace(line, argument="\n".join([line.argument or "", *paragraph]).strip())
        orders = [text for text in paragraph if self.is_order(text)]
        return (replace(message, kind=LineKind.DOUBT, guess=orders[0]) if orders else message), rest

    def _as_order(self, text: str) -> OrderLine | None:
        """Parse a line that is an order in any language, or None. Copied cards are `PROSE`."""
        try:
            return self._judged[text]
        except KeyError:
            is_ours = _DRAWN.fullmatch(text) is not None
            line = None if is_ours else self._as_listed(unquoted(plain_digits(text)))
            if is_ours:
                line = OrderLine(text, LineKind.PROSE)
            elif line is not None and line.text != text:
                line = replace(line, text=text)
            _remember(self._judged, text, line)
            return line

    def _as_listed(self, text: str) -> OrderLine | None:
        # Only one bullet is removed, so that lines of many bullets are cheap.
        bare = without_bullet(text)
        if bare != text:
            listed = self._as_written(bare)
            if listed is not None and listed.kind in (LineKind.SERVICE, LineKind.GAME):
                return replace(listed, text=text)
        line = self._asked_for(text) or self._as_written(text) or self._as_said(text)
        is_move = line is not None and line.kind is LineKind.GAME
        return None if is_move and is_idiom(text, self._language) else line

    def _as_said(self, text: str) -> OrderLine | None:
        """Parse a move in everyday words, or one next to courtesies, or return None."""
        if is_request_to_player(text, self._language, self._names):
            return None
        for words, line in self._readings(text):
            if line is not None and (line.kind is LineKind.GAME or words in _LETTERS):
                return replace(line, text=text)
        return None

    def _readings(self, text: str) -> Iterator[tuple[str, OrderLine | None]]:
        """Yield the parts of a line that may be its move, each with its parsed line or None."""
        may_be = partial(
            may_order, rulesets=self._rulesets, language=self._language, names=self._names
        )
        said = dict.fromkeys(parts(text, self._language, self._names, may_be))
        alone = dict.fromkeys(part.text for part in said if not part.remark and part.text != text)
        for words in alone:
            yield words, self._as_move(words)
        for words in dict.fromkeys((text, bare_words(text)[0], *alone)):
            yield words, self._in_everyday_words(words)
        for part in filter(self._is_beside, said):
            yield part.text, self._as_move(part.text)
            yield part.text, self._in_everyday_words(part.text)

    def _is_beside(self, reading: Part) -> bool:
        """True if a part names a card or similar, and the remark next to it does not affect it."""
        return reading.is_reason or (
            bool(reading.remark)
            and names_a_thing(reading.text, self._language)
            and not self._specifies(reading.text, reading.remark)
        )

    def _as_move(self, text: str) -> OrderLine | None:
        """Parse a line that is a move without further changes, or a card, or return None."""
        line = self._asked_for(text) or self._as_written(text)
        return None if line is None or line.word is not None else line

    def _in_everyday_words(self, words: str) -> OrderLine | None:
        for rules in self._rulesets:
            for order in move_in(words, rules.id.name, self._language, self._names):
                line = self._exact_line(order) or self._asked_for(order) or self._as_written(order)
                if line is not None and line.kind is LineKind.GAME:
                    return line
        return None

    def _specifies(self, order: str, text: str) -> bool:
        """True if words next to an order may modify it or be another order."""
        is_listed = list_number(order.strip(" #.")) is not None
        words = set(folded_words(text).split())
        return (
            names_a_thing(text, self._language)
            or (
                not is_listed
                and any(set(folded_words(name).split()) & words for name in self._names)
            )
            or describes_move(text, self._language)
            or takes_back(text, self.is_order)
            or self.read_line(text).kind is not LineKind.PROSE
        )

    def _asked_for(self, text: str) -> OrderLine | None:
        """Parse a card before a courtesy: `Kd it is`, `nine please`. Returns None for others."""
        first, _, rest = text.partition(" ")
        first = first.rstrip(",")
        # other cards may be names or greetings
        is_card = _FACE_CARD.fullmatch(first) or folded_words(first) in all_words()["asked"]
        if not rest or not is_card or bare_words(text)[0] != first:
            return None
        line = self._as_written(f"play {first}") or self._as_written(first)
        return None if line is None else replace(line, text=text, kind=LineKind.GAME)

    def _as_written(self, text: str) -> OrderLine | None:
        """Parse an order, also with polite words or in the player's language, or return None."""
        bare, to_somebody = bare_words(text)
        is_greeting = text.endswith(",") and bare.rstrip(",").isalpha()  # `Hi table,`
        for words in dict.fromkeys((text, bare)):
            english = in_english(words, self._language, self._rulesets, self._names)
            for said in (words, *english):
                line = self._exact_line(said)
                if line is None or (said != words and is_doubtful(text, line.word, line.argument)):
                    continue
                is_unsure = line.word in _ANSWERS or (
                    to_somebody and (line.kind is LineKind.NEAR or is_greeting)
                )
                if words == text or not is_unsure:
                    return replace(line, text=text)
        return None

    def _exact_line(self, text: str) -> OrderLine | None:
        """Parse a line that is exactly an order, or a card that may be talk, or return None."""
        words = read_service_words(text)
        if words is not None and words.word is Word.TRY and words.argument is not None:
            tried = with_seats(words.argument, self._rulesets, self._names)
            if ":" not in text and not any(
                is_order(rules, tried) or is_near_order(rules, tried) for rules in self._rulesets
            ):
                return None  # "try again tomorrow"
        if words is not None:
            return OrderLine(text, LineKind.SERVICE, word=words.word, argument=words.argument)
        games = self._rulesets
        order = with_seat_numbers(text, self._names)
        line = _game_line(text, order, games)
        if order == text:
            return line
        as_written = _game_line(text, text, games)
        if line is None and as_written is None:
            return None  # not an order, with or without seat numbers
        return line if with_seats(text, self._rulesets, self._names) == order else as_written


@lru_cache(_TABLES)
def order_reader(
    rulesets: tuple[AnyRuleset, ...], names: tuple[str, ...], language: str
) -> OrderReader:
    """Return the cached reader of a table, which remembers earlier lines.

    Caching helps because signatures and the quoted lines of our messages are repeated.
    """
    return OrderReader(rulesets, names, language)


def read_lines(
    text: str,
    rulesets: Sequence[AnyRuleset],
    names: Sequence[str] = (),
    language: str = SOURCE,
) -> tuple[OrderLine, ...]:
    """Parse a player's text with a new `OrderReader`."""
    return OrderReader(rulesets, names, language).read(text)


def read_line(
    text: str,
    rulesets: Sequence[AnyRuleset],
    names: Sequence[str] = (),
    language: str = SOURCE,
) -> OrderLine:
    """Parse a single line with a new `OrderReader`."""
    return OrderReader(rulesets, names, language).read_line(text)


def is_cut(text: str, lines: Sequence[OrderLine]) -> bool:
    """True if a text was too long to be parsed completely. `lines` are its parsed lines."""
    return len(lines) >= MAX_LINES or text.count("\n") >= MAX_LINES * 4


def _remember(known: dict[str, T], text: str, judged: T) -> None:
    """Add a result to a cache, which is cleared when it is full."""
    if len(known) >= _LINES:
        known.clear()
    known[text] = judged


_NEAR_BELOW = 2
"""Maximum distance of a line that revokes an order above it."""


def _ends_reading(line: str) -> bool:
    return line.lower().rstrip(".!") in END_MARKS


def _is_talk(line: str) -> bool:
    words = read_service_words(line)
    return words is not None and words.word is Word.SAY


@lru_cache(_REMEMBERED)
def _game_line(text: str, order: str, rulesets: tuple[AnyRuleset, ...]) -> OrderLine | None:
    if not any(is_order(rules, order) for rules in rulesets):
        return None
    card = _word_or_card(order)
    if card is not None:
        return OrderLine(text, LineKind.NEAR, order, guess=f"play {card}")
    return OrderLine(text, LineKind.GAME, order)


_ANSWERS = frozenset({Word.YES, Word.NO, Word.CONFIRM, Word.RESIGN, Word.DECLINE, Word.SAY})
"""Words whose meaning depends on their neighbours: `no thanks`, `please resign`."""


_LETTERS = frozenset("AJQK")
"""Cards that lead to a question even with a courtesy after them: `K, sorry for the wait`."""

_FACE_CARD = re.compile("[jqk][cdhs]", re.IGNORECASE)

_ENUMERATED = re.compile(r"(?:[1-9]|1\d|20)\s?[:)]")


def _word_or_card(text: str) -> str | None:
    """Return the word of a line that may be a card or talk: `Ah!`, `As`, `Jack`. None for others.

    Signatures such as `-J` and `(K)` and list numbers such as `2:` are also returned.
    """
    word = text.strip(" .,!")
    if _ENUMERATED.fullmatch(word):
        return word
    words = [one for one in split_words(text) if one]
    if len(words) != 1 or not words[0].isalpha():
        return None
    readings = read_cards([words[0].casefold()])
    return words[0] if any(isinstance(one, tuple) for one in readings) else None  # not `sevens`


def is_taken_word(name: str, rules: AnyRuleset) -> bool:
    """True if a player's name would be read as an order, a card or a number."""
    plain = name.strip().casefold()
    words = service_words() | set(rules.order_words) | END_MARKS | EVERYBODY | {ANONYMOUS}
    return (
        plain in words
        or folded_words(plain) in foreign_words(rules)
        or plain.isdigit()
        or rules.reads_as_order(plain)
    )


@lru_cache(_REMEMBERED)
def names_in_orders(
    names: tuple[str, ...], rulesets: tuple[AnyRuleset, ...], language: str = SOURCE
) -> tuple[str, ...]:
    """Return the names that can be used after `with` in orders, by seat. Empty for the others.

    These names are parsed as their seat, in English and in the given language. If any player's name
    is an order word or a card, no name is used.
    """
    if any(is_taken_word(name, rules) for name in names for rules in rulesets):
        return ("",) * len(names)
    return tuple(
        name if _reads_back(seat_word(seat, names), seat, names, rulesets, language) else ""
        for seat, name in enumerate(names)
    )


def _reads_back(
    word: str, seat: int, names: tuple[str, ...], rulesets: tuple[AnyRuleset, ...], language: str
) -> bool:
    if word == str(seat):
        return False
    order = f"play 9h with {word}"
    meant = f"with {seat}"
    for shown, tongue in ((order, SOURCE), (shown_order(order, language), language)):
        line = OrderReader(rulesets, names, tongue).read(shown)
        if len(line) != 1 or line[0].kind is not LineKind.GAME or not line[0].order.endswith(meant):
            return False
    return True

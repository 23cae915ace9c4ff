"""Read what a player writes, line by line, before its legality is checked.

A whole line must be an order: prose never moves a card. Reading ends at a signature mark, `end`,
`stop` or `--`. A line that is nearly an order stops the reading too: the order is suggested but
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
from engine.reading.tokens import plain_digits, split_words, unquoted
from pbem.domain.terms.seats import seat_word, with_seat_numbers, with_seats
from pbem.domain.words.around import (
    Part,
    asked_about,
    is_idiom,
    is_told_to,
    mistyped_number,
    parts,
    steps,
    without_doubt,
)
from pbem.domain.words.game_order import LONGEST
from pbem.domain.words.moves import may_order, move_in, names_a_thing
from pbem.domain.words.politeness import bare_words, takes_back, without_bullet
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
from pbem.domain.words.translate import in_english, moves_in_english, nearly, shown_order
from pbem.domain.words.translate import order_words as foreign_words
from pbem.domain.words.unread import speaks_of_a_move
from pbem.language import SOURCE

T = TypeVar("T")

MAX_LINES = 50
"""Maximum number of lines read from a message, which limits the cost of a flood."""

MAX_LINE = 500

_REMEMBERED = 4096
"""Lines whose reading is cached: answers quote much the same lines of our mails."""

_TABLES, _LINES = 64, 128
"""Tables whose readers are kept, and lines that each of them remembers."""

LONGEST_LINE = 10_000
"""Characters of a line of talk that are read; the limit for talk is far lower."""

BROKEN_FROM, BROKEN_TO = 68, 80
"""Lengths of a line that a mail program may have broken.

With the next word it would be longer than the first number; it is no longer than the second.
"""

END_MARKS = frozenset({"end", "stop", "--", "-- ", "__", "___"})


_DRAWN = re.compile(r"(?:\s*(?:10|[2-9JQKA])\s?[♣♦♥♠]\ufe0e)+\s*")
"""Cards as our HTML mails draw them: nobody types the selector of the plain glyph."""


class LineKind(enum.Enum):
    """The kind of a line, judged by its form alone."""

    SERVICE = "service"
    GAME = "game"
    NEAR = "near"
    """Nearly an order, most likely with a typing mistake."""
    DOUBT = "doubt"
    """Talk with an unclear end."""
    TAKEN_BACK = "taken back"
    """An order that a line below takes back, as `no, 22!` does."""
    UNREAD = "unread"
    """Not an order, but it seems to say what its writer plays, and a move follows below."""
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One line of a mail.

    Attributes:
        text: the player's words, trimmed.
        order: for `GAME`: the words as the rules read them, with seat numbers for names.
        word: for `SERVICE`: its order word.
        argument: for `SERVICE`: the argument of the word, as in `ServiceWords`.
        guess: for `NEAR`: the order word that was probably meant. For `DOUBT`: the line of a
            message that reads as an order; None if the message may go on below.
    """

    text: str
    kind: LineKind
    order: str = ""
    word: Word | None = None
    argument: str | None = None
    guess: str | None = None


class OrderReader:
    """Reads the lines of one table's players; judges each line once."""

    def __init__(
        self,
        rulesets: Sequence[AnyRuleset] = (),
        names: Sequence[str] = (),
        language: str = SOURCE,
    ) -> None:
        """Store what the lines can refer to.

        Args:
            rulesets: rules of the games whose orders are known.
            names: names of the players, by seat.
            language: the language that is understood besides English.
        """
        self._rulesets = tuple(rulesets)
        self._names = tuple(names)
        self._language = language
        self._judged: dict[str, OrderLine | None] = {}
        self._orders: dict[str, bool] = {}  # lines -> `is_order`, which is asked many times

    def read(self, text: str) -> tuple[OrderLine, ...]:
        """Split the player's own text into lines and judge each by its form."""
        lines: list[OrderLine] = []
        rest = [
            raw.strip()[: max(LONGEST_LINE, LONGEST)]
            for raw in self._blocks(text.splitlines()[: MAX_LINES * 4])
        ]
        while rest:
            stripped = rest.pop(0)
            if _ends_reading(stripped):
                break
            for part in self._split(stripped):
                if len(lines) >= MAX_LINES:
                    return self._judged_together(lines)
                line = self.read_line(part)
                line = replace(line, text=line.text[:MAX_LINE])
                if line.word is Word.SAY:
                    line, rest = self._with_message(line, rest)
                lines.append(line)
        return self._judged_together(lines)

    def read_line(self, text: str) -> OrderLine:
        """Judge one line by its form."""
        exact = self._as_order(text)
        if exact is not None:
            return exact
        asked = self._asked(text)
        if asked is not None:
            return asked
        said = [text, *in_english(text, self._language, ())]
        guess = next(filter(None, map(near_service_word, said)), None)
        order = with_seats(text, self._rulesets, self._names)
        if guess is not None or any(is_near_order(rules, order) for rules in self._rulesets):
            return OrderLine(text, LineKind.NEAR, order, guess=guess)
        meant = nearly(text, self._language, self._rulesets)
        if meant is not None and self._as_order(meant) is not None:
            return OrderLine(text, LineKind.NEAR, order, guess=meant)
        return OrderLine(text, LineKind.PROSE)

    def _asked(self, text: str) -> OrderLine | None:
        """Judge a move with a question mark, which is tried out, and one that is in doubt."""
        question = asked_about(text, self._language)
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
        """True if `read` would take a line, or a part of it, for an order.

        None of our lines may be one, because replies quote them. So `counts 6; 7h` at the end
        of one of our sentences is an order too.
        """
        known = self._orders.get(text)
        if known is None:
            exact = (
                self._as_order(part)
                for line in text.splitlines()
                for part in islice(self._split(line.strip()), MAX_LINES)
            )
            known = any(
                line is not None and line.kind in (LineKind.SERVICE, LineKind.GAME)
                for line in exact
            )
            _remember(self._orders, text, known)
        return known

    def _judged_together(self, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
        """Return the lines; mark what a line below takes back, and what stops a move below."""
        found = self._without_taken_back(lines)
        last = max((at for at, line in enumerate(found) if line.kind is LineKind.GAME), default=0)
        for at, line in enumerate(found[:last]):
            if line.word is Word.DISPUTE or line.kind is LineKind.TAKEN_BACK:
                break  # the lines below belong to the dispute, or wait already
            if line.kind is LineKind.PROSE and speaks_of_a_move(line.text, self._language):
                found[at] = replace(line, kind=LineKind.UNREAD)
        return tuple(found)

    def _without_taken_back(self, lines: Sequence[OrderLine]) -> list[OrderLine]:
        """Return the lines; mark each order that a line below it takes back."""
        found = list(lines)
        last = -_NEAR_BELOW - 1
        for at, line in enumerate(lines):
            if line.word is Word.DISPUTE:
                break  # the lines below belong to the dispute
            if line.kind in (LineKind.GAME, LineKind.SERVICE):
                last = at
            elif (
                line.kind is LineKind.PROSE
                and at - last <= _NEAR_BELOW
                and takes_back(line.text, self.is_order)
            ):
                found[last] = replace(lines[last], kind=LineKind.TAKEN_BACK)
        return found

    def _blocks(self, lines: Sequence[str]) -> Iterator[str]:
        """Yield the lines; an order that spans several is joined and starts in English."""
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
        """Split a line at `;`, except for talk, phrases and the like, which take it all."""
        rest = line
        while rest:
            said = self._meanings(rest)
            if any(map(takes_whole_line, said)):
                is_long = any(map(_is_talk, said)) or opens_block(rest)
                yield rest if is_long else rest[:MAX_LINE]
                return
            part, _, rest = rest.partition(";")
            rest = rest.strip()
            if part.strip():
                yield from self._steps(part.strip()[:MAX_LINE])

    def _steps(self, line: str) -> Iterable[str]:
        """Return the moves of a line that is several; else the line itself."""
        if (
            self._rulesets
            and any(True for _ in steps(line, self._language))
            and self._as_order(line) is None
        ):
            for moves_said in steps(line, self._language):
                said = (self._as_order(part) for part in moves_said)
                moves = takewhile(bool, (line and line.order for line in said))
                if len(set(moves)) == len(moves_said):
                    return moves_said
        return (line,)

    def _meanings(self, line: str) -> list[str]:
        """Return a line as it is, without its bullet, and in English."""
        bare = without_bullet(line)
        return list(dict.fromkeys((line, bare, *in_english(bare, self._language, ()))))

    def _with_message(self, line: OrderLine, rest: list[str]) -> tuple[OrderLine, list[str]]:
        """Add the paragraph that a line of talk opens; return the line and the rest.

        The line is a doubt if its paragraph contains an order. A long line is one too: a mail
        program may have broken it if words follow below.
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
        end = next((at for at, one in enumerate(rest) if not one or _ends_reading(one)), len(rest))
        paragraph, rest = rest[:end], rest[end:]
        said = replace(line, argument="\n".join([line.argument or "", *paragraph]).strip())
        orders = [one for one in paragraph if self.is_order(one)]
        return (replace(said, kind=LineKind.DOUBT, guess=orders[0]) if orders else said), rest

    def _as_order(self, text: str) -> OrderLine | None:
        """Judge a line that is an order in any language, in a list or not, or cards as we draw them."""
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
        # Only one bullet: a line that consists of bullets must cost little.
        bare = without_bullet(text)
        if bare != text:
            listed = self._as_written(bare)
            if listed is not None and listed.kind in (LineKind.SERVICE, LineKind.GAME):
                return replace(listed, text=text)
        line = self._asked_for(text) or self._as_written(text) or self._as_said(text)
        is_move = line is not None and line.kind is LineKind.GAME
        return None if is_move and is_idiom(text, self._language) else line

    def _as_said(self, text: str) -> OrderLine | None:
        """Judge a move in everyday words, or one beside courtesy; None if anything else is said."""
        if is_told_to(text, self._language, self._names):
            return None
        may_be = partial(
            may_order, rulesets=self._rulesets, language=self._language, names=self._names
        )
        said = dict.fromkeys(parts(text, self._language, self._names, may_be))
        alone = dict.fromkeys(part.text for part in said if not part.remark and part.text != text)
        for words in alone:
            line = self._as_move(words)
            if line is not None and (line.kind is LineKind.GAME or words in _LETTERS):
                return replace(line, text=text)
        for words in dict.fromkeys((text, bare_words(text)[0], *alone)):
            line = self._in_everyday_words(words)
            if line is not None:
                return replace(line, text=text)
        for part in filter(self._is_beside, said):
            line = self._as_move(part.text) or self._in_everyday_words(part.text)
            if line is not None and line.kind is LineKind.GAME:
                return replace(line, text=text)
        return None

    def _is_beside(self, part: Part) -> bool:
        """True if a part of a line names something, and the rest says no more about it."""
        return part.is_reason or (
            bool(part.remark)
            and names_a_thing(part.text, self._language)
            and not self._specifies(part.text, part.remark)
        )

    def _as_move(self, text: str) -> OrderLine | None:
        """Judge a line that is a move without changes, or asks for a card; None for others."""
        asked = self._asked_for(text)
        if asked is not None:
            return asked
        english = moves_in_english(text, self._language, self._rulesets, self._names)
        for words in (text, *english):
            order = with_seats(words, self._rulesets, self._names)
            line = _game_line(text, order, self._rulesets)
            if line is not None:
                return line
        return None

    def _in_everyday_words(self, words: str) -> OrderLine | None:
        for rules in self._rulesets:
            for order in move_in(words, rules.id.name, self._language, self._names):
                line = self._exact_line(order) or self._asked_for(order) or self._as_written(order)
                if line is not None and line.kind is LineKind.GAME:
                    return line
        return None

    def _specifies(self, order: str, said: str) -> bool:
        """True if words behind an order may say more about it, or another one."""
        is_listed = list_number(order.strip(" #.")) is not None
        words = set(folded_words(said).split())
        return (
            names_a_thing(said, self._language)
            or (
                not is_listed and any(set(folded_words(one).split()) & words for one in self._names)
            )
            or speaks_of_a_move(said, self._language)
            or takes_back(said, self.is_order)
            or self.read_line(said).kind is not LineKind.PROSE
        )

    def _asked_for(self, text: str) -> OrderLine | None:
        """Judge one card with courtesy behind it, which asks for it: `Kd it is`, `nine please`."""
        first, _, rest = text.partition(" ")
        first = first.rstrip(",")
        if not rest or _ASKED_FOR.fullmatch(first) is None or bare_words(text)[0] != first:
            return None
        line = self._as_written(f"play {first}") or self._as_written(first)
        return None if line is None else replace(line, text=text, kind=LineKind.GAME)

    def _as_written(self, text: str) -> OrderLine | None:
        """Judge a line that is an order without changes; None for others."""
        exact = self._exact_line(text) or self._polite_line(text)
        if exact is not None or self._language == SOURCE:
            return exact
        for words in dict.fromkeys([text, bare_words(text)[0]]):
            for english in in_english(words, self._language, self._rulesets, self._names):
                line = self._exact_line(english)
                if line is None or is_doubtful(text, line.word, line.argument):
                    continue
                if not (words != text and line.word in _ANSWERS):
                    return replace(line, text=text)
        return None

    def _exact_line(self, text: str) -> OrderLine | None:
        """Judge a line that is exactly an order, or a card that may be talk; else None."""
        said = read_service_words(text)
        if said is not None and said.word is Word.TRY and said.argument is not None:
            tried = with_seats(said.argument, self._rulesets, self._names)
            if ":" not in text and not any(
                is_order(rules, tried) or is_near_order(rules, tried) for rules in self._rulesets
            ):
                return None  # "try again tomorrow"
        if said is not None:
            return OrderLine(text, LineKind.SERVICE, word=said.word, argument=said.argument)
        games = self._rulesets
        order = with_seat_numbers(text, self._names)
        line = _game_line(text, order, games)
        if order == text:
            return line
        as_written = _game_line(text, text, games)
        if line is None and as_written is None:
            return None  # not an order, whoever is meant
        return line if with_seats(text, self._rulesets, self._names) == order else as_written

    def _polite_line(self, text: str) -> OrderLine | None:
        """Judge a line without its please, thanks, numbering and pictures."""
        bare, to_somebody = bare_words(text)
        if bare == text:
            return None
        line = self._exact_line(bare)
        if line is None or line.word in _ANSWERS:
            return None
        is_greeting = text.endswith(",") and bare.rstrip(",").isalpha()  # `Hi table,`
        if to_somebody and (line.kind is LineKind.NEAR or is_greeting):
            return None
        return replace(line, text=text)


@lru_cache(_TABLES)
def order_reader(
    rulesets: tuple[AnyRuleset, ...], names: tuple[str, ...], language: str
) -> OrderReader:
    """Return the reader of a table's players, which knows lines that they have sent before.

    Every mail ends with the same signature, and every answer quotes our own lines.
    """
    return OrderReader(rulesets, names, language)


def read_lines(
    text: str,
    rulesets: Sequence[AnyRuleset],
    names: Sequence[str] = (),
    language: str = SOURCE,
) -> tuple[OrderLine, ...]:
    """Split the player's own text into lines and judge them; see `OrderReader`."""
    return OrderReader(rulesets, names, language).read(text)


def read_line(
    text: str,
    rulesets: Sequence[AnyRuleset],
    names: Sequence[str] = (),
    language: str = SOURCE,
) -> OrderLine:
    """Judge one line by its form; see `OrderReader`."""
    return OrderReader(rulesets, names, language).read_line(text)


def is_cut(text: str, lines: Sequence[OrderLine]) -> bool:
    """True if a text was too long to be read to its end; `lines` are its lines."""
    return len(lines) >= MAX_LINES or text.count("\n") >= MAX_LINES * 4


def _remember(known: dict[str, T], text: str, judged: T) -> None:
    """Keep what a line is; all are forgotten if they become too many."""
    if len(known) >= _LINES:
        known.clear()
    known[text] = judged


_NEAR_BELOW = 2
"""Lines below an order that can take it back; later lines are about other things."""


def _ends_reading(line: str) -> bool:
    return line.lower().rstrip(".!") in END_MARKS


def _is_talk(line: str) -> bool:
    said = read_service_words(line)
    return said is not None and said.word is Word.SAY


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
"""Cards that are rather asked about than talk, though courtesy follows: `K, sorry for the wait`."""

_ASKED_FOR = re.compile(
    "[jqk][cdhs]|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|king|queen"
    "|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|könig",
    re.IGNORECASE,
)
"""Cards that are no names and no greetings."""

_ENUMERATED = re.compile(r"(?:[1-9]|1\d|20)\s?[:)]")


def _word_or_card(text: str) -> str | None:
    """Return a single word that is also a card: `Ah!`, `As`, `Jack` may be talk.

    `-J` and `(K)` below a letter may be talk too. A number such as `2:` may be the rest of a list.
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
    words = service_words() | set(rules.order_words) | END_MARKS | foreign_words(rules)
    words |= EVERYBODY | {ANONYMOUS}
    return plain in words or plain.isdigit() or rules.reads_as_order(plain)


@lru_cache(_REMEMBERED)
def names_in_orders(
    names: tuple[str, ...], rulesets: tuple[AnyRuleset, ...], language: str = SOURCE
) -> tuple[str, ...]:
    """Return the names that an order can have behind `with`, by seat; empty for the others.

    They are read back as their seat, in English and in the language. One player whose name is an
    order word or a card makes all orders of the table unclear.
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

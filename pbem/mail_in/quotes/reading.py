"""Classify the lines of a body by whether the sender wrote them.

If the client marks its quotes (`>`, or an element in HTML), unmarked lines are the sender's,
wherever they are. If it does not, the original starts somewhere, e.g. at an attribution, a header
block or our reply marker. The lines below are then treated as the original unless there is evidence
to the contrary: a line between lines of our message that we did not send is the sender's. An order
that is neither definitely the sender's nor definitely quoted is a doubt.

An unknown order within the original may be an answer, or a line of our message that was
changed in transit. It is certainly an answer if our message continues after it at exactly the word where it
broke off, because our message is then complete without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from engine.orders import LIST_START
from pbem.mail_in.mime.lines import QUOTE, REST, SIGNATURE, TEXT, BodyLine
from pbem.mail_in.quotes import marks
from pbem.mail_in.quotes.answered import (
    Answered,
    Fit,
    clear_above,
    judge,
    known_tails,
    likely_tails,
    part_from_list,
)
from pbem.mail_in.quotes.boundaries import Parting, parting_of
from pbem.mail_in.quotes.introductions import Introductions, People
from pbem.mail_in.quotes.marks import words_of

_NEAR: Final = 6
"""Maximum number of lines of an answer between our lines, before and after its order."""
_EVIDENCE: Final = 6
_MAX: Final = 50
_LONG: Final = 3


class Gaps:
    """Detects inserted lines in a body."""

    def __init__(
        self, lines: Sequence[BodyLine], answered: Answered, strange: Collection[int]
    ) -> None:
        """Create the detector. `strange` lists orders that occur more often than in our message."""
        self._answered = answered
        self._strange: set[int] = set()  # their indexes among the lines with words
        self._texts: list[str] = []
        self._words: list[tuple[str, ...]] = []
        self._rank: dict[int, int] = {}  # index of a line -> its index among the lines with words
        for index, line in enumerate(lines):
            words = words_of(line.text)
            if words:
                self._rank[index] = len(self._words)
                if index in strange:
                    self._strange.add(len(self._words))
                self._words.append(words)
                self._texts.append(line.text)
        self._asked = 0

    def is_insertion(self, at: int) -> bool:
        """True if the line was inserted into our message. Examines a limited number of lines."""
        rank = self._rank.get(at)
        self._asked += 1
        if rank is None or self._asked > _MAX or not self._answered.is_complete:
            return False
        if rank and self._answered.continues(self._texts[rank - 1], self._texts[rank]):
            return False  # the client wrapped our line there
        afters = [self._after(last + 1) for last in self._beside(rank, 1)]
        for first in self._beside(rank, -1):
            before = self._before(first)
            if self._answered.ends_with(before):
                return True
            if any(self._answered.goes_on(before, after) for after in afters):
                return True
        return False

    def _beside(self, rank: int, step: int) -> list[int]:
        """Return the adjacent line in one direction, with its possible continuation.

        These lines are not ours, except that one of several orders may match a listed move.
        """
        ranks = [rank]
        for other in range(rank + step, rank + step * _NEAR, step):
            if not 0 <= other < len(self._words):
                break
            text, words = self._texts[other], self._words[other]
            ours = self._answered.contains(text) and len(words) >= _LONG
            is_ours = ours or self._answered.knows_most_of(words)
            if is_ours and other not in self._strange:
                break
            ranks.append(other)
        return ranks

    def _before(self, rank: int) -> tuple[str, ...]:
        words: tuple[str, ...] = ()
        while rank > 0 and len(words) < _EVIDENCE:
            rank -= 1
            words = self._words[rank][-_EVIDENCE:] + words
        return words[-_EVIDENCE:]

    def _after(self, rank: int) -> tuple[str, ...]:
        words: tuple[str, ...] = ()
        while rank < len(self._words) and len(words) < _EVIDENCE:
            words += self._words[rank][:_EVIDENCE]
            rank += 1
        return words[:_EVIDENCE]


class Recogniser(Protocol):
    """Recognises orders, as the parsers of quotes are independent of the games."""

    def is_order(self, text: str, /) -> bool:
        """True if a line, or a part of it, is an order. Never raises."""
        ...


_FAITHFUL: Final = 0.85
_ORDER_LENGTH: Final = 500
_COLUMNS: Final = 3
"""Maximum number of entries of our move list in one line."""
_TALK, _TALK_BETWEEN = 8, 4
"""Number of unmarked lines before an order, or between two, that may be quoted."""


@dataclass(slots=True)
class QuoteReading:
    """The result of classifying the lines of one body.

    Attributes:
        own: the sender's lines in order, including blank lines between them.
        orders: the sender's lines that are orders.
        doubts: orders that may be quoted.
        faint: orders that are almost certainly quoted. The player is asked about them if there is
            no definite order. Otherwise they are reported as ignored.
        is_cleared: True if no line is left and an order was classified as quoted.
        marked: True if the client marked its quotes.
    """

    own: list[str] = field(default_factory=list)
    orders: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    faint: list[str] = field(default_factory=list)
    marked: bool = False
    is_cleared: bool = False

    @property
    def text(self) -> str:
        """Return the sender's text."""
        return "\n".join(self.own).strip("\n")


class Reader:
    """Reads the lines of one body. Use a new instance for each body."""

    def __init__(
        self,
        lines: Sequence[BodyLine],
        answered: Answered | None,
        recogniser: Recogniser,
        people: People,
    ) -> None:
        """Create a reader for these lines, with our message if it is known."""
        self._lines = lines
        self._answered = answered
        self._recogniser = recogniser
        self._fits = answered.fits(lines) if answered else [Fit(0)] * len(lines)
        part_from_list(lines, self._fits, self._is_order)
        spans = marks.attribution_spans(lines, self._is_order)
        clear_above(lines, self._fits, self._is_order, spans)
        self._sure, self._order_runs = judge(lines, self._fits, self._is_order)
        self._remainder = known_tails(lines, answered)
        self._wrapped = likely_tails(lines, self._fits, answered, self._is_order)
        self._introductions = Introductions(
            lines, spans, self._is_order, self._is_ours, self._may_be_ours, people
        )
        self._reading = QuoteReading(marked=any(line.zone is QUOTE for line in lines))
        self._talk = 0
        self._list_seen = False
        self._original: list[int] = []  # unmarked lines with text
        self._nested_at = len(lines)
        self._in_original = False
        self._is_nested = False
        self._is_ours_quoted = True
        self._introduced = False
        self._people = people
        self._marks_seen = False
        self._parting = Parting.NONE  # the next lines may belong to an earlier message
        self._looked_to = 0
        self._in_signature = False
        self._in_signed_box = False

    def read(self) -> QuoteReading:
        """Read all lines."""
        index = 0
        while index < len(self._lines):
            index += self._step(index)
        self._search_original()
        self._search_marked()
        reading = self._reading
        if not (reading.orders or reading.doubts or reading.faint):
            reading.faint += self._orders_at_end()
        if not (reading.orders or reading.doubts or reading.faint):
            reading.is_cleared = any(self._is_order(line.text) for line in self._lines)
        return reading

    def _is_order(self, text: str) -> bool:
        if not text or marks.is_never_an_order(text):
            return False
        return self._recogniser.is_order(text[:_ORDER_LENGTH])

    def _is_ours(self, at: int) -> bool:
        return self._fits[at].run in self._sure

    def _may_be_ours(self, at: int) -> bool:
        return self._answered is None or self._fits[at].run >= 0

    def _step(self, at: int) -> int:
        """Process the line at an index and return the number of processed lines."""
        line = self._lines[at]
        if line.zone is QUOTE:
            self._in_signature = False  # signatures are above the quote, people write below
            self._talk, self._marks_seen = 0, True
            if line.text and not (self._is_nested or self._original):
                self._in_original = False  # the introduction belongs to these marked lines
            self._start_paragraph()
            return self._step_into_block(at)
        length = self._introductions.length(at)
        if self._in_original or line.zone is REST:
            full = at >= self._looked_to and self._introductions.names_a_mail(at, length)
            if (length and self._original) or (full and self._introduced):
                self._nested_at = min(self._nested_at, at)
            self._introduced = self._introduced or full
            self._note(of_writer=self._introductions.names_writer(at, length))
            if line.text and not length:
                self._original.append(at)
            return length or 1
        if length:
            self._enter_original(at, length)
            return length
        self._take(at, line)
        return 1

    def _step_into_block(self, at: int) -> int:
        """Process a marked line. The header block of an unmarked original is processed as a whole."""
        block = self._introductions.block_length(at)
        if not block:
            return 1
        if self._introductions.marks_other(at, block):
            self._parting = max(self._parting, Parting.POSSIBLE)
        if self._introductions.is_marked_below(at + block):
            return 1
        self._in_original = True
        return block

    def _enter_original(self, at: int, length: int) -> None:
        """Enter the original. If marked lines follow, only these are the original.

        Two consecutive introductions belong to a message and to the message that it quotes. The
        marks then belong to the outer message and do not show who wrote the unmarked lines.
        """
        follow = self._introductions.follow(at, length, below_order=bool(self._reading.orders))
        self._introduced, self._looked_to = follow.mails > 0, follow.after
        self._note(of_writer=follow.of_writer)
        if follow.of_others:
            self._parting = max(self._parting, Parting.POSSIBLE)
        if follow.mails > 1:
            self._in_original = self._is_nested = True
            self._is_ours_quoted = False
            self._nested_at = min(self._nested_at, follow.after)
        elif not follow.marked:
            self._in_original = True

    def _note(self, *, of_writer: bool) -> None:
        """Record whether the original is an earlier message of the sender.

        Text in such a message is old, even between our lines.
        """
        self._is_ours_quoted = self._is_ours_quoted and not of_writer

    def _take(self, at: int, line: BodyLine) -> None:
        """Process a line that the structure of the message does not exclude."""
        text, reading = line.text, self._reading
        if not text:
            if not self._in_signature:
                self._start_paragraph()
            return
        if at in self._remainder:
            return
        if self._is_ours(at):
            # Our text is unmarked, so from here on the client quotes without marks.
            self._in_original = True
            self._original.append(at)
            return
        boxed = line.zone is SIGNATURE
        self._in_signed_box = boxed and self._in_signed_box
        if marks.is_signature_mark(text):
            self._in_signed_box, self._in_signature = boxed, self._in_signature or not boxed
            return
        if self._in_signature:
            return
        order = self._is_order(text)
        if not order:
            self._note_parting(at, text)
        if marks.is_device_line(text) or marks.is_ruler(text):
            return
        if line.zone is TEXT:
            self._add_own_line(at, text, order=order)
        elif order and not self._in_signed_box:
            # It is in a frame, or in a signature box without a mark.
            reading.doubts.append(text)

    def _note_parting(self, at: int, text: str) -> None:
        """Remember a line that may precede another message, unless marked lines follow."""
        parting, own = parting_of(text, self._people), self._reading.own
        if self._reading.orders and marks.shows_instant(text):
            parting = max(parting, Parting.POSSIBLE)
        named = parting >= Parting.DATED
        if parting <= self._parting or self._introductions.marked_near(at + 1, named=named):
            return
        if parting <= Parting.DATED:
            above = self._reading.orders if parting is Parting.FAINT else own
            # Ticket systems put the writer's name and the time above the writer's text.
            if self._marks_seen or not any(above) or self._names_writer(own[-1]):
                return
        self._parting = parting

    def _names_writer(self, text: str) -> bool:
        return not self._people.names.isdisjoint(marks.words_of(text))

    def _start_paragraph(self) -> None:
        """Start a new paragraph, because text before and after a quote does not belong together."""
        if self._reading.own and self._reading.own[-1]:
            self._reading.own.append("")

    def _add_own_line(self, at: int, text: str, *, order: bool) -> None:
        reading = self._reading
        if order and at in self._wrapped:
            reading.faint.append(text)
            return
        if order and self._parting is Parting.LIKELY:
            reading.faint.append(text)
            return
        may_be_quoted = (
            self._parting > Parting.NONE
            or self._fits[at].run in self._order_runs
            or at in self._wrapped
            or self._may_be_listed(at)
            or self._follows_much()
            or (order and self._stands_among_ours(at))
        )
        self._talk = 0 if order else self._talk + 1
        number = marks.list_number(text)
        self._list_seen = self._list_seen or (number is not None and number >= LIST_START)
        if order and may_be_quoted:
            reading.doubts.append(text)
            return
        reading.own.append(text)
        if order:
            reading.orders.append(text)

    def _may_be_listed(self, at: int) -> bool:
        """True if a line looks like part of our move list: ascending numbers, each with text."""
        if self._answered is not None:
            return False
        number = marks.list_number(self._lines[at].text)
        return number is not None and any(
            marks.list_number(line.text) in (number - 1, number + 1)
            for line in self._lines[max(0, at - 1) : at + 2]
            if line.zone is not QUOTE
        )

    def _listed(self, places: Sequence[int]) -> set[int]:
        """Return the indexes of a move list: ascending numbers, each next to or above a move."""
        result: set[int] = set()
        last: tuple[int, ...] = ()  # position and number of the previous entry
        for index in places:
            text = self._lines[index].text
            beside = marks.list_number(text)
            number = beside or marks.list_number(f"{text} -")
            if number is None:
                continue
            if last and 0 < number - last[1] <= _COLUMNS:
                result |= {last[0], index} if beside else {last[0], last[0] + 1, index, index + 1}
            last = (index, number)
        return result

    def _follows_much(self) -> bool:
        """True if enough text precedes a line for it to be part of an unmarked original."""
        if self._answered is not None:
            return False
        enough = _TALK_BETWEEN if self._reading.orders else _TALK
        return self._list_seen or self._talk >= enough

    def _stands_among_ours(self, at: int) -> bool:
        """True if a line of our message is adjacent to other lines of it.

        The line must not occur more often here than in our message.
        """
        ours, text = self._answered, self._lines[at].text
        if ours is None or not (times := ours.times(text)):
            return False
        beside = [*self._lines[max(0, at - 2) : at], *self._lines[at + 1 : at + 3]]
        words = marks.words_of(text)
        return any(
            line.zone is TEXT and marks.words_of(line.text) and ours.times(line.text)
            for line in beside
            if not self._is_order(line.text)
        ) and times >= sum(marks.words_of(line.text) == words for line in self._lines)

    def _key(self, at: int) -> tuple[str, ...]:
        return marks.words_of(self._lines[at].text)

    def _times(self, at: int) -> int:
        return 0 if self._answered is None else self._answered.times(self._lines[at].text)

    def _goes_on(self, at: int) -> bool:
        """True if a line of an unmarked original continues the previous line or cell."""
        if self._answered is None:
            return False
        above = next((line.text for line in reversed(self._lines[:at]) if line.text), "")
        return self._answered.continues(above, self._lines[at].text)

    def _search_original(self) -> None:
        """Search for answers between the lines of an unmarked original.

        An answer is an order that our message does not contain at that position, next to text that
        is not ours either.
        """
        strangers = [index for index in self._original if self._is_strange_order(index)]
        if not strangers:
            return
        if self._answered is None:
            listed = self._listed(self._original)
            self._reading.faint += [
                self._lines[index].text for index in strangers if index not in listed
            ]
            return
        added = self._more_often_than_ours(strangers, self._original)
        strange = frozenset(strangers)
        is_faithful = self._is_faithful(strange)
        gaps = Gaps(self._lines, self._answered, added)
        has_order_above = bool(self._reading.orders)
        is_near_ours = False  # the line before is certainly ours, or next to such a line
        is_answering = False  # the lines before are an answer
        pending: list[str] = []  # text that belongs to an answer if an order follows
        for index in self._original:
            if index >= self._nested_at:
                break  # an earlier message begins here
            text = self._lines[index].text
            if index not in strange:
                is_ours = self._is_ours(index)
                is_near_ours = is_ours or (is_near_ours and self._fits[index].run < 0)
                if is_ours or not is_near_ours:
                    is_answering, pending = False, []
                elif is_answering:
                    self._reading.own.append(text)
                else:
                    pending.append(text)
                continue
            is_inserted = (
                index in added
                and is_faithful
                and self._is_ours_quoted
                and not marks.has_link(text)
                and gaps.is_insertion(index)
            )
            if is_inserted and not has_order_above:
                if not is_answering:
                    self._start_paragraph()
                self._reading.own += [*pending, text]
                self._reading.orders.append(text)
                is_answering, pending = True, []
                continue
            is_answering, pending = False, []
            if is_inserted:
                # With an order above the original, this is probably one of our lines, damaged.
                self._reading.doubts.append(text)
            elif index in added and (is_faithful or not self._times(index)):
                self._reading.faint.append(text)

    def _is_strange_order(self, index: int) -> bool:
        """True for an order in the original that is not certainly part of our message."""
        line = self._lines[index]
        return (
            line.zone is not QUOTE
            and (not self._is_ours(index) or self._times(index) == 0)
            and self._is_order(line.text)
            and not self._goes_on(index)
        )

    def _more_often_than_ours(self, orders: Sequence[int], body: Sequence[int]) -> set[int]:
        """Return the indexes of orders that occur more often in the body than in our message.

        Buttons of our HTML form are orders, too, but occur no more often than in our message.
        """
        counts = Counter(map(self._key, body))
        return {index for index in orders if counts[self._key(index)] > self._times(index)}

    def _is_faithful(self, strangers: Collection[int]) -> bool:
        """True if almost all words of the original are ours.

        Unknown orders and a footer below the original are ignored.
        """
        others = [index for index in self._original if index not in strangers]
        last = max((index for index in others if self._is_ours(index)), default=-1)
        others = [index for index in others if index <= last]
        total = sum(self._fits[index].words for index in others)
        ours = sum(self._fits[index].words for index in others if self._is_ours(index))
        return total > 0 and ours >= _FAITHFUL * total

    def _orders_at_end(self) -> list[str]:
        """Return the orders at the end of an unmarked original. A signature may follow them.

        Our messages do not end with orders. Therefore the client truncated the original within the
        move list, or the sender copied a line of the list to the end.
        """
        orders: list[str] = []
        after = 0
        if self._reading.marked:
            return orders
        for index in reversed(self._original):
            if index >= self._nested_at:
                break
            text = self._lines[index].text
            if self._is_order(text):
                orders.append(text)
            elif orders or self._fits[index].run >= 0 or (after := after + 1) > _NEAR:
                break
        return orders[::-1]

    def _search_marked(self) -> None:
        """Search for orders that someone typed into the marked quote itself."""
        if self._answered is None:
            return
        outer = {index: line.text for index, line in enumerate(self._lines) if _is_outer(line)}
        quoted = [index for index in self._answered.lacks(outer) if self._is_order(outer[index])]
        if not quoted:
            return
        quote = [one if _is_outer(one) else BodyLine("") for one in self._lines]
        nested_at = self._introductions.nested_in(
            [index for index, text in outer.items() if text],
            frozenset(index for index, fit in enumerate(self._fits) if fit.run >= 0),
            introduced=self._introduced,
        )
        if not self._is_ours_quoted:
            nested_at = 0
        added = self._more_often_than_ours(quoted, quoted)
        gaps = Gaps(quote, self._answered, added)
        above = bool(self._reading.orders)
        for index in quoted:
            text = self._lines[index].text
            if (
                index in added
                and index < nested_at
                and not marks.has_link(text)
                and gaps.is_insertion(index)
            ):
                if above:
                    self._reading.doubts.append(text)
                    continue
                self._start_paragraph()
                self._reading.own.append(text)
                self._reading.orders.append(text)
            elif not self._answered.contains(text):
                self._reading.faint.append(text)


def _is_outer(line: BodyLine) -> bool:
    # The arrows in GroupWise's introductions look like quote depth.
    return line.zone is QUOTE and (line.depth == 1 or line.text.endswith(" >>>"))

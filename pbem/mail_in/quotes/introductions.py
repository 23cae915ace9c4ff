"""Introductions of quotes: attributions, header blocks, our reply marker."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.mail_in.mime.lines import QUOTE, TEXT, BodyLine, Zone
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.quotes import marks

_MAX: Final = 8
_HEADER_LINES: Final = 6
_WRAPPED: Final = 3
_MIN_NAME: Final = 3


@dataclass(frozen=True, slots=True)
class People:
    """The writer of a message and its recipients.

    Attributes:
        sender: address of the writer in lower case, or None if unknown.
        service: our addresses among the recipients, without the `+` detail. Empty if unknown.
        others: words after the colon in the subject, which names the other players.
    """

    sender: str | None = None
    service: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Return the writer's names, as far as their address contains them."""
        local = (self.sender or "").partition("@")[0].partition("+")[0]
        return frozenset(word for word in marks.words_of(local) if len(word) >= _MIN_NAME)

    @classmethod
    def of(cls, mail: InboundMail) -> People:
        """Return the people of a message.

        Recipients with a `+` detail are our addresses. If there are none, all recipients are.
        """
        detailed = [
            recipient for recipient in mail.recipients if "+" in recipient.partition("@")[0]
        ]
        service = map(marks.without_detail, detailed or mail.recipients)
        others = frozenset(marks.words_of(mail.subject.rpartition(": ")[2]))
        return cls(mail.sender, frozenset(service), others)


@dataclass(frozen=True, slots=True)
class Follow:
    """The meaning of one or more consecutive introductions.

    Attributes:
        after: index of the first line after them.
        mails: number of messages that they introduce.
        of_writer: True if one of these messages was written by the writer.
        marked: True if the following lines are marked as quoted.
        of_others: True if the marks may belong to another person's message, which is not marked
            itself.
    """

    after: int
    mails: int
    of_writer: bool
    marked: bool
    of_others: bool


def join_split_lines(lines: Sequence[BodyLine]) -> list[BodyLine]:
    """Join the lines of introductions that a client split at an address.

    It made a link of the address: `On … Bob`, `<`, `mailto:bob@example.org`, `> wrote:`. The last
    of these lines only looks marked as quoted.
    """
    found: list[BodyLine] = []
    at = 0
    while at < len(lines):
        line, torn = lines[at], _torn_at(lines, at)
        if torn is None:
            found.append(line)
            at += 1
            continue
        text, at = torn
        if found and not found[-1].text:
            found.pop()  # the lines above belong to it
        found.append(BodyLine(text, line.zone))
    return found


_GLUED: Final = re.compile(r"(\S.{0,40}?)\s*((?:On|Am|Le|El|Il|Em|Op|Den)\s.+)")


def apart(lines: Sequence[BodyLine], is_order: Callable[[str], bool]) -> list[BodyLine]:
    """Split `21On … Bob wrote:` into an order and the introduction of a quote below it."""
    result: list[BodyLine] = []
    below: Zone | None = None
    for line in reversed(lines):
        glued = _GLUED.fullmatch(line.text) if below is QUOTE else None
        if glued and line.zone is TEXT and marks.says_wrote(glued[2]) and is_order(glued[1]):
            result += [BodyLine(glued[2], line.zone), BodyLine(glued[1], line.zone)]
        else:
            result.append(line)
        below = line.zone if line.text else below
    return result[::-1]


def _torn_at(lines: Sequence[BodyLine], at: int) -> tuple[str, int] | None:
    """Return the full text of a split introduction and the index after it, or None."""
    line = lines[at]
    if line.zone is QUOTE or "<" not in line.text:
        return None
    pieces, end = [line.text], at + 1
    is_closed = _ADDRESS_ALONE.fullmatch(line.text) is not None
    if not is_closed:
        closed = _closed_at(lines, at)
        if closed is None:
            return None
        pieces += [one.text for one in lines[at + 1 : closed]]
        last = lines[closed].text
        pieces += [last] if _CLOSED_ADDRESS.match(last) else [">", last.lstrip("> ")]
        end = closed + 1
    if is_closed or not marks.ends_attribution(pieces[-1]):
        below = next((n for n in range(end, min(len(lines), end + 2)) if lines[n].text), None)
        if below is not None and marks.ends_torn(lines[below].text):
            pieces.append(lines[below].text)
            end = below + 1
        elif is_closed:
            return None
    return " ".join(filter(None, pieces)), end


def _closed_at(lines: Sequence[BodyLine], at: int) -> int | None:
    """Return the index of the line that closes an address opened at `at`, or None."""
    inner = lines[at].text.rpartition("<")[2]
    has_address = marks.is_mailbox(inner.removeprefix("mailto:"))
    if inner and not has_address:
        return None
    for number in range(at + 1, min(len(lines), at + _MAX)):
        text = lines[number].text
        if not has_address and _CLOSED_ADDRESS.match(text):
            return number
        if text.startswith(">") or lines[number].zone is QUOTE:
            return number if has_address else None
        if text:
            has_address = "@" in text
            if not has_address or " " in text:
                return None
    return None


_ADDRESS_ALONE: Final = re.compile(r"<(?:mailto:)?[^<>\s]{1,64}@[^<>\s]{1,254}>")


_CLOSED_ADDRESS: Final = re.compile(r"(?:mailto:)?[^<>\s]{1,64}@[^<>\s]{1,254}>")
"""The rest of an address whose `<` is on the line above."""


class Introductions:
    """Finds the introductions in the lines of a body.

    Text in an earlier message of the writer is old. Text below two introductions (of a mail and of
    the message that it quotes) is old as well.
    """

    def __init__(
        self,
        lines: Sequence[BodyLine],
        spans: Mapping[int, tuple[int, bool]],
        is_order: Callable[[str], bool],
        is_ours: Callable[[int], bool],
        may_be_ours: Callable[[int], bool],
        people: People,
    ) -> None:
        """Create the analysis of a body's introductions.

        Args:
            lines: all lines of the body.
            spans: the result of `marks.attribution_spans`.
            is_order: returns True if a line can be parsed as an order.
            is_ours: returns True if the line at an index is certainly part of the answered message.
            may_be_ours: the same for a marked line. Always True if the answered message is not
                known.
            people: the writer and the recipients of the message.
        """
        self._lines = lines
        self._is_order = is_order
        self._is_ours = is_ours
        self._may_be_ours = may_be_ours
        self._people = people
        self._spans = spans

    def length(self, at: int) -> int:
        """Return the number of lines at `at` that introduce an original, or 0 if there are none."""
        line = self._lines[at]
        if not line.text or line.zone is QUOTE or self._is_ours(at):
            return 0
        length = self._length_at(at)
        return 0 if length and self._is_order(line.text) else length  # `my move: 21` is no header

    def _length_at(self, at: int) -> int:
        text = self._lines[at].text
        if marks.is_original_mark(text) or marks.is_reply_marker(text):
            return 1
        length = marks.header_block_length(self._lines, at)
        if length:
            return length
        length, certain = self._spans.get(at, (0, False))
        return length if certain or self._marked_after(at + length) else 0

    def block_length(self, at: int) -> int:
        """Return the number of lines of a client's header block at `at`, or 0 if there is none."""
        return marks.header_block_length(self._lines, at)

    def is_marked_below(self, at: int) -> bool:
        """True if any line from `at` on is marked as quoted."""
        return any(line.zone is QUOTE and line.text for line in self._lines[at:])

    def marks_other(self, at: int, length: int) -> bool:
        """True if a marked header block precedes an unmarked message that is not ours."""
        sender = marks.named_sender([line.text for line in self._lines[at : at + length]])
        after = self._lines[at + length : at + length + _WRAPPED]
        below = next((line for line in after if line.text), None)
        is_ours = sender is not None and marks.without_detail(sender) in self._people.service
        return below is not None and below.zone is not QUOTE and not is_ours

    def names_a_mail(self, at: int, length: int) -> bool:
        """True if these lines identify a message instead of only announcing it."""
        return marks.names_a_mail([line.text for line in self._lines[at : at + length]])

    def names_writer(self, at: int, length: int) -> bool:
        """True if these lines introduce a message of the writer."""
        texts = [line.text for line in self._lines[at : at + length]]
        return self._people.sender is not None and marks.named_sender(texts) == self._people.sender

    def follow(self, at: int, length: int, *, below_order: bool) -> Follow:
        """Interpret the consecutive introductions that start at `at`.

        Args:
            at: index of the first line.
            length: number of lines of the first introduction.
            below_order: True if the writer gave an order above.
        """
        first = at
        mails, of_writer, of_others = 0, False, False
        for _ in range(_MAX):
            of_others = of_others or self._names_others(at, length)
            mails += self.names_a_mail(at, length)
            of_writer = of_writer or self.names_writer(at, length)
            at += length or 1
            if at >= len(self._lines):
                break
            length = self.length(at)
            if self._lines[at].text and not length:
                break
        marked = at < len(self._lines) and self._lines[at].zone is QUOTE
        if marked and self._introduces_flat(at):
            mails += 1
        if below_order:
            # A player who answers above seldom answers below: probably someone else's answer.
            of_others = of_others or self._is_others(first, at) or self._names_nobody(first, at)
        else:
            of_others = of_others and self._may_be_ours(at)
        return Follow(at, mails, of_writer, marked, of_others and marked)

    def _names_others(self, at: int, length: int) -> bool:
        """True if an unmarked header block belongs to a message that is not ours."""
        return marks.header_block_length(self._lines, at) > 0 and self._is_others(at, at + length)

    def _is_others(self, at: int, end: int) -> bool:
        """True if an introduction contains an address of another person."""
        sender = marks.named_sender([line.text for line in self._lines[at:end]])
        ours = self._people.service
        return sender is not None and bool(ours) and marks.without_detail(sender) not in ours

    def _names_nobody(self, at: int, end: int) -> bool:
        """True if a header block does not contain the address of a sender."""
        sender = marks.named_sender([line.text for line in self._lines[at:end]])
        return sender is None and marks.header_block_length(self._lines, at) > 0

    def _introduces_flat(self, at: int) -> bool:
        """True if a quote begins with an introduction of lines at the same depth."""
        quoted = [line for line in self._lines[at : at + _MAX] if line.text][:_WRAPPED]
        for number, below in enumerate(quoted[1:], 1):
            if marks.introduces(" ".join(line.text for line in quoted[:number])):
                return 0 < below.depth <= quoted[0].depth
        return False

    def nested_in(self, quoted: Sequence[int], ours: frozenset[int], *, introduced: bool) -> int:
        """Return the index where a message nested in a quoted message begins.

        It begins immediately if the quoted message is not ours, because the words before our
        message then differ from the introduction.

        Args:
            quoted: indexes of the lines with one quote mark.
            ours: indexes of lines that may be ours.
            introduced: True if there is an unmarked introduction above.

        Returns:
            The index, or the number of lines if there is no nested message.
        """
        unmarked = introduced or bool(self._spans)
        first = next((index for index in quoted if index in ours), len(self._lines))
        above = [index for index in quoted if index < first < len(self._lines)]
        if above and (unmarked or not self._introduce(above)):
            return 0
        result: list[int] = []
        block = 0  # end of the last header block, whose lines are a single introduction
        for index in quoted:
            if index >= block and index not in ours and self._is_introduction(index):
                result.append(index)
                block = index + marks.header_block_length(self._lines, index)
        own = 0 if unmarked else 1  # the outer message's introduction can be unmarked
        return result[own] if len(result) > own else len(self._lines)

    def _is_introduction(self, at: int) -> bool:
        """True if a message is introduced at `at`, in any language."""
        text = self._lines[at].text
        if marks.introduces(text) or text.endswith(" >>>"):
            return True
        return marks.header_block_length(self._lines, at) > 0

    def _introduce(self, places: Sequence[int]) -> bool:
        """True if marked lines together are an introduction of another person's message."""
        length = places[-1] - places[0] + 1
        if len(places) > _HEADER_LINES or self.names_writer(places[0], length):
            return False
        texts = [self._lines[index].text for index in places]
        return marks.introduces(texts[-1]) or any(map(marks.label_of, texts))

    def marked_near(self, at: int, *, named: bool) -> bool:
        """True if one of the next lines is marked as quoted.

        Lines after an order, or after an introduction of another message, are not checked.

        Args:
            at: index of the first of these lines.
            named: True if the previous line contains a writer or a time, like an introduction.
        """
        apart = named and marks.ends_attribution(self._lines[at - 1].text)
        seen = 0
        for number in range(at, min(len(self._lines), at + _MAX)):
            line = self._lines[number]
            if line.zone is QUOTE:
                return bool(line.text) and not (named and self.block_length(number))
            if not line.text:
                apart = named
                continue
            seen += 1
            if seen > _WRAPPED or self._is_order(line.text) or (apart and self.length(number)):
                break
        return False

    def _marked_after(self, at: int) -> bool:
        """True if the next non-blank line is marked as quoted."""
        for line in self._lines[at : at + 3]:
            if line.text or line.zone is QUOTE:
                return line.zone is QUOTE
        return False

"""Index the answered message in order to recognise its lines in the answer, even if rewrapped.

Since the text of our own messages is known, their lines can be recognised in any language and
however the client changed them: different or missing quote marks, other white space, wrapped or
joined lines, table cells as lines. The comparison follows the words of our message and tolerates
inserted lines. A single matching line is not evidence of a quote, because players type the moves
that we list.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Final, NamedTuple

from pbem.mail_in.mime.lines import QUOTE, TEXT, BodyLine
from pbem.mail_in.quotes import marks
from pbem.mail_in.quotes.html import LINES, html_lines
from pbem.mail_in.quotes.marks import words_of

_MAX_WORDS: Final = 20_000
_CANDIDATES: Final = 12
_MANY_CANDIDATES: Final = 100
_TAIL: Final = 3
_BREAK: Final = 4
_LONG_LINE: Final = 6
_PARTLY: Final = 0.7


class Fit(NamedTuple):
    """Position of a line of the answer in the answered message.

    Attributes:
        words: number of words in the line.
        run: number of a sequence of lines that follow each other as in our message, or -1 if the
            line is not part of our message.
        whole: True if the line ends where a line of our message ends.
    """

    words: int
    run: int = -1
    whole: bool = False


_UNSEEN: Final = re.compile(r"<div style=\"display:none.*?</div>", re.DOTALL)
_TAG: Final = re.compile(r"<(/?\w*)[^>]*>")
_INSTEAD: Final = {
    **{f"{slash}{tag}": "\n" for tag in (*LINES, "br", "hr") for slash in ("", "/")},
    **dict.fromkeys(("td", "th"), " "),
}
"""Replacement for each tag. Other tags are removed."""


def page_text(html: str) -> str:
    """Return the text of an HTML page, line by line."""
    return "\n".join(line.text for line in html_lines(html) or ())


def own_page_text(html: str) -> str:
    """Return the lines of an HTML page that was made by our own templates.

    The result has the same words as `page_text`, but takes a third of the time. A test compares the
    two functions for all types of messages.
    """
    _, _, body = html.rpartition("</head>")
    parts = _TAG.split(" ".join(_UNSEEN.sub("", body).split()))
    parts[1::2] = [_INSTEAD.get(tag, "") for tag in parts[1::2]]
    return unescape("".join(parts)).strip()


BETWEEN: Final = "\f"
"""Separator between the texts of several messages, one of which was answered."""


class Answered:
    """Index of the words of the answered message, in order.

    Args:
        text: plain text of the message, or of several candidates separated by `BETWEEN`.
        page: lines of the HTML form or forms, or None if unknown.

    Attributes:
        is_complete: True if both forms of the message are known. Any other line was then written
            by someone else.
    """

    def __init__(self, text: str, page: str | None = None) -> None:
        self.is_complete = page is not None
        self._words = tuple[str, ...]()
        self._starts: set[int] = set()
        self._ends: set[int] = set()
        self._line_counts: list[Counter[tuple[str, ...]]] = []
        for form in (*text.split(BETWEEN), *(page or "").split(BETWEEN)):
            self._add(form.split("\n"))
        self._starts.add(len(self._words))
        self._places: dict[str, list[int]] = defaultdict(list)
        for index, word in enumerate(self._words):
            self._places[word].append(index)
        self._pairs: dict[tuple[str, ...], list[int]] = {}

    def _add(self, lines: Sequence[str]) -> None:
        heard: list[tuple[str, ...]] = []
        start = len(self._words)
        for line in lines:
            bare = line.lstrip("> ")
            words = words_of(bare) if bare else ()
            if words and start < _MAX_WORDS:
                heard.append(words)
                self._starts.add(start)
                start += len(words)
        self._words += tuple(itertools.chain.from_iterable(heard))
        self._line_counts.append(Counter(heard))
        self._ends.add(len(self._words))

    def times(self, text: str) -> int:
        """Return how often a text is a whole line of our message.

        The result is the maximum over both forms and all candidates.
        """
        return self._times(words_of(text))

    def _times(self, words: tuple[str, ...]) -> int:
        return max([counts.get(words, 0) for counts in self._line_counts])

    def lacks(self, lines: Mapping[int, str]) -> list[int]:
        """Return the lines that our message does not contain, or contains less often.

        In a quote, most lines are found in our message.
        """
        words = {index: words_of(text) for index, text in lines.items()}
        seen = Counter(words.values())
        lacked = {word for word, count in seen.items() if count > self._times(word)}
        return [index for index, word in words.items() if word in lacked]

    def contains(self, text: str) -> bool:
        """True if the message contains the words of a line in the same order."""
        words = words_of(text)
        return not words or self._find(words, -1) >= 0

    def continues(self, before: str, text: str) -> bool:
        """True if two lines follow each other within a single line of our message."""
        tail, words = words_of(before)[-_TAIL:], words_of(text)
        if not tail or not words:
            return False
        both = tail + words
        return any(
            start + len(tail) not in self._starts and self._stands_at(both, start)
            for start in self._begin(both[:2])[:_MANY_CANDIDATES]
        )

    def goes_on(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """True if our message contains `before`, followed by a line that starts with `after`."""
        return len(after) >= _BREAK and self._has_break(before, after, self._starts)

    def ends_with(self, words: tuple[str, ...]) -> bool:
        """True if our message, in one of its forms, ends with these words."""
        return self._has_break(words, (), self._ends)

    def _has_break(self, before: tuple[str, ...], after: tuple[str, ...], places: set[int]) -> bool:
        if len(before) < _BREAK:
            return False
        breaks = [
            start + len(before)
            for start in self._begin(before[:2])[:_MANY_CANDIDATES]
            if self._stands_at(before, start) and start + len(before) in self._starts
        ]
        # Check both forms of our message: a line can be missing in one of them.
        return bool(breaks) and all(
            start in places and (not after or self._stands_at(after, start)) for start in breaks
        )

    def fits(self, lines: Sequence[BodyLine]) -> list[Fit]:
        """Return the position of each line, in a single pass.

        The number of comparisons per word is limited.
        """
        fits: list[Fit] = []
        # The walk has a position in our message (`main`), and a second one for a possible jump.
        main, main_run, jump, jump_run, runs = -1, -1, -1, -1, 0
        marked: bool | None = None
        proven = Counter[int]()  # words by run
        for line in lines:
            if fits and fits[-1].run >= 0:
                proven[fits[-1].run] += fits[-1].words
            words = words_of(line.text)
            if not words:
                fits.append(Fit(0))
                continue
            if (line.zone is QUOTE) is not marked:
                # Marked lines are no evidence about unmarked lines, and vice versa.
                marked = line.zone is QUOTE
                runs += 2
                main_run, jump_run = runs - 1, runs
            if self._stands_at(words, main):
                fits.append(self._fit(words, main, main_run))
                main += len(words)
            elif self._stands_at(words, jump):
                fits.append(self._fit(words, jump, jump_run))
                main, main_run, jump = jump + len(words), jump_run, -1
            elif (start := self._find(words, main)) >= 0:
                runs += 1
                fits.append(Fit(len(words), runs, whole=start + len(words) in self._starts))
                jump, jump_run = start + len(words), runs
                if len(words) >= _LONG_LINE or main < 0:
                    main, main_run, jump = jump, jump_run, -1
            else:
                run = -1
                if self.knows_most_of(words):
                    # An attribution can contain our subject: it is no evidence about an order above
                    # it.
                    runs += 1
                    run = main_run if proven[main_run] >= _LONG_LINE else runs
                fits.append(Fit(len(words), run))
        return fits

    def _fit(self, words: tuple[str, ...], at: int, run: int) -> Fit:
        return Fit(len(words), run, whole=at + len(words) in self._starts)

    def _stands_at(self, words: tuple[str, ...], at: int) -> bool:
        return at >= 0 and self._words[at : at + len(words)] == words

    def _find(self, words: tuple[str, ...], after: int) -> int:
        """Return the first position of the words after a position, else anywhere, or -1 if missing."""
        best = -1
        for start in self._begin(words[:2])[:_CANDIDATES]:
            if self._stands_at(words, start):
                if start >= after:
                    return start
                best = start if best < 0 else best
        return best

    def _begin(self, words: tuple[str, ...]) -> list[int]:
        """Return the positions of a word or of a pair of words, in order."""
        places = self._places.get(words[0], [])
        if len(words) == 1 or not places:
            return places
        if words not in self._pairs:
            more = words[1:]
            self._pairs[words] = [
                start for start in places if self._words[start + 1 : start + 2] == more
            ]
        return self._pairs[words]

    def knows_most_of(self, words: tuple[str, ...]) -> bool:
        """True if a long line is a modified line of our message."""
        if len(words) < _LONG_LINE:
            return False
        pairs = itertools.pairwise(words)
        known = sum(bool(self._begin(pair)) for pair in pairs)
        return known >= _PARTLY * (len(words) - 1)


_SURE_WORDS: Final = 6
_SURE_ALONE: Final = 8
_BELOW: Final = 10
_FEW_ORDERS: Final = 3


def part_from_list(
    lines: Sequence[BodyLine], fits: list[Fit], is_order: Callable[[str], bool]
) -> None:
    """Clear the match of an order if it is only the start of a move listed further below.

    A player who answers `24` directly above our line `24 play 9c` did not quote the start of that
    line.
    """
    for index, line in enumerate(lines):
        fit = fits[index]
        if fit.run < 0 or fit.whole or not is_order(line.text):
            continue
        words = marks.words_of(line.text)
        below = [one for one in lines[index + 1 : index + _BELOW] if one.text]
        if any(
            len(after := marks.words_of(one.text)) > len(words) and after[: len(words)] == words
            for one in below
        ):
            fits[index] = Fit(fit.words)


def clear_above(
    lines: Sequence[BodyLine],
    fits: list[Fit],
    is_order: Callable[[str], bool],
    spans: Mapping[int, tuple[int, bool]],
) -> None:
    """Clear the matches of lines above a clear introduction or marked line, which the player wrote.

    Lines are kept if they share more words with our message than a few orders can. A line of prose
    counts only if another line follows it as in our message, because players also repeat a line
    that our message quotes. `spans` is the result of `marks.attribution_spans`.
    """
    above: list[int] = []
    for index, line in enumerate(lines):
        if line.zone is QUOTE or (
            line.text and _is_introduction(lines, index, spans) and not is_order(line.text)
        ):
            break
        above.append(index)
    else:
        return
    ours = [index for index in above if fits[index].run >= 0]
    orders = [index for index in ours if is_order(lines[index].text)]
    runs = Counter(fits[index].run for index in ours)
    prose = sum(
        fits[index].words for index in ours if index not in orders and runs[fits[index].run] > 1
    )
    is_list = any(marks.list_number(lines[index].text) for index in orders)
    if prose < _SURE_WORDS and len(orders) <= _FEW_ORDERS and not is_list:
        for index in ours:
            fits[index] = Fit(fits[index].words)


def _is_introduction(
    lines: Sequence[BodyLine], at: int, spans: Mapping[int, tuple[int, bool]]
) -> bool:
    if marks.is_original_mark(lines[at].text) or marks.header_block_length(lines, at):
        return True
    return spans.get(at, (0, False))[1]


def judge(
    lines: Sequence[BodyLine], fits: Sequence[Fit], is_order: Callable[[str], bool]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the runs of unmarked lines that are ours, and the runs that only list moves."""
    words, count, prose = Counter[int](), Counter[int](), set[int]()
    for line, fit in zip(lines, fits, strict=True):
        if fit.run < 0 or line.zone is QUOTE:
            continue
        words[fit.run] += fit.words
        count[fit.run] += 1
        if fit.run not in prose and not is_order(line.text):
            prose.add(fit.run)
    sure = {
        run
        for run, indexes in words.items()
        if run in prose and indexes >= (_SURE_WORDS if count[run] > 1 else _SURE_ALONE)
    }
    listed = {run for run in words if run not in prose and count[run] > 1}
    return frozenset(sure), frozenset(listed)


_NARROWEST: Final = 34
_SLACK: Final = 4
_WRAPS: Final = 2
_LONGEST_TAIL: Final = 3


def known_tails(lines: Sequence[BodyLine], answered: Answered | None) -> frozenset[int]:
    """Return the lines that continue a line of our message. Empty if that message is unknown."""
    result: set[int] = set()
    if answered is None:
        return frozenset()
    for index in range(1, len(lines)):
        line, before = lines[index], lines[index - 1]
        if line.zone is not TEXT or not line.text:
            continue
        after_quote = before.zone is QUOTE or index - 1 in result
        if after_quote and answered.continues(before.text, line.text):
            result.add(index)
    return frozenset(result)


def likely_tails(
    lines: Sequence[BodyLine],
    fits: Sequence[Fit],
    answered: Answered | None,
    is_order: Callable[[str], bool],
) -> frozenset[int]:
    """Return unmarked lines that may be the wrapped end of a quoted line.

    Such a line follows a quoted line without a blank line between them, and its first word would
    have made that line wider than all other quoted lines. If our message is not known and several
    unmarked lines are directly between marked lines, the client wraps lines, and all such lines are
    returned.
    """
    wide = _too_wide(lines, fits)
    if answered is not None:
        return wide
    between = _between_marked(lines)
    texts = sum(not is_order(lines[index].text) for index in between)
    return wide | frozenset(between) if texts >= _WRAPS else wide


def _between_marked(lines: Sequence[BodyLine]) -> list[int]:
    """Return short groups of unmarked lines that are directly between marked lines."""
    result: list[int] = []
    row: list[int] | None = None  # since the last marked line, or None after anything else
    for index, line in enumerate(lines):
        if line.zone is QUOTE:
            if row and len(row) <= _LONGEST_TAIL:
                result += row
            row = [] if line.text else None
        elif row is not None and line.text and line.zone is TEXT:
            row.append(index)
        else:
            row = None
    return result


def _too_wide(lines: Sequence[BodyLine], fits: Sequence[Fit]) -> frozenset[int]:
    """Return unmarked lines whose first word would not have fit into the previous quoted line."""
    width = max((line.width for line in lines if line.zone is QUOTE), default=0)
    result: set[int] = set()
    if width < _NARROWEST:
        return frozenset()
    for index in range(1, len(lines)):
        line, before, fit = lines[index], lines[index - 1], fits[index - 1]
        if not line.text or not before.text or line.zone is not TEXT:
            continue
        if (before.zone is not QUOTE and index - 1 not in result) or fit.whole:
            continue
        if before.width + len(line.text.split(" ", 1)[0]) > width - _SLACK:
            result.add(index)
    return frozenset(result)

"""Extract the player's own text from a message.

The plain text and the HTML are parsed separately, each by its own quote marks. If they differ in an
order, the order becomes a doubt and the player is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from pbem.mail_in.mime.lines import SIGNATURE, TEXT, BodyLine, plain_lines
from pbem.mail_in.mime.message import InboundMail, Reply
from pbem.mail_in.mime.parts import unarmored
from pbem.mail_in.quotes.answered import Answered
from pbem.mail_in.quotes.html import UNREADABLE_HTML, html_lines
from pbem.mail_in.quotes.introductions import People, apart, join_split_lines
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_in.quotes.reading import QuoteReading, Reader, Recogniser

_LONGEST_NOTICE = 40
"""Maximum number of words in a notice that a message cannot be shown as text."""


def extract_reply(
    mail: InboundMail,
    *,
    answered: str | None = None,
    answered_page: str | None = None,
    recogniser: Recogniser,
) -> Reply:
    """Separate the player's own text from quoted text.

    Args:
        mail: the parsed message.
        answered: the plain text of the answered message as we sent it, or of several candidates,
            or None if unknown.
        answered_page: the lines of its HTML form, or empty if it has none. If None, an order
            between the lines of an unmarked original is a doubt, because it may come from the HTML
            form.
        recogniser: recognises orders in single lines of at most 500 characters. It usually gets a
            line twice, because text and HTML share most lines.
    """
    problems = list(mail.problems)
    people = People.of(mail)
    ours = _answered(answered, answered_page) if answered and answered.strip() else None
    rich: QuoteReading | None = None
    if mail.rich is not None:
        rich = _read(mail.rich, ours, recogniser, people)
    elif mail.html is not None:
        lines = html_lines(mail.html)
        if lines is None:
            problems.append(UNREADABLE_HTML)
        else:
            rich = _read(lines, ours, recogniser, people)
    plain: QuoteReading | None = None
    if mail.plain is not None and mail.plain.strip():
        lines = plain_lines(unarmored(mail.plain))
        plain = _read(lines, ours, recogniser, people)
        if rich is not None and not plain.orders and _stands_in(mail.plain):
            plain = None
    if rich is not None and plain is not None:
        reading = _reconcile(rich, plain, problems)
    else:
        reading = rich or plain or QuoteReading()
    doubts, left_out = [*reading.doubts, *reading.faint], list[str]()
    if reading.orders:
        doubts, left_out = reading.doubts, reading.faint
    return Reply(
        text=reading.text,
        doubts=tuple(dict.fromkeys(doubts)),
        left_out=tuple(dict.fromkeys(left_out)),
        is_cleared=any(form is not None and form.is_cleared for form in (rich, plain)),
        problems=tuple(dict.fromkeys(problems)),
        unread=mail.unread,
        witness=None if rich is None or plain is None else plain.text,
    )


def _read(
    lines: Sequence[BodyLine], ours: Answered | None, recogniser: Recogniser, people: People
) -> QuoteReading:
    """Classify the lines of one body.

    Without any other text, the text in a client's signature box is treated as the player's, because
    Outlook's apps place the cursor there.
    """
    lines = apart(join_split_lines(lines), recogniser.is_order)
    reading = Reader(lines, ours, recogniser, people).read()
    is_boxed = any(line.zone is SIGNATURE and line.text for line in lines)
    if any(reading.own) or not is_boxed:
        return reading
    opened = [line._replace(zone=TEXT) if line.zone is SIGNATURE else line for line in lines]
    return Reader(opened, ours, recogniser, people).read()


@lru_cache(maxsize=4)
def _answered(text: str, page: str | None) -> Answered:
    """Index our message. Results are cached because a message often gets several answers."""
    return Answered(text, page)


def _stands_in(text: str) -> bool:
    """True if a text only refers to the other form, as in "This mail is HTML"."""
    return "html" in text.lower() and len(text.split()) <= _LONGEST_NOTICE


def _reconcile(rich: QuoteReading, plain: QuoteReading, problems: list[str]) -> QuoteReading:
    """Combine the readings of both forms: HTML has the better lines, text confirms them."""
    if _is_sure(rich, plain) or _is_sure(plain, rich):
        return rich if rich.orders else plain
    if words_of(rich.text) == words_of(plain.text) or _same(rich.orders, plain.orders):
        return QuoteReading(
            own=rich.own,
            orders=rich.orders,
            doubts=[line for line in rich.doubts if _key(line) in set(map(_key, plain.doubts))],
            faint=_in_both(rich, plain),
        )
    problems.append("text and HTML of the mail differ about an order")
    both = Counter(map(_key, rich.orders)) & Counter(map(_key, plain.orders))
    agreed = both.copy()
    own: list[str] = []
    orders = set(map(_key, rich.orders))
    doubts = [*rich.doubts, *plain.doubts]
    for line in rich.own:
        key = _key(line)
        if key not in orders:
            own.append(line)
        elif agreed[key] > 0:
            agreed[key] -= 1
            own.append(line)
        else:
            doubts.append(line)
    for line in plain.orders:
        if both[_key(line)] > 0:
            both[_key(line)] -= 1
        else:
            doubts.append(line)
    return QuoteReading(own=own, doubts=doubts)


def _in_both(rich: QuoteReading, plain: QuoteReading) -> list[str]:
    """Return the lines that are almost certainly quoted. A form with quote marks takes precedence."""
    keys, other = (set(map(_key, form.faint + form.doubts)) for form in (rich, plain))
    known = keys & other if rich.marked or plain.marked else keys | other
    sure = set(map(_key, rich.doubts)) & set(map(_key, plain.doubts))
    return [line for line in [*rich.faint, *plain.faint] if _key(line) in known - sure]


def _is_sure(sure: QuoteReading, unsure: QuoteReading) -> bool:
    """True if the marks of one form settle the doubts of the other without a conflict."""
    known = set(map(_key, sure.orders))
    other = [*unsure.orders, *unsure.doubts, *([] if unsure.orders else unsure.faint)]
    return (
        bool(known)
        and sure.marked
        and not unsure.marked
        and not sure.doubts
        and set(map(_key, other)) == known
    )


def _same(lines: list[str], other: list[str]) -> bool:
    return list(map(_key, lines)) == list(map(_key, other))


def _key(line: str) -> tuple[str, ...]:
    return words_of(line)

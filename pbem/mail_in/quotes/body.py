"""The player's own words in a mail.

Text and HTML are both read, each by its own signs, and their agreement counts. An order on which
they differ is never guessed: it becomes a doubt, and the player is asked.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from pbem.mail_in.mime.lines import plain_lines
from pbem.mail_in.mime.message import InboundMail, Reply
from pbem.mail_in.mime.parts import unarmored
from pbem.mail_in.quotes.answered import Answered
from pbem.mail_in.quotes.html import UNREADABLE_HTML, html_lines
from pbem.mail_in.quotes.introductions import People
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_in.quotes.reading import QuoteReading, Reader, Recogniser

_LONGEST_NOTICE = 40
"""Most words of a notice that a mail cannot be shown as text."""


def extract_reply(
    mail: InboundMail,
    *,
    answered: str | None = None,
    answered_html: str | None = None,
    recogniser: Recogniser,
) -> Reply:
    """Separate the player's own words from quoted ones.

    Args:
        mail: the mail as it was read.
        answered: the plain text of the answered mail, as we sent it, or of several candidates; None
            if unknown.
        answered_html: its HTML form, empty if it has none. If this is None, an order between the
            lines of an unmarked original is a doubt, because it can come from the HTML form alone.
        recogniser: recognises orders in single lines of at most 500 characters; it mostly sees a
            line twice, because text and HTML share most lines.
    """
    problems = list(mail.problems)
    people = People.of(mail)
    ours = _answered(answered, answered_html) if answered and answered.strip() else None
    rich: QuoteReading | None = None
    if mail.rich is not None:
        rich = Reader(list(mail.rich), ours, recogniser, people).read()
    elif mail.html is not None:
        lines = html_lines(mail.html)
        if lines is None:
            problems.append(UNREADABLE_HTML)
        else:
            rich = Reader(lines, ours, recogniser, people).read()
    plain: QuoteReading | None = None
    if mail.plain is not None and mail.plain.strip():
        plain = Reader(plain_lines(unarmored(mail.plain)), ours, recogniser, people).read()
        if rich is not None and not plain.orders and _stands_in(mail.plain):
            plain = None
    if rich is not None and plain is not None:
        reading = _reconcile(rich, plain, problems)
    else:
        reading = rich or plain or QuoteReading()
    doubts = [*reading.doubts, *reading.faint]
    return Reply(
        text=reading.text,
        doubts=tuple(dict.fromkeys(doubts)),
        problems=tuple(dict.fromkeys(problems)),
        unread=mail.unread,
        witness=None if rich is None or plain is None else plain.text,
    )


@lru_cache(maxsize=4)
def _answered(text: str, html: str | None) -> Answered:
    """Index our mail; several answers to it mostly come one after the other."""
    return Answered(text, html)


def _stands_in(text: str) -> bool:
    """True if a text only refers to the other form, as in "This mail is HTML"."""
    return "html" in text.lower() and len(text.split()) <= _LONGEST_NOTICE


def _reconcile(rich: QuoteReading, plain: QuoteReading, problems: list[str]) -> QuoteReading:
    """Join the readings of both forms; HTML has the better lines, text is the witness."""
    if _is_sure(rich, plain) or _is_sure(plain, rich):
        return rich if rich.orders else plain
    if words_of(rich.text) == words_of(plain.text) or _same(rich.orders, plain.orders):
        return QuoteReading(
            own=rich.own,
            orders=rich.orders,
            doubts=[line for line in rich.doubts if _key(line) in set(map(_key, plain.doubts))],
            faint=[line for line in rich.faint if _key(line) in set(map(_key, plain.faint))],
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


def _is_sure(sure: QuoteReading, unsure: QuoteReading) -> bool:
    """True if one form shows by marks what the other cannot, without conflict."""
    known = set(map(_key, sure.orders))
    other = [*unsure.orders, *unsure.doubts, *unsure.faint]
    return (
        bool(known)
        and sure.marked
        and not unsure.marked
        and not sure.doubts
        and set(map(_key, other)) == known
    )


def _same(one: list[str], other: list[str]) -> bool:
    return list(map(_key, one)) == list(map(_key, other))


def _key(line: str) -> tuple[str, ...]:
    return tuple(words_of(line))

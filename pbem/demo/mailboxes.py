"""The mailboxes in the window: their owners, their messages and the answers.

The links of an HTML message lead back into the window only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import unquote

import lxml.html
from lxml.html import HtmlElement

from pbem.demo.clients import ReceivedMail, fresh
from pbem.demo.correspondents import OVER, Correspondent, Visitor, listed_moves

_MARKER = re.compile(r"^-- .* --$")
_SNIPPET = 110
_SEAT_PAGE = re.compile(r"http://127\.0\.0\.1:\d{1,5}/seat/[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that a `mailto:` link begins (RFC 6068)."""

    to: str
    subject: str
    words: str


@dataclass(slots=True)
class Letter:
    """A message in a mailbox.

    Attributes:
        number: 1, 2, 3 … in its mailbox, in order of arrival.
        drafts: the messages that its links begin, in their order in the message.
        answer: the reply, or None if there is none yet.
        is_new: True if it has not been opened in the window.
    """

    number: int
    mail: ReceivedMail
    drafts: tuple[Draft, ...]
    answer: str | None = None
    is_new: bool = True

    @property
    def time(self) -> str:
        """Return when it was written, as a clock on this machine shows it."""
        return f"{parsedate_to_datetime(self.mail.date).astimezone():%H:%M}"

    @property
    def snippet(self) -> str:
        """Return its first words, as lists of messages show them."""
        lines = [line.strip() for line in self.mail.text.splitlines() if line.strip()]
        if lines and _MARKER.match(lines[0]):
            lines = lines[1:]
        text = " ".join(lines[:3])
        return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"

    @property
    def event(self) -> int | None:
        """Return the game event that it reports, or None for rules, help and lists."""
        return self.mail.event

    @property
    def tells_end(self) -> bool:
        """True if the message reports the end of the game."""
        return OVER.search(self.mail.text) is not None

    @property
    def says_turn(self) -> bool:
        """True if the message announces the reader's turn."""
        return "Answer by " in self.mail.text or bool(listed_moves(self.mail.text))

    @property
    def asks(self) -> bool:
        """True if it waits for a move or a yes."""
        if self.answer is not None:
            return False
        return self.says_turn or "invites you to" in self.mail.text


@dataclass(slots=True)
class DemoMailbox:
    """The messages of one person, newest last."""

    person: Correspondent
    program: str
    letters: list[Letter] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Return its name in addresses of the window."""
        return self.person.name.lower()

    @property
    def is_visitors(self) -> bool:
        """True if the visitor writes from here."""
        return isinstance(self.person, Visitor)

    @property
    def unread(self) -> int:
        """Return the number of messages that have not been opened."""
        return sum(letter.is_new for letter in self.letters)

    @property
    def waiting(self) -> Letter | None:
        """Return the message that still waits for a move. Messages can come in any order."""
        told = [letter for letter in self.letters if letter.event is not None]
        for letter in sorted(told, key=lambda one: (one.event or 0, one.number), reverse=True):
            if listed_moves(letter.mail.text):
                return letter if letter.answer is None or letter is not self.letters[-1] else None
            if not letter.says_turn:
                return None
        return None

    def next_after(self, number: int) -> int:
        """Return the message to open for a reader who knows the messages up to `number`.

        This is a message with moves, or the last message.
        """
        waiting = self.waiting
        if waiting is not None and waiting.number > number and waiting.answer is None:
            return waiting.number
        return len(self.letters)


@dataclass(slots=True)
class Mailboxes:
    """All mailboxes, and the state of the game.

    Attributes:
        version: grows whenever something has to be shown again.
        title: the name of the game.
        outcome: the check of the finished game, line by line, or empty while it is running.
        may_look: True if the visitor wants to see the others' messages, too.
        seen: time of the last look, in seconds of the monotonic clock, or None for never.
    """

    boxes: dict[str, DemoMailbox]
    title: str
    version: int = 0
    outcome: tuple[str, ...] = ()
    may_look: bool = False
    seen: float | None = None

    @property
    def visitor(self) -> DemoMailbox | None:
        """Return the visitor's mailbox, if the visitor plays."""
        return next((box for box in self.boxes.values() if box.is_visitors), None)

    def may_be_read(self, box: DemoMailbox) -> bool:
        """Return True if a look into it gives nothing away, or is wanted."""
        return box.is_visitors or self.visitor is None or self.may_look or bool(self.outcome)

    def take(self, who: Correspondent, mail: ReceivedMail, words: str | None) -> None:
        """Put a message into a mailbox, with its reader's immediate answer."""
        box = self.boxes[who.name.lower()]
        drafts = tuple(read_mailto(target) for target in mailto_targets(mail.html))
        box.letters.append(Letter(len(box.letters) + 1, mail, drafts, words))
        self.version += 1

    def finish(self, outcome: Sequence[str]) -> None:
        """Store the result of checking the finished game."""
        self.outcome = tuple(outcome)
        self.version += 1

    async def answer(
        self, box: DemoMailbox, letter: Letter, draft: Draft | None, words: str
    ) -> None:
        """Send the visitor's words, in a message that a link began or as a quoting reply.

        Raises: aiosmtplib.SMTPException, OSError.
        """
        person = box.person
        if draft is None:
            raw = person.client(letter.mail, person.address, words)
        else:
            raw = fresh(draft.to, draft.subject, person.address, words)
        await person.send(raw)
        letter.answer = words
        self.version += 1


def read_mailto(target: str) -> Draft:
    """Read a `mailto:` link."""
    address, _, query = target.removeprefix("mailto:").partition("?")
    fields = {}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        fields[name.lower()] = unquote(value).replace("\r\n", "\n")
    return Draft(unquote(address), fields.get("subject", ""), fields.get("body", ""))


POLICY = (
    "sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox;"
    " default-src 'none';"
    " style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'"
)
"""Content-Security-Policy of messages, which may only be viewed and have links."""


def mailto_targets(html: str) -> list[str]:
    """Return the targets of all links that begin a message, in their order in the message."""
    return [] if not html.strip() else [link.get("href", "") for link in _links(_page(html))]


def framed(html: str, address: Callable[[int], str] | None) -> str:
    """Build the page for the frame.

    Args:
        html: the HTML part of the message.
        address: the target of the mail link with this number, from 0. None disables all links.
            Otherwise those to the seat page of the demo stay.
    """
    page = _page(html)
    links = list(_links(page))
    for link in page.iter("a"):
        if address is not None and _SEAT_PAGE.fullmatch(link.get("href", "")):
            link.attrib.update({"target": "_blank", "rel": "noopener noreferrer"})
        else:
            link.attrib.pop("href", None)
    for number, link in enumerate(links):
        if address is not None:
            link.set("id", f"link-{number}")
            link.set("href", address(number))
            link.set("target", "_top")
    return str(lxml.html.tostring(page, encoding="unicode", doctype="<!DOCTYPE html>"))


def _page(html: str) -> HtmlElement:
    return lxml.html.document_fromstring(html)


def _links(page: HtmlElement) -> Iterator[HtmlElement]:
    return (link for link in page.iter("a") if link.get("href", "").startswith("mailto:"))

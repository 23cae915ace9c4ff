"""The mailboxes in the window: their owners, their messages and the answers.

Links in an HTML message only lead to the window or to the seat page of the demonstration.
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
    """The new message that a `mailto:` link starts (RFC 6068)."""

    to: str
    subject: str
    words: str


@dataclass(slots=True)
class Letter:
    """A message in a mailbox.

    Attributes:
        number: 1, 2, 3 … in its mailbox, in order of arrival.
        drafts: the messages that its links start, in the order of the links.
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
        """Return the time of its Date header in this machine's time zone."""
        return f"{parsedate_to_datetime(self.mail.date).astimezone():%H:%M}"

    @property
    def snippet(self) -> str:
        """Return its first words, as shown in lists of messages."""
        lines = [line.strip() for line in self.mail.text.splitlines() if line.strip()]
        if lines and _MARKER.match(lines[0]):
            lines = lines[1:]
        text = " ".join(lines[:3])
        return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"

    @property
    def event(self) -> int | None:
        """Return the version of the game event that it reports, or None for rules and help."""
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
        """True if the message asks its reader for a move or a yes."""
        if self.answer is not None:
            return False
        return self.says_turn or "invites you to" in self.mail.text


@dataclass(slots=True)
class DemoMailbox:
    """The messages of a person, newest last."""

    person: Correspondent
    program: str
    letters: list[Letter] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Return the name of the mailbox in URLs of the window."""
        return self.person.name.lower()

    @property
    def is_visitors(self) -> bool:
        """True if this is the visitor's mailbox."""
        return isinstance(self.person, Visitor)

    @property
    def unread(self) -> int:
        """Return the number of messages that have not been opened."""
        return sum(letter.is_new for letter in self.letters)

    @property
    def waiting(self) -> Letter | None:
        """Return the newest message that asks for a move, or None if that was answered.

        The latest game event decides, because messages can arrive in any order.
        """
        letters = [letter for letter in self.letters if letter.event is not None]
        for letter in sorted(letters, key=lambda one: (one.event or 0, one.number), reverse=True):
            if listed_moves(letter.mail.text):
                return letter if letter.answer is None or letter is not self.letters[-1] else None
            if not letter.says_turn:
                return None
        return None

    def next_after(self, number: int) -> int:
        """Return the number of the message to open after a reader has seen those up to `number`.

        This is a message with moves, or else the last message.
        """
        waiting = self.waiting
        if waiting is not None and waiting.number > number and waiting.answer is None:
            return waiting.number
        return len(self.letters)


@dataclass(slots=True)
class Mailboxes:
    """All mailboxes, and the state of the game.

    Attributes:
        version: increases whenever the display must be updated.
        title: the name of the game.
        outcome: lines with the verification of the finished game, empty while it is running.
        may_look: True if the visitor has asked to see the others' messages.
        seen: time of the last request, in seconds of the monotonic clock, or None.
    """

    boxes: dict[str, DemoMailbox]
    title: str
    version: int = 0
    outcome: tuple[str, ...] = ()
    may_look: bool = False
    seen: float | None = None

    @property
    def visitor(self) -> DemoMailbox | None:
        """Return the visitor's mailbox, or None if no visitor plays."""
        return next((box for box in self.boxes.values() if box.is_visitors), None)

    def may_be_read(self, box: DemoMailbox) -> bool:
        """True if a mailbox may be shown without revealing hidden cards to the visitor.

        The visitor can turn this protection off.
        """
        return box.is_visitors or self.visitor is None or self.may_look or bool(self.outcome)

    def take(self, who: Correspondent, mail: ReceivedMail, words: str | None) -> None:
        """Add a message to its reader's mailbox, with the reader's immediate answer."""
        box = self.boxes[who.name.lower()]
        drafts = tuple(read_mailto(target) for target in mailto_targets(mail.html))
        box.letters.append(Letter(len(box.letters) + 1, mail, drafts, words))
        self.version += 1

    def finish(self, outcome: Sequence[str]) -> None:
        """Store the result of verifying the finished game."""
        self.outcome = tuple(outcome)
        self.version += 1

    async def answer(
        self, box: DemoMailbox, letter: Letter, draft: Draft | None, words: str
    ) -> None:
        """Send the visitor's text, as the message that a link started or as a quoting reply.

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
    """Parse a `mailto:` link."""
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
"""Content-Security-Policy of messages, which only allows viewing them and following links."""


def mailto_targets(html: str) -> list[str]:
    """Return the targets of all `mailto:` links in an HTML message, in order."""
    return [] if not html.strip() else [link.get("href", "") for link in _links(_page(html))]


def framed(html: str, address: Callable[[int], str] | None) -> str:
    """Build the page for the frame that shows a message.

    Args:
        html: the HTML part of the message.
        address: returns the target of the mail link with this number, from 0. If it is None, all
            links are removed. Otherwise, links to the seat page of the demonstration are kept.
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

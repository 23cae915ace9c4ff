"""The mailboxes that the window shows: whose, what lies in them, what was answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import unquote

from pbem.demo.clients import ReceivedMail, fresh
from pbem.demo.correspondents import OVER, Correspondent, Visitor, listed_moves
from pbem.demo.framed import mailto_targets

_EVENT = re.compile(r"^This is event (\d+) of game", re.MULTILINE)
_MARKER = re.compile(r"^-- .* --$")
_SNIPPET = 110


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail that a `mailto:` link begins (RFC 6068)."""

    to: str
    subject: str
    words: str


@dataclass(slots=True)
class Letter:
    """A mail in a mailbox.

    Attributes:
        number: 1, 2, 3 … in its mailbox, in the order of arrival.
        drafts: what its links begin, in the order in which they stand.
        answer: what was written back; None = nothing yet.
        is_new: nobody has looked at it in the window.
    """

    number: int
    mail: ReceivedMail
    drafts: tuple[Draft, ...]
    answer: str | None = None
    is_new: bool = True

    @property
    def time(self) -> str:
        """When it was written, as a clock on this machine shows it."""
        return f"{parsedate_to_datetime(self.mail.date).astimezone():%H:%M}"

    @property
    def snippet(self) -> str:
        """The first words of it, as lists of mails show them."""
        lines = [line.strip() for line in self.mail.text.splitlines() if line.strip()]
        if lines and _MARKER.match(lines[0]):
            lines = lines[1:]
        text = " ".join(lines[:3])
        return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"

    @property
    def event(self) -> int | None:
        """The event of the game that it tells of; None for rules, help and lists."""
        found = _EVENT.search(self.mail.text)
        return int(found[1]) if found and self.mail.subject.startswith("[") else None

    @property
    def tells_end(self) -> bool:
        """True if it says that the game is over."""
        return OVER.search(self.mail.text) is not None

    @property
    def says_turn(self) -> bool:
        """True if it says that it is its reader's turn."""
        return "Please answer by" in self.mail.text or bool(listed_moves(self.mail.text))

    @property
    def asks(self) -> bool:
        """True if it waits for a move or for a yes."""
        if self.answer is not None:
            return False
        return self.says_turn or "invites you to a game" in self.mail.text


@dataclass(slots=True)
class DemoMailbox:
    """The mails of one person, newest last."""

    person: Correspondent
    program: str
    letters: list[Letter] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Its name in addresses of the window."""
        return self.person.name.lower()

    @property
    def is_visitors(self) -> bool:
        """True if the visitor writes from here."""
        return isinstance(self.person, Visitor)

    @property
    def unread(self) -> int:
        """How many mails nobody has looked at."""
        return sum(letter.is_new for letter in self.letters)

    @property
    def waiting(self) -> Letter | None:
        """The mail that still waits for a move; mails may have come in any order."""
        told = [letter for letter in self.letters if letter.event is not None]
        for letter in sorted(told, key=lambda one: (one.event or 0, one.number), reverse=True):
            if listed_moves(letter.mail.text):
                return letter if letter.answer is None or letter is not self.letters[-1] else None
            if not letter.says_turn:
                return None
        return None

    def next_after(self, number: int) -> int:
        """Return the mail to open for a reader who knows those up to `number`: one with moves, or the last."""
        waiting = self.waiting
        if waiting is not None and waiting.number > number and waiting.answer is None:
            return waiting.number
        return len(self.letters)


@dataclass(slots=True)
class Mailboxes:
    """All mailboxes, and what is known of the game.

    Attributes:
        version: grows whenever something is to be shown anew.
        title: the game, in words.
        outcome: what the check of the finished game gave, one line each; empty = it is running.
        may_look: the visitor wants to see the mails of the others, too.
        seen: when somebody last looked, in seconds of the monotonic clock; None = never.
    """

    boxes: dict[str, DemoMailbox]
    title: str
    version: int = 0
    outcome: tuple[str, ...] = ()
    may_look: bool = False
    seen: float | None = None

    @property
    def visitor(self) -> DemoMailbox | None:
        """The mailbox of the visitor, if they play."""
        return next((box for box in self.boxes.values() if box.is_visitors), None)

    def may_be_read(self, box: DemoMailbox) -> bool:
        """True if a look into it gives nothing away, or is wanted."""
        return box.is_visitors or self.visitor is None or self.may_look or bool(self.outcome)

    def take(self, who: Correspondent, mail: ReceivedMail, words: str | None) -> None:
        """Lay a mail into a mailbox, with what its reader answers at once."""
        box = self.boxes[who.name.lower()]
        drafts = tuple(read_mailto(target) for target in mailto_targets(mail.html))
        box.letters.append(Letter(len(box.letters) + 1, mail, drafts, words))
        self.version += 1

    def finish(self, outcome: Sequence[str]) -> None:
        """Keep what the check of the game gave."""
        self.outcome = tuple(outcome)
        self.version += 1

    async def answer(
        self, box: DemoMailbox, letter: Letter, draft: Draft | None, words: str
    ) -> None:
        """Send the visitor's words: in a mail that a link began, or as a reply that quotes.

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

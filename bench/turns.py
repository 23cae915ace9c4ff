"""The contest of mails that come in: answers taken in, from their bytes to the queued next mails."""

from __future__ import annotations

import email
import sqlite3
from collections import deque
from collections.abc import Iterable

from bench.house import House
from pbem.mail_in.mime.message import Envelope

GAMES = 24
"""Running games that are answered in turn."""
BATCH = 20


class Replies:
    """Answers that wait to be taken in; there are always enough."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._waiting: deque[tuple[bytes, Envelope]] = deque()
        self.batch: list[tuple[bytes, Envelope]] = []

    def read(self, mails: Iterable[tuple[bytes, str]]) -> None:
        """Let readers answer mails that have left."""
        self._waiting.extend(self.house.answers_to(mails))

    def prepare(self) -> None:
        """Lay out one batch of answers, each to another game."""
        while len(self._waiting) < BATCH:
            answers = list(self.house.answers())
            self._waiting.extend(answers)
            if not answers:
                self.house.start_games(GAMES)
        self.batch = [self._waiting.popleft() for _ in range(BATCH)]


class Intake:
    """Takes in a batch of answers.

    Args:
        replies: what is taken in.
        one_by_one: each mail is handled before the next one comes, as on a quiet day; otherwise
            they come faster than they can be handled, as under load. Each is kept in a durable
            transaction of its own, and handled in another one, either way.
    """

    def __init__(self, replies: Replies, *, one_by_one: bool) -> None:
        self._replies = replies
        self._one_by_one = one_by_one
        self.prepare = replies.prepare

    def __call__(self) -> int:
        """Take the batch in; return how many answers it had."""
        house = self._replies.house
        for raw, envelope in self._replies.batch:
            house.receive(raw, envelope)
            if self._one_by_one:
                house.handle()
        house.handle()
        return len(self._replies.batch)


class BareIntake:
    """The floor: the same mails parsed by the standard library, and two commits for each.

    One row for the mail, one for what follows from it; SQLite as the service uses it.
    """

    def __init__(self, replies: Replies, *, is_full: bool = True) -> None:
        self._replies = replies
        file = replies.house.folder / "bare.sqlite3"
        self._connection = sqlite3.connect(file, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute(f"PRAGMA synchronous={'FULL' if is_full else 'NORMAL'}")
        self._connection.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, raw BLOB)")

    def __call__(self) -> int:
        """Parse and keep the batch that was taken in last; return how many mails it had."""
        if not self._replies.batch:
            self._replies.prepare()
        for raw, _ in self._replies.batch:
            self.keep(raw)
            self.keep(self.parse(raw))
        return len(self._replies.batch)

    def parse(self, raw: bytes) -> bytes:
        """Parse a mail and decode its parts; gives the first one."""
        message = email.message_from_bytes(raw)
        parts = [
            part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()
        ]
        return parts[0] if isinstance(parts[0], bytes) else b""

    def keep(self, raw: bytes) -> None:
        """Keep bytes in a durable transaction of their own."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO kept (raw) VALUES (?)", (raw,))
        self._connection.execute("COMMIT")

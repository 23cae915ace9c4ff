"""The peer of the intake benchmark: a conventional program that processes the same answers.

It parses with `email.policy.default`, reads HTML with lxml, and stores its objects with SQLModel. It
has a log of events, a queue, deadlines and tokens. It does not check rules or senders, recognise
quotes, or keep secrets.
"""

from __future__ import annotations

import email
import hashlib
import json
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from itertools import count
from pathlib import Path

from lxml import etree
from sqlalchemy import create_engine, event
from sqlmodel import Field, Session, SQLModel, select

GAMES, EVENTS = 24, 40
"""The numbers of stored games, and of events in each, at the start."""
MOVE = {"type": "play", "seat": 1, "move": "play 7c", "digest": "5e" * 32}


class LogRow(SQLModel, table=True):
    """Row of an event of a game."""

    __tablename__ = "peer_log"
    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(index=True)
    number: int
    payload: str
    before: str
    digest: str
    at: datetime


class MailRow(SQLModel, table=True):
    """Row of an incoming mail."""

    __tablename__ = "peer_inbox"
    id: int | None = Field(default=None, primary_key=True)
    raw: bytes
    is_done: bool = False
    at: datetime


class QueueRow(SQLModel, table=True):
    """Row of a queued outgoing mail."""

    __tablename__ = "peer_queue"
    id: int | None = Field(default=None, primary_key=True)
    game: int
    reader: str
    subject: str
    at: datetime


class DeadlineRow(SQLModel, table=True):
    """Row of the deadline of a game."""

    __tablename__ = "peer_deadline"
    game: int = Field(primary_key=True)
    due: datetime


class TokenRow(SQLModel, table=True):
    """Row of a token that an answer quotes."""

    __tablename__ = "peer_token"
    game: int = Field(primary_key=True)
    uses: int = 0


class ConventionalIntake:
    """Process answers like a conventional program.

    Args:
        folder: folder of its SQLite file, which has the same pragmas as ours (WAL, FULL).
    """

    def __init__(self, folder: Path) -> None:
        self._engine = create_engine(f"sqlite:///{folder / 'conventional.sqlite3'}")
        event.listen(self._engine, "connect", _as_ours)
        rows = (LogRow, MailRow, QueueRow, DeadlineRow, TokenRow)
        SQLModel.metadata.create_all(
            self._engine, tables=[SQLModel.metadata.tables[str(row.__tablename__)] for row in rows]
        )
        now = datetime.now(UTC)
        with Session(self._engine) as session:
            for game in range(GAMES):
                session.add(DeadlineRow(game=game, due=now))
                session.add(TokenRow(game=game))
                session.add_all(_event(game, number, now) for number in range(EVENTS))
            session.commit()
        self._numbers = count()

    def take_in(self, raw: bytes) -> None:
        """Store an answer, parse it, record a move, and queue two messages."""
        number, now = next(self._numbers), datetime.now(UTC)
        game = number % GAMES
        with Session(self._engine) as session:
            row = MailRow(raw=raw, at=now)
            session.add(row)
            session.commit()
            key = row.id
        _read(raw)
        with Session(self._engine) as session:
            wanted = select(LogRow).where(LogRow.game == game, LogRow.number < EVENTS)
            for one in session.exec(wanted.order_by(LogRow.number)):  # type: ignore[arg-type]
                json.loads(one.payload)
            session.add_all(_event(game, EVENTS + 2 * number + k, now) for k in range(2))
            session.add_all(
                QueueRow(game=game, reader=reader, subject="Your turn", at=now)
                for reader in ("anna@example.org", "bob@example.org")
            )
            deadline, token, mail = (
                session.get_one(DeadlineRow, game),
                session.get_one(TokenRow, game),
                session.get_one(MailRow, key),
            )
            deadline.due = now + timedelta(days=1)
            token.uses += 1
            mail.is_done = True
            session.commit()


def _read(raw: bytes) -> None:
    message = email.message_from_bytes(raw, policy=default)
    if not isinstance(message, EmailMessage):  # pragma: no cover  (the policy makes them)
        raise TypeError("no EmailMessage")
    for name in ("from", "to", "subject"):
        message[name]
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    if plain is not None:
        plain.get_content()
    if page is not None:
        etree.fromstring(page.get_content().encode(), etree.HTMLParser(encoding="utf-8"))


def _event(game: int, number: int, at: datetime) -> LogRow:
    payload = json.dumps(MOVE)
    digest = hashlib.sha256(payload.encode()).hexdigest()
    return LogRow(game=game, number=number, payload=payload, before="", digest=digest, at=at)


def _as_ours(connection: object, _record: object) -> None:
    for setting in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {setting}").close()  # type: ignore[attr-defined]

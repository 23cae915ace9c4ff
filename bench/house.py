"""A real service with a separate database, and players with prepared answers."""

from __future__ import annotations

import asyncio
import email
import hashlib
import logging
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog
from sqlalchemy import event

from engine.api import OptionValue
from pbem.bootstrap import build_service
from pbem.config import load_config
from pbem.demo.clients import CLIENTS, open_mail
from pbem.demo.correspondents import choose_move, listed_moves
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide
from pbem.mail_in.mime.message import Envelope
from pbem.mail_out.deliver import Delivery
from pbem.service.change import changing
from pbem.service.core.context import Service
from pbem.service.delivery.send_due import send_due
from pbem.service.intake.accepting import receive
from pbem.service.intake.handle_mail import handle_all
from pbem.service.lobby import creation as lobby
from pbem.store.db import migrating
from pbem.store.seal import keyring

CONFIG = """\
[database]
url = "{url}"
keys_file = "pbem.keys"
[service]
address = "game@play.example.org"
[smtp]
maildir = "out"
[limits]
mails_per_hour = 100000
"""
SEATS = 4
KEY = "6b" * 32
_LETTERS = str.maketrans("0123456789", "abcdefghij")
"""Maps digits to letters in names, because three digits would be read as a telephone number."""


class Kept:
    """A transport that appends messages to a list instead of sending them."""

    def __init__(self) -> None:
        self.mails: list[tuple[bytes, str]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        """Append a message to the list."""
        self.mails.append((raw, rcpt_to))


class House:
    """A service built like `pbem serve`, with an encrypted database and a separate reader process.

    Args:
        url: URL of an empty database, or None for a SQLite file in a new temporary folder.
        is_full: True if SQLite waits for the disk at every commit, as in production.
    """

    def __init__(self, url: str | None = None, *, is_full: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pbem-bench-")
        self.folder = Path(self._folder.name)
        file = self.folder / "pbem.toml"
        file.write_text(CONFIG.format(url=url or "sqlite:///bench.sqlite3"), encoding="utf-8")
        key = keyring.Key.made(date(2026, 11, 21))
        keyring.write(self.folder / "pbem.keys", keyring.KeyRing((key,)))
        self.service: Service = build_service(load_config(file, {"PBEM_SERVICE__KEY": KEY}))
        if not is_full:
            event.listen(self.service.store.db_engine, "connect", _no_waiting)
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
        migrating.upgrade(self.service.store)
        self._made = 0

    def start_games(self, count: int, *, deals: int = 1, seats: int = SEATS) -> list[GameId]:
        """Start `count` games of Phyliss with `seats` players each."""
        return [self.start_game("phyliss", {"deals": deals}, seats) for _ in range(count)]

    def start_game(
        self, ruleset: str, options: Mapping[str, OptionValue], seats: int = SEATS
    ) -> GameId:
        """Start a game with `seats` players and return its id."""
        self._made += 1
        table = str(self._made).translate(_LETTERS)
        names = [f"p{table}x{seat}" for seat in range(seats)]
        people = [lobby.Person(name, f"{name}@example.org") for name in names]
        game = lobby.create_game(self.service, people, lobby.GamePlan(ruleset, options=options))
        with (
            self.service.store.unit_of_work() as uow,
            changing(self.service, uow, game.id, actor="system", cause=None) as change,
        ):
            for seat in range(seats):
                decide.join(change.decision, seat, None)
            decide.settle(change.decision)
        return game.id

    def send(self, way_out: Delivery) -> int:
        """Render and send due messages. Return their number."""
        return asyncio.run(send_due(self.service, way_out))

    def answers(self) -> Iterator[tuple[bytes, Envelope]]:
        """Send due messages, and yield the answers of recipients whose turn it is."""
        kept = Kept()
        self.send(kept)
        return self.answers_to(kept.mails)

    def answers_to(self, mails: Iterable[tuple[bytes, str]]) -> Iterator[tuple[bytes, Envelope]]:
        """Yield the answers of recipients whose turn it is to these messages."""
        for number, (raw, reader) in enumerate(mails):
            message = email.message_from_bytes(raw, policy=default)
            if not isinstance(message, EmailMessage):
                continue
            mail = open_mail(message)
            moves = listed_moves(mail.text)
            if not moves:
                continue
            _, words = choose_move(moves, hashlib.sha256(raw).digest())
            client = list(CLIENTS.values())[number % len(CLIENTS)]
            envelope = Envelope(reader, mail.reply_to, "lmtp", self.service.now())
            yield client(mail, reader, words), envelope

    def receive(self, raw: bytes, envelope: Envelope) -> None:
        """Store an incoming mail durably."""
        receive(self.service, raw, envelope)

    def handle(self) -> None:
        """Handle stored messages, including queueing the messages that follow."""
        handle_all(self.service)


def _no_waiting(connection: Any, _record: object) -> None:  # noqa: ANN401  (the driver's)
    connection.execute("PRAGMA synchronous=NORMAL").close()

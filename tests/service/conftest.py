"""A service on a real database file, with a clock that is moved by hand and mails kept in a list."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from engine.api import Seat
from pbem import resources
from pbem.domain.decide import Timing
from pbem.domain.game import Game
from pbem.domain.tokens import TokenBook
from pbem.mail_in.message import Envelope
from pbem.mail_out.render import Renderer
from pbem.service import games, intake, lobby
from pbem.service.context import Service, Settings
from pbem.service.fire_due import fire_due
from pbem.service.handle_mail import handle_all
from pbem.service.send_due import send_due
from pbem.store import schema
from pbem.store.uow import Store

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = ("Anna", "Bob", "Carol", "Dora", "Emil")


@dataclass
class HandClock:
    """Moves only when told."""

    instant: datetime = START

    def now(self) -> datetime:
        return self.instant

    def forward(self, **amount: float) -> None:
        self.instant += timedelta(**amount)


@dataclass
class Sent:
    """A mail as it left."""

    rcpt_to: str
    mail_from: str
    raw: bytes
    message: EmailMessage = field(repr=False)

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None
        return part.get_content()

    @property
    def reply_to(self) -> str:
        return email.utils.parseaddr(self.message["Reply-To"])[1]


@dataclass
class Recording:
    """A delivery that keeps what it is given; `error` is raised instead, if set."""

    mails: list[Sent] = field(default_factory=list)
    error: Exception | None = None

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
        if self.error is not None:
            raise self.error
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.mails.append(Sent(rcpt_to, mail_from, raw, message))


@dataclass
class Table:
    """Everything a test of the whole way of a mail needs."""

    service: Service
    clock: HandClock
    delivery: Recording
    counter: int = 0

    def new_game(self, players: int = 3, seed: int = 1, **options: object) -> Game:
        people = [lobby.Person(n, f"{n.lower()}@example.org") for n in NAMES[:players]]
        game = lobby.create_game(
            self.service,
            ruleset="phyliss",
            people=people,
            options=options,  # type: ignore[arg-type]
            server_secret=bytes([seed]) * 32,
        )
        self.run()
        return game

    def started(self, players: int = 3, seed: int = 1, **options: object) -> Game:
        """A game in which everybody has joined."""
        game = self.new_game(players, seed, **options)
        for seat in range(players):
            self.answer(seat, "join")
        return self.game(game.id)

    def run(self) -> None:
        handle_all(self.service)
        fire_due(self.service)
        asyncio.run(send_due(self.service, self.delivery))

    def game(self, game_id: str) -> Game:
        with self.service.store.reading() as uow:
            return games.load(uow, game_id)  # type: ignore[arg-type]

    def last_to(self, seat: int) -> Sent:
        address = f"{NAMES[seat].lower()}@example.org"
        return next(mail for mail in reversed(self.delivery.mails) if mail.rcpt_to == address)

    def mails_to(self, seat: int) -> list[Sent]:
        address = f"{NAMES[seat].lower()}@example.org"
        return [mail for mail in self.delivery.mails if mail.rcpt_to == address]

    def answer(
        self,
        seat: int,
        text: str,
        *,
        to: str | None = None,
        sender: str | None = None,
        message_id: str | None = None,
        run: bool = True,
    ) -> bytes:
        """Answer the newest mail of a seat (or write to `to`); gives the raw mail."""
        self.counter += 1
        answered = None if to is not None else self.last_to(seat)
        raw = raw_mail(
            sender or f"{NAMES[seat].lower()}@example.org",
            to or (answered.reply_to if answered else ""),
            text,
            message_id=message_id or f"<m{self.counter}@example.org>",
        )
        self.receive(raw, to or (answered.reply_to if answered else ""))
        if run:
            self.run()
        return raw

    def receive(self, raw: bytes, rcpt_to: str) -> intake.Received:
        envelope = Envelope("somebody@example.org", rcpt_to, "smtp", self.clock.now())
        return intake.receive(self.service, raw, envelope)

    def standby(self, game: Game) -> tuple[int, str]:
        """The seat to act and a legal order for it."""
        seat = game.to_act[0]
        move = game.ruleset.standby_move(game.state, Seat(seat))
        return int(seat), game.ruleset.format_move(game.state, Seat(seat), move)


def raw_mail(sender: str, to: str, text: str, *, message_id: str, **headers: str) -> bytes:
    """A plain mail of a person."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Subject"] = "Re: game"
    message["Message-ID"] = message_id
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes(policy=email.policy.SMTP)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    store = Store(f"sqlite:///{tmp_path / 'pbem.sqlite3'}")
    schema.upgrade(store)
    yield make_table(store)
    store.close()


def make_table(store: Store) -> Table:
    clock = HandClock()
    service = Service(
        store=store,
        clock=clock,
        tokens=TokenBook((b"k" * 32,), "game", "play.example.org"),
        renderer=Renderer([resources.templates_dir() / "email"]),
        settings=Settings(
            name="Cards by mail",
            zone="Europe/Berlin",
            admins=frozenset({"root@example.org"}),
            timing=Timing(3 * 86400),
            max_mail_bytes=262_144,
        ),
    )
    return Table(service, clock, Recording())

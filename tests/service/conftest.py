"""Fixtures with a service on a real database, a simulated clock and a list of sent messages."""

from __future__ import annotations

import asyncio
import atexit
import email
import email.policy
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

import pytest

from engine.api import Seat
from pbem import resources
from pbem.bots import DirectThinker
from pbem.config import Config
from pbem.domain.log.events import Recorded
from pbem.domain.play import decide
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game, OpenDeadline
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import PlayerToken, TokenCodec
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.mail_out.render import Renderer
from pbem.sections import LimitsSection, ServiceSection, Smtp
from pbem.service.change import Change
from pbem.service.clock.fire_due import fire_due
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.delivery.send_due import send_due
from pbem.service.intake import accepting as intake
from pbem.service.intake.handle_mail import handle_all
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import Verification, verify_game
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.log import codec
from pbem.store.people.players import Player
from pbem.store.rows.core import InboxMail, OutboxMail
from tests.databases import sqlite_store

_RENDERER = Renderer([resources.templates_dir() / "email"])


class _AtOnce(ThreadPoolExecutor):
    """An executor that runs each job immediately in the calling thread."""

    def submit(self, step: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(step(*given, **named))
        except BaseException as error:  # noqa: BLE001  (raised where the step is waited for)
            done.set_exception(error)
        return done


_LOOP = asyncio.Runner(loop_factory=asyncio.new_event_loop)
"""Event loop of the tests' thread. It is kept between messages and needs no other threads."""
_LOOP.get_loop().set_default_executor(_AtOnce())
atexit.register(_LOOP.close)
START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAMES = ("Anna", "Bob", "Carol", "Dora", "Emil")


T = TypeVar("T")
_REPLY_TO = re.compile(rb"^Reply-To: ([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", re.MULTILINE)
_TYPED = str.maketrans("“”„’", '"""\'')


@dataclass
class HandClock:
    """A clock that moves only when a test moves it."""

    instant: datetime = START

    def now(self) -> datetime:
        return self.instant

    def forward(self, **amount: float) -> None:
        self.instant += timedelta(**amount)


@dataclass
class Sent:
    """A message that the service sent."""

    rcpt_to: str
    mail_from: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, policy=email.policy.default)  # type: ignore[return-value]

    @cached_property
    def text(self) -> str:
        """Return the plain body without parsing the headers, which are rarely needed."""
        parts = email.message_from_bytes(self.raw).walk()
        part = next(part for part in parts if part.get_content_type() == "text/plain")
        data = part.get_payload(decode=True)
        return data.decode(part.get_content_charset("ascii"), "replace")

    @cached_property
    def words(self) -> str:
        """Return the text on one line, with typewriter quotes and apostrophes."""
        return " ".join(self.text.split()).translate(_TYPED)

    @cached_property
    def html(self) -> str:
        """Return the HTML body."""
        content: str = self.message.get_body(("html",)).get_content()
        return content

    @cached_property
    def quote(self) -> str:
        """Return an attribution and the quoted text, as mail programs write them."""
        lines = "\n".join(f"> {line}" for line in self.text.splitlines())
        return f"On Sat, Nov 28, 2026 at 7:00 AM Cards <game@play.example.org> wrote:\n\n{lines}"

    @cached_property
    def reply_to(self) -> str:
        match = _REPLY_TO.search(self.raw.partition(b"\r\n\r\n")[0])
        return email.utils.parseaddr(match[1].decode())[1] if match else ""


@dataclass
class Recording:
    """A delivery that records messages, or raises `error` if it is set."""

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
        self.mails.append(Sent(rcpt_to, mail_from, raw))


@dataclass(frozen=True)
class Template:
    """A table after some steps, to be copied by other tests.

    Attributes:
        counter: number of mails written by players.
        result: return value of the function that took the steps.
    """

    database: bytes
    mails: tuple[Sent, ...]
    counter: int
    instant: datetime
    result: Any


_TEMPLATES: dict[object, Template] = {}
"""Templates by name. They halve the time of most tests, which begin by starting a game."""


@dataclass
class Table:
    """A service with its database, its clock and the messages that it sent.

    Attributes:
        original: the service as created by its fixture, or None if the table may not be copied.
    """

    service: Service
    clock: HandClock
    delivery: Recording
    counter: int = 0
    original: Service | None = None

    @property
    def file(self) -> Path:
        """Return the path of the service's SQLite database."""
        return Path(str(self.service.store.db_engine.url.database)).resolve()

    def new_game(self, players: int = 3, seed: int = 1, **options: Any) -> Game:
        """Create a game and invite its players. No player has joined yet."""
        what = ("new", players, seed, repr(sorted(options.items())))
        return self.game(self.begun(what, lambda: self._new_game(players, seed, **options).id))

    def started(self, players: int = 3, seed: int = 1, **options: Any) -> Game:
        """Create a game, let all its players join, and return it."""
        what = ("started", players, seed, repr(sorted(options.items())))
        return self.game(self.begun(what, lambda: self._started(players, seed, **options).id))

    def start(self, players: int = 2, seed: int = 1, **options: Any) -> tuple[Game, int, str]:
        """Start a game. Return it, the seat to act, and the order of its standby move."""
        game = self.started(players, seed, **options)
        return game, *self.standby(game)

    def begun(self, name: object, begin: Callable[[], T]) -> T:
        """Call `begin`, or copy the template with this name. Return the result of `begin`.

        Tables that their test has already changed neither become templates nor copies.
        """
        if not self._is_new():
            return begin()
        self.original = None
        key, file = (name, self.service.tokens), self.file
        if key not in _TEMPLATES:
            result = begin()
            self.service.store.db_engine.dispose()  # SQLite moves its write-ahead log into the file
            _TEMPLATES[key] = Template(
                file.read_bytes(), (*self.delivery.mails,), self.counter, self.clock.instant, result
            )
            return result
        template = _TEMPLATES[key]
        file.write_bytes(template.database)
        self.delivery.mails += template.mails
        self.counter, self.clock.instant = template.counter, template.instant
        return template.result  # type: ignore[no-any-return]

    def _is_new(self) -> bool:
        """True if the test has neither changed this table nor opened its database yet."""
        return (
            self.service is self.original
            and self.clock.instant == START
            and self.delivery == Recording()
            and self.service.store.db_engine.pool.checkedin() == 0  # type: ignore[attr-defined]
        )

    def _new_game(
        self,
        players: int,
        seed: int,
        *,
        timing: Timing | None = None,
        ruleset: str = "phyliss",
        **options: object,
    ) -> Game:
        people = [lobby.Person(n, f"{n.lower()}@example.org") for n in NAMES[:players]]
        game = lobby.create_game(
            self.service,
            people,
            lobby.GamePlan(
                ruleset, options=options, timing=timing, server_secret=bytes([seed]) * 32
            ),
        )
        self.run()
        return game

    def _started(self, players: int, seed: int, **options: Any) -> Game:
        game = self._new_game(players, seed, **options)
        for seat in range(players):
            self.answer(seat, "join")
        return self.game(game.id)

    def run(self) -> None:
        handle_all(self.service)
        fire_due(self.service)
        is_alone = threading.current_thread() is threading.main_thread()
        (_LOOP.run if is_alone else asyncio.run)(send_due(self.service, self.delivery))

    def wait(self, **time: float) -> None:
        """Let time pass, and let the service do what is due by then."""
        self.clock.forward(**time)
        self.run()

    def run_at(self, instant: datetime) -> None:
        """Set the clock, and let the service do what is due by then."""
        self.clock.instant = instant
        self.run()

    def game(self, game_id: str) -> Game:
        return self.read(lambda uow: games.load(uow, game_id))  # type: ignore[arg-type]

    def deadline(self, game: Game) -> OpenDeadline:
        """Return the open deadline of a game, which must have one."""
        deadline = self.game(game.id).deadline
        assert deadline is not None
        return deadline

    def miss_deadline(self, game: Game, *, run: bool = True) -> int:
        """Let the open deadline pass, and return the seat that was to act.

        Args:
            run: also let bots move, and send the messages that follow.
        """
        seat = int(self.game(game.id).to_act[0])
        self.clock.instant = self.deadline(game).fires_at + timedelta(seconds=1)
        fire_due(self.service)
        if run:
            self.run()
        return seat

    def sent_to(self, address: str) -> list[Sent]:
        """Return the messages to an address, oldest first."""
        return [mail for mail in self.delivery.mails if mail.rcpt_to == address]

    def mails_to(self, seat: int) -> list[Sent]:
        return self.sent_to(f"{NAMES[seat].lower()}@example.org")

    def last_to(self, seat: int) -> Sent:
        return self.mails_to(seat)[-1]

    def alerts(self) -> list[str]:
        """Return the texts of all alerts to admins, whether they have left or not."""
        return [str(row.params["message"]) for row in self.outbox() if row.kind == "alert"]

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
        """Answer the newest message to a seat, or write to the address `to`.

        Args:
            run: handle the message, and send the messages that follow.

        Returns:
            The raw message.
        """
        self.counter += 1
        answered = None if to is not None else self.last_to(seat)
        sender = sender or f"{NAMES[seat].lower()}@example.org"
        raw = raw_mail(
            sender,
            to or (answered.reply_to if answered else ""),
            text,
            message_id=message_id or f"<m{self.counter}@example.org>",
        )
        self.receive(raw, to or (answered.reply_to if answered else ""), mail_from=sender)
        if run:
            self.run()
        return raw

    def ask(self, seat: int, text: str, **named: Any) -> Sent:
        """Answer the newest message to a seat as `answer` does, and return the one that follows."""
        self.answer(seat, text, **named)
        return self.last_to(seat)

    def move(self, game: Game) -> int:
        """Let the seat to act answer its newest message with the standby move. Return the seat."""
        seat, order = self.standby(self.game(game.id))
        self.answer(seat, order)
        return seat

    def question(self, seat: int) -> Sent:
        """Return the newest message that asks a seat to confirm an order."""
        return [mail for mail in self.mails_to(seat) if "+q-" in mail.reply_to][-1]

    def answer_twice(self, seat: int, text: str, *, to: str | None = None) -> None:
        """Send an order that must be confirmed, and answer the question about it with `yes`."""
        self.answer(seat, text, to=to)
        self.answer(seat, "yes", to=self.question(seat).reply_to)

    def receive(
        self, raw: bytes, rcpt_to: str, *, mail_from: str = "somebody@example.org"
    ) -> intake.Acceptance:
        envelope = Envelope(mail_from, rcpt_to, "smtp", self.clock.now())
        return intake.receive(self.service, raw, envelope)

    def deliver(
        self, raw: bytes, to: str, *, mail_from: str = "somebody@example.org"
    ) -> list[Sent]:
        """Receive and handle a mail, and return the messages that were sent because of it."""
        before = len(self.delivery.mails)
        self.receive(raw, to, mail_from=mail_from)
        self.run()
        return self.delivery.mails[before:]

    def send(
        self, sender: str, to: str, text: str, *, mail_from: str | None = None, **headers: str
    ) -> list[Sent]:
        """Write a mail, and return the messages that were sent because of it.

        Args:
            mail_from: envelope sender. None uses `sender`.
        """
        self.counter += 1
        message_id = f"<s{self.counter}@example.org>"
        raw = raw_mail(sender, to, text, message_id=message_id, **headers)
        return self.deliver(raw, to, mail_from=sender if mail_from is None else mail_from)

    def skip(self, game: Game, plies: int, *, until: Callable[[Game], bool] | None = None) -> Game:
        """Let the seats make standby moves in one transaction, and send the resulting messages.

        Stops early if `until` returns True for the game, or if the game ends.
        """
        with self.changing(game) as decision:
            for _ in range(plies):
                game = decision.existing()
                if game.is_over or (until is not None and until(game)):
                    break
                decide.play(decision, *self.standby(game), source="mail")
                decide.settle(decision)
        self.run()
        return self.game(game.id)

    @contextmanager
    def changing(self, game: Game, actor: str = "system") -> Iterator[Decision]:
        """Record the decisions of a test about a game, and queue the messages that follow."""
        before = self.game(game.id)
        decision = decide.decision_on(before, actor=actor, cause=None, now=self.clock.now())
        yield decision
        with self.service.store.unit_of_work() as uow:
            Change(self.service, uow, before, decision).finish()

    def read(self, query: Callable[[UnitOfWork], T]) -> T:
        """Return the result of a query of the database."""
        with self.service.store.reading() as uow:
            return query(uow)

    def write(self, change: Callable[[UnitOfWork], T]) -> T:
        """Change the database directly, and return the result of the change."""
        with self.service.store.unit_of_work() as uow:
            return change(uow)

    def log(self, game: Game) -> list[Recorded]:
        """Return every event of a game, including secrets."""
        return [codec.decode(event) for event in self.read(lambda uow: uow.events.read(game.id))]

    def events(self, game: Game, kind: type[T], **fields: object) -> list[T]:
        """Return the events of a class in a game's log whose fields have these values."""
        return [
            item.event
            for item in self.log(game)
            if isinstance(item.event, kind)
            and all(getattr(item.event, name) == value for name, value in fields.items())
        ]

    def export(self, game_id: str) -> bytes:
        """Return the export of a game."""
        with self.service.store.reading() as uow:
            return b"".join(line + b"\n" for line in export_lines(uow, game_id))  # type: ignore[arg-type]

    def verify(self, game: Game, heads: Sequence[str] = ()) -> Verification:
        """Verify the log of a game."""
        return self.read(lambda uow: verify_game(uow, game.id, heads=heads))

    def check(self) -> list[str]:
        """Return the problems that `pbem db check` finds."""
        return maintenance.check(self.service, lambda _: None)

    def player(self, address: str) -> Player | None:
        """Return the player who has an address."""
        return self.read(lambda uow: uow.players.by_address(address))

    def own_address(self, seat: int) -> str:
        """Return the reply address of a player that belongs to no game."""
        player = self.player(f"{NAMES[seat].lower()}@example.org")
        assert player is not None
        return self.service.tokens.address(PlayerToken(player.id, player.rotation))

    def inbox(self) -> list[InboxMail]:
        """Return all received messages, oldest first."""
        return self.read(lambda uow: uow.inbox.list(limit=10_000))[::-1]

    def outbox(self) -> list[OutboxMail]:
        """Return all queued messages, oldest first, whatever their status."""
        return self.read(lambda uow: uow.outbox.list(limit=10_000))[::-1]

    def standby(self, game: Game) -> tuple[int, str]:
        """Return the seat to act and the order of its standby move."""
        seat = game.to_act[0]
        move = game.ruleset.standby_move(game.state, Seat(seat))
        return int(seat), game.ruleset.format_move(game.state, Seat(seat), move)


_ADDRESS = re.compile(r"[a-z0-9.+=-]{1,50}@[a-z0-9.-]{1,20}", re.ASCII)
_WORDS = re.compile(r"([!-~]([ -~]{0,70}[!-~])?)(\n[!-~]([ -~]{0,70}[!-~])?)*", re.ASCII)
_FREE = re.compile(
    r"(?=.{1,76}\Z)(Authentication-Results|X-[A-Za-z-]+): [!-~]+( [!-~]+)*", re.ASCII
)
"""Matches a header field without special syntax, on one line."""
_HEAD = """From: {}
To: {}
Subject: Re: game
Message-ID: {}
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 7bit
MIME-Version: 1.0"""


def raw_mail(sender: str, to: str, text: str, *, message_id: str, **headers: str) -> bytes:
    """Return the bytes of a plain-text mail. `headers` use underscores instead of hyphens."""
    is_simple = _ADDRESS.fullmatch(sender) and _ADDRESS.fullmatch(to) and _WORDS.fullmatch(text)
    more = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if is_simple and len(message_id) < 60 and all(map(_FREE.fullmatch, more)):  # as below, at once
        head = _HEAD.format(sender, to, "\n".join([message_id, *more]))
        return f"{head}\n\n{text}\n".replace("\n", "\r\n").encode()
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Subject"] = "Re: game"
    message["Message-ID"] = message_id
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes(policy=email.policy.SMTP)


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    with sqlite_store(tmp_path) as store:
        yield copied(make_table(store), request)


@pytest.fixture
def game(table: Table) -> Game:
    """Return a running game of Anna and Bob."""
    return table.started(2)


@pytest.fixture
def trio(table: Table) -> Game:
    """Return a running game of Anna, Bob and Carol."""
    return table.started(3)


def copied(table: Table, request: pytest.FixtureRequest) -> Table:
    """Allow copies of a table, unless its test can replace parts of the program."""
    if "monkeypatch" not in request.fixturenames:
        table.original = table.service
    return table


@pytest.fixture(params=["sqlite", "postgresql"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """Run the test on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        with sqlite_store(tmp_path) as store:
            yield copied(make_table(store), request)
    else:
        with request.getfixturevalue("server").store() as store:
            yield make_table(store)


def failing(error: BaseException) -> Callable[..., NoReturn]:
    """Return a function that raises an error, whatever its arguments are."""

    def fail(*_args: object, **_named: object) -> NoReturn:
        raise error

    return fail


def configured(service: Service, **values: object) -> Service:
    """Return a copy of the service with other configuration sections, keys, or attributes."""
    for name, value in values.items():
        config = service.config
        if name in ("timing", "trusted", "heartbeats", "thinker"):
            service = replace(service, **{name: value})  # type: ignore[arg-type]
            continue
        if name not in Config.model_fields:
            sections = ("service", "limits", "serve", "smtp")
            section = next(part for part in sections if hasattr(getattr(config, part), name))
            value = getattr(config, section).model_copy(update={name: value})  # noqa: PLW2901
            name = section  # noqa: PLW2901
        service = replace(service, config=config.model_copy(update={name: value}))
    return service


def make_table(store: Store) -> Table:
    clock = HandClock()
    service = Service(
        store=store,
        clock=clock,
        tokens=TokenCodec((b"k" * 32,), "game", "play.example.org"),
        renderer=_RENDERER,
        reader=DirectReader(),
        config=Config(
            service=ServiceSection(
                address="game@play.example.org",
                time_zone="Europe/Berlin",
                admins=("root@example.org",),
            ),
            smtp=Smtp(host="mail.example.org", connections=1),
            limits=LimitsSection(max_mail_bytes=262_144),
        ),
        timing=Timing(3 * 86400),
        thinker=DirectThinker(),
    )
    return Table(service, clock, Recording())

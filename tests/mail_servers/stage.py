"""Run `pbem serve` between real mail servers, with players who only use their mailboxes."""

from __future__ import annotations

import email
import email.policy
import email.utils
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from pbem.bootstrap import build_service
from pbem.config import load_config
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.store.rows.core import InboxMail, OutboxMail
from tests.databases import sqlite_file
from tests.mail_servers.dovecot import Dovecot
from tests.mail_servers.places import until
from tests.mail_servers.postfix import DOMAIN, PEOPLE, Postfix
from tests.service.conftest import NAMES

ROOT = Path(__file__).parents[2]
_LISTED = re.compile(r"^  (\d{2,4})  \S", re.MULTILINE)


def text_of(mail: EmailMessage) -> str:
    """Return the text part of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    content: str = part.get_content()
    return content


def reply_to(mail: EmailMessage) -> str:
    """Return the address to which an answer is sent."""
    return email.utils.parseaddr(mail["Reply-To"] or mail["From"])[1]


@dataclass
class Player:
    """A player with a mailbox.

    Attributes:
        user: name of the mailbox.
        answered: Message-IDs of the answered messages.
    """

    user: str
    dovecot: Dovecot
    postfix: Postfix
    answered: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"{self.user}@{PEOPLE}"

    def mails(self) -> list[EmailMessage]:
        """Return all messages in the mailbox, oldest first."""
        found = []
        for raw in self.dovecot.mails(self.user):
            mail = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(mail, EmailMessage)
            found.append(mail)
        return found

    def next_mail(self, *, with_moves: bool = False) -> EmailMessage | None:
        """Return the newest unanswered message, or None. With `with_moves`, it must list moves."""
        for mail in reversed(self.mails()):
            if with_moves and _LISTED.search(text_of(mail)) is None:
                continue
            return None if mail["Message-ID"] in self.answered else mail
        return None

    def write(self, mail: EmailMessage, words: str) -> None:
        """Answer a message with words above the quoted message."""
        self.answered.add(mail["Message-ID"])
        answer = EmailMessage()
        answer["From"] = self.address
        answer["To"] = reply_to(mail)
        answer["Subject"] = f"Re: {mail['Subject']}"
        answer["Message-ID"] = email.utils.make_msgid(domain=PEOPLE)
        answer["In-Reply-To"] = mail["Message-ID"]
        quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
        answer.set_content(f"{words}\n\nOn Saturday, Cards by mail wrote:\n{quoted}\n")
        raw = answer.as_bytes(policy=email.policy.SMTP)
        self.postfix.send(raw, self.address, reply_to(mail))


def first_move(mail: EmailMessage) -> str:
    """Return the number of the first move in a turn message."""
    found = _LISTED.search(text_of(mail))
    assert found is not None
    return found.group(1)


@dataclass
class Stage:
    """A service with a separate configuration, with the address `local@play.example`."""

    folder: Path
    local: str
    dovecot: Dovecot
    postfix: Postfix
    way: str
    addressing: str = "plus"
    login: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "pbem.key").write_text("6b" * 32)
        self.config.write_text(
            f'[service]\naddress = "{self.local}@{DOMAIN}"\nkey_file = "pbem.key"\n'
            f'addressing = "{self.addressing}"\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {self.postfix.smtp}\nsecurity = "none"\n'
            f"{self.login}[serve]\ntick_seconds = 1\nlease_seconds = 3\n{self.way}"
        )
        sqlite_file(self.folder)
        self.service: Service = build_service(load_config(self.config, {}))

    @property
    def config(self) -> Path:
        return self.folder / "pbem.toml"

    @contextmanager
    def served(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run `pbem serve`, and kill it at the end if it is still running."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PBEM_")}
        with (self.folder / "serve.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "pbem", "serve", "--config", str(self.config), "--json"],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
                env=environment,
            )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, self.log()[-3000:]
            assert json.loads(line)["ready"]
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.communicate()

    def player(self) -> Player:
        """Create a new player."""
        return Player(self.dovecot.new_user(), self.dovecot, self.postfix)

    def new_game(self, addresses: Sequence[str], **options: int) -> GameId:
        """Create a game, whose invitations the running service sends."""
        people = [
            lobby.Person(name, address) for name, address in zip(NAMES, addresses, strict=False)
        ]
        plan = lobby.GamePlan("phyliss", options=options, server_secret=bytes(32))
        return lobby.create_game(self.service, people, plan).id

    def game(self, game_id: GameId) -> Game:
        with self.service.store.reading() as uow:
            return games.load(uow, game_id)

    def inbox(self) -> list[InboxMail]:
        """Return all received messages, oldest first."""
        with self.service.store.reading() as uow:
            return uow.inbox.list(limit=1000)[::-1]

    def raw(self, entry: InboxMail) -> bytes:
        """Return the bytes of a received message."""
        with self.service.store.reading() as uow:
            mail = uow.inbox.get(entry.id)
        assert mail is not None
        return mail.raw

    def outbox(self) -> list[OutboxMail]:
        """Return all queued messages, oldest first."""
        with self.service.store.reading() as uow:
            return uow.outbox.list(limit=1000)[::-1]

    def tell(self) -> None:
        """Print the state, which pytest shows if the test failed."""
        for row in (*self.inbox(), *self.outbox()):
            sys.stderr.write(f"{row}\n")
        sys.stderr.write(self.log()[-5000:])

    def log(self) -> str:
        """Return the log output of the service."""
        return (self.folder / "serve.log").read_text()


def mail_for(player: Player, *, with_moves: bool = False) -> EmailMessage:
    """Wait for an unanswered message to a player. With `with_moves`, it must list moves."""
    found: list[EmailMessage] = []

    def came() -> bool:
        mail = player.next_mail(with_moves=with_moves)
        found.extend([] if mail is None else [mail])
        return mail is not None

    until(came, 60)
    return found[0]


def whose_turn(players: Sequence[Player]) -> tuple[Player, EmailMessage]:
    """Wait until a player has an unanswered message with moves. Return both."""
    found: list[tuple[Player, EmailMessage]] = []

    def came() -> bool:
        for player in players:
            mail = player.next_mail(with_moves=True)
            if mail is not None:
                found.append((player, mail))
        return bool(found)

    until(came, 60)
    return found[0]

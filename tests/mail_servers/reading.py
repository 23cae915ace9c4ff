"""Run the service's IMAP reader on a mailbox in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.domain.terms.tokens import PlayerToken
from pbem.mail_in.transports.imap import ImapMailbox
from pbem.mail_in.transports.transport import InboundTransport, Intake
from pbem.sections import Imap
from pbem.service.intake import accepting as intake
from tests.mail_servers.dovecot import PASSWORD, Dovecot
from tests.service.conftest import Table, raw_mail

LIMIT = 20_000
SENDER = "anna@people.example"


@dataclass
class Reading:
    """A separate mailbox on a server, and the service that reads it.

    Attributes:
        looks: number of times that all waiting messages were received.
    """

    server: Dovecot
    table: Table
    user: str
    looks: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    readers: list[ImapMailbox] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give the service the address of the mailbox."""
        service = self.table.service
        tokens = replace(service.tokens, local=self.user)
        self.table.service = replace(service, tokens=tokens)

    def close(self) -> None:
        for reader in self.readers:
            reader.close()

    @property
    def address(self) -> str:
        """Return a reply address of the service."""
        return self.table.service.tokens.address(PlayerToken(self.user))

    def intake(self) -> Intake:
        service = self.table.service

        def looked() -> None:
            self.looks += 1

        return Intake(
            accept=lambda raw, envelope: void(intake.receive(service, raw, envelope)),
            set_aside=lambda *what: void(intake.set_aside(service, *what)),
            is_ours=service.tokens.is_ours,
            now=service.now,
            looked=looked,
            max_bytes=LIMIT,
        )

    def reader(self, **hooks: Any) -> ImapMailbox:
        """Create a new reader, which the server sees like one of a new process."""
        settings = Imap(
            **{
                "host": "127.0.0.1",
                "port": self.server.imap,
                "security": "none",
                "username": self.user,
                "password": PASSWORD,
                **self.settings,
            }
        )
        self.readers.append(ImapMailbox(settings, replace(self.intake(), **hooks)))
        return self.readers[-1]

    def send(self, text: str = "hello", *, name: str = "a", to: str | None = None) -> bytes:
        """Deliver a person's message to the mailbox. Its Message-ID contains `name`."""
        to = to or self.address
        raw = raw_mail(SENDER, to, text, message_id=f"<{name}@people.example>")
        self.server.deliver(self.user, raw, to=to, sender=SENDER)
        return raw

    def folder(self, name: str) -> int:
        """Return the number of messages in a folder."""
        return len(self.server.mails(self.user, name))


def void(_: object) -> None:
    """Discard a result."""


@contextmanager
def running(way: InboundTransport) -> Iterator[None]:
    """Run an inbound transport in a separate thread."""
    thread = threading.Thread(target=way.run)
    thread.start()
    try:
        yield
    finally:
        way.stop()
        thread.join(10)
        assert not thread.is_alive()

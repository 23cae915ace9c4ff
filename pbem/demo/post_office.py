"""A real SMTP server on loopback, with a mailbox for each correspondent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class PostOffice:
    """Mailboxes by address.

    Attributes:
        delivered: all messages in order, with their recipients.
        on_announced: called when the recipient of a message has been accepted.
        on_delivered: awaited when a message is in its mailbox, before its sender gets the reply.

    The class has no slots because aiosmtpd inspects its handler, and Python 3.11.2 fails on their
    `__weakref__`.
    """

    mailboxes: Mapping[str, asyncio.Queue[bytes]]
    delivered: list[tuple[str, bytes]] = field(default_factory=list)
    port: int = 0
    on_announced: Callable[[], None] | None = None
    on_delivered: Callable[[], Awaitable[None]] | None = None

    async def handle_RCPT(  # noqa: N802  (aiosmtpd finds it by this name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Accept mail for our mailboxes only."""
        if address.lower() not in self.mailboxes:
            return "550 5.1.1 nobody of that name here"
        envelope.rcpt_tos.append(address)
        if self.on_announced is not None:
            self.on_announced()
        return "250 OK"

    async def handle_DATA(  # noqa: N802  (aiosmtpd finds it by this name)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
    ) -> str:
        """Put the message into its mailboxes."""
        content = envelope.original_content or b""
        for address in envelope.rcpt_tos:
            self.delivered.append((address.lower(), content))
            self.mailboxes[address.lower()].put_nowait(content)
        if self.on_delivered is not None:
            await self.on_delivered()
        return "250 OK"


@asynccontextmanager
async def open_post_office(addresses: list[str]) -> AsyncIterator[PostOffice]:
    """Run an SMTP server for these addresses on a free port of 127.0.0.1."""
    office = PostOffice({address: asyncio.Queue() for address in addresses})
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(office, ident="post office", loop=loop), host="127.0.0.1", port=0
    )
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        server.close()


def free_port() -> int:
    """Return a free port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

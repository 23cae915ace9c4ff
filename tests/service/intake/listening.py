"""Run the listener of a table's service on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.listener import ListenerHooks, listen
from pbem.service.intake import accepting as intake
from tests.service.conftest import Table


@asynccontextmanager
async def listening(
    table: Table,
    protocol: str = "smtp",
    accept: Callable[[bytes, Envelope], Awaitable[None]] | None = None,
) -> AsyncIterator[int]:
    """Run the listener and yield its port. `accept` replaces the step that stores a message."""
    service = table.service

    async def store(raw: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(intake.receive, service, raw, envelope)

    hooks = ListenerHooks(
        accept or store, lambda address: intake.is_deliverable(service, address), service.now
    )
    max_bytes = service.config.limits.max_mail_bytes
    server = await listen(hooks, protocol=protocol, place=("127.0.0.1", 0), max_bytes=max_bytes)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()

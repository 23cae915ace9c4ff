"""A post office with faults: it stalls, refuses temporarily, hangs up, or is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiosmtpd.smtp import SMTP

from pbem.demo.post_office import PostOffice

OfficeTrouble = Literal["stall", "stall kept", "later", "full", "421", "drop", "drop kept"]
_ANSWERS = {
    "later": "451 4.7.1 greylisted, come again",
    "421": "421 4.3.2 not now, closing the connection",
}


@dataclass
class TroubledOffice(PostOffice):
    """A mail server with injected faults.

    Attributes:
        trouble: the current fault, or None.
        met: number of conversations with a fault.
    """

    trouble: OfficeTrouble | None = None
    met: int = 0
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen, on the previous port if there was one."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Server(self, ident="post office", loop=loop), "127.0.0.1", self.port
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Stop accepting connections. Open ones continue."""
        if self._server is not None:
            self._server.close()

    def begin(self, trouble: OfficeTrouble) -> None:
        """Begin a fault, which lasts until `end`."""
        self._over.clear()
        self.trouble = trouble

    def end(self) -> None:
        """End the current fault."""
        self.trouble = None
        self._over.set()

    async def handle_RCPT(  # noqa: N802  (aiosmtpd finds it by this name)
        self,
        server: SMTP,
        session: Any,
        envelope: Any,
        address: str,
        options: list[str],
    ) -> str:
        """Stall or refuse temporarily, if that is the current fault."""
        trouble = self.trouble
        if trouble == "stall":
            self.met += 1
            await self._over.wait()
        elif trouble in _ANSWERS:
            self.met += 1
            return _ANSWERS[trouble]
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(  # noqa: N802
        self,
        server: SMTP,
        session: Any,
        envelope: Any,
    ) -> str:
        """Refuse for lack of space, or accept the message and then stall or hang up before
        replying.
        """
        trouble = self.trouble
        if trouble == "full":
            self.met += 1
            return "452 4.3.1 no room just now"
        answer = await super().handle_DATA(server, session, envelope)
        if trouble == "stall kept":
            self.met += 1
            await self._over.wait()
        elif trouble == "drop kept":
            self.met += 1
            server.transport.abort()
        return answer


class _Server(SMTP):
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Hang up in the middle of a message, if that is the current fault."""
        office = self.event_handler
        assert isinstance(office, TroubledOffice)
        if office.trouble != "drop":
            await super().smtp_DATA(arg)
            return
        office.met += 1
        await self.push("354 go on")
        await self._reader.read(64)
        self.transport.abort()
        raise asyncio.CancelledError  # the rest of the data must not be read as commands


@asynccontextmanager
async def open_troubled_office(addresses: Sequence[str]) -> AsyncIterator[TroubledOffice]:
    """Open a post office for these addresses on a free port of 127.0.0.1."""
    office = TroubledOffice({address: asyncio.Queue() for address in addresses})
    await office.open()
    try:
        yield office
    finally:
        office.end()
        office.close()

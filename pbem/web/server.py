"""The HTTP server of `pbem serve`, behind a proxy that terminates HTTPS."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_CONNECTIONS = 4000
"""Maximum number of concurrent connections and requests. Others are answered with 503."""
_HEAD_BYTES = 16_384
STOPPING = "pbem.stopping"
"""Key in the ASGI scope: an event that is set when the server stops, to end endless responses."""


class Server(uvicorn.Server):
    """A server that leaves signal handling to the surrounding program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signal handlers of the process unchanged."""
        yield


class _Protocol(H11Protocol):
    """A connection on which a malformed request is no error of the program."""

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request, unless another answer has begun or may have no body, and hang up."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None:
            cycle.disconnected = True  # otherwise its application could not send and would log that
        if cycle is not None and (cycle.response_started or cycle.scope["method"] == "HEAD"):
            self.transport.close()
        else:
            super().send_400_response(msg)


def _allow_open_files() -> None:
    """Raise the number of files that may be open, which is often 1,024, so that it suffices for all connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    limit = 2 * _CONNECTIONS if hard == unlimited else min(2 * _CONNECTIONS, hard)
    if soft != unlimited and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


@asynccontextmanager
async def serve(app: ASGIApp, host: str, port: int) -> AsyncIterator[int]:
    """Serve an application during the context and yield the port.

    Raises: OSError if the address cannot be used.
    """
    stopping = asyncio.Event()
    _allow_open_files()

    async def stoppable(scope: Scope, receive: Receive, send: Send) -> None:
        scope[STOPPING] = stopping
        await app(scope, receive, send)

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
        server = Server(
            uvicorn.Config(
                stoppable,
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_CONNECTIONS,
                h11_max_incomplete_event_size=_HEAD_BYTES,
                http=_Protocol,
                ws="none",
                timeout_graceful_shutdown=2,
            )
        )
        running = asyncio.create_task(server.serve([listening]))
        try:
            yield int(listening.getsockname()[1])
        finally:
            stopping.set()
            server.should_exit = True
            await running

"""Run a server on loopback that records pings and returns configured answers."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest


@dataclass
class Taken:
    """A recorded request."""

    line: str
    headers: dict[str, str]
    body: Any


@dataclass
class PingServer:
    """A server that records its requests.

    It returns the `answers` in order and repeats the last. With `hangs`, it stops answering after them.
    With `drips`, it sends an endless header instead, letter by letter.
    """

    answers: list[bytes] = field(default_factory=lambda: [b"HTTP/1.1 200 OK\r\n\r\n"])
    hangs: bool = False
    drips: bool = False
    taken: list[Taken] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def resolve(self, _host: str, _port: int) -> Sequence[tuple[str, int]]:
        """Resolve every name to this server."""
        return [("127.0.0.1", self.port)]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines if line)
            body = await reader.readexactly(int(headers["Content-Length"]))
            self.taken.append(Taken(first, headers, json.loads(body)))
            while self.drips:
                writer.write(b"X")
                await writer.drain()
                await asyncio.sleep(0.02)
            if self.hangs:
                await reader.read()
            writer.write(self.answers[0] if len(self.answers) == 1 else self.answers.pop(0))
            await writer.drain()
        except (OSError, EOFError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    server: PingServer, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[PingServer]:
    """Run a server on a free port."""
    listening = await asyncio.start_server(server._serve, "127.0.0.1", 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        await asyncio.sleep(0)


HOST = "hooks.example.org"


@cache
def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return TLS contexts for a server named `HOST`, and for a client that trusts it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder = Path(mkdtemp(prefix="pbem-pings-"))
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return shown, ssl.create_default_context(cafile=str(folder / "cert.pem"))

"""Run an SMTP server that accepts and discards every message. `python -m bench.sink` prints its port."""

from __future__ import annotations

import asyncio
import subprocess
import sys


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 sink ESMTP\r\n")
    while command := (await reader.readline()).upper():
        if command.startswith(b"DATA"):
            writer.write(b"354 go on\r\n")
            await writer.drain()
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"250 2.0.0 forgotten\r\n")
        elif command.startswith(b"QUIT"):
            writer.write(b"221 2.0.0 bye\r\n")
            break
        elif command.startswith(b"EHLO"):
            writer.write(b"250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n")
        else:
            writer.write(b"250 2.0.0 so be it\r\n")
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_talk, "127.0.0.1", 0, limit=1 << 24)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)  # ends with the parent process


class Sink:
    """The server in a separate process, so that its work is not measured.

    It ends with this process.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.sink"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        if self._process.stdout is None:
            raise RuntimeError("the sink has no pipe")
        self.port = int(self._process.stdout.readline())


if __name__ == "__main__":
    asyncio.run(_serve())

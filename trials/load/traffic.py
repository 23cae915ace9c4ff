"""Simulated players: each turn message is answered over LMTP, at once or at a steady rate."""

from __future__ import annotations

import asyncio
import email
import hashlib
import re
from collections import Counter, deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default

from pbem.demo.clients import CLIENTS, open_mail
from pbem.demo.correspondents import choose_move, listed_moves
from pbem.service.intake.accepting import idempotency_key

LONGEST_MAIL = 1 << 24
LATER_SECONDS = 0.5
LAST_SECONDS = 60.0
"""Timeout for the transactions that are under way at the end."""
_RCPT = re.compile(rb"RCPT TO:<([^>]+)>", re.IGNORECASE)
_MESSAGE_ID = re.compile(rb"^message-id:\s*<([^>]+)>", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A message to be submitted."""

    raw: bytes = field(repr=False)
    sender: str
    recipient: str


@dataclass(slots=True)
class Traffic:
    """A mail server that accepts every message, its readers, and LMTP connections.

    Attributes:
        mails: number of replies to submit. After that, messages are answered only when it is
            raised.
        rate: maximum replies per second, or 0 for no limit.
        connections: LMTP connections.
        seconds: time after which no more replies are submitted.
        silent: addresses whose messages are not answered.
        accepted: idempotency key -> time of the reply 250, in seconds of the loop's clock.
        later: number of temporary refusals (4xx).
        arrived: Message-ID -> how often this message of the service arrived.
    """

    mails: int
    rate: float
    connections: int = 8
    seconds: float = 600.0
    silent: Collection[str] = ()
    accepted: dict[str, float] = field(default_factory=dict)
    later: int = 0
    arrived: Counter[str] = field(default_factory=Counter)
    port: int = 0
    _letters: asyncio.Queue[tuple[bytes, str]] = field(default_factory=asyncio.Queue)
    _replies: asyncio.Queue[Reply | None] = field(default_factory=asyncio.Queue)
    _answered: set[tuple[str, str]] = field(default_factory=set)
    _written: int = 0
    _done: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, ports: Sequence[int]) -> None:
        """Answer messages until `mails` replies were accepted or the time has passed.

        Transactions under way are finished.
        """
        self._done.clear()
        reading = asyncio.create_task(self._read())
        carriers = [
            asyncio.create_task(self._carry(ports[number % len(ports)]))
            for number in range(self.connections)
        ]
        over = asyncio.create_task(self._done.wait())
        waiting = {reading, over, *carriers}
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.seconds):
                    while not self._done.is_set():
                        finished, waiting = await asyncio.wait(
                            waiting, return_when=asyncio.FIRST_COMPLETED
                        )
                        for task in finished:
                            task.result()
            self._done.set()
            for _ in carriers:
                self._replies.put_nowait(None)
            async with asyncio.timeout(LAST_SECONDS):
                await asyncio.gather(*carriers)
        finally:
            for task in (reading, over, *carriers):
                task.cancel()
            await asyncio.gather(reading, over, *carriers, return_exceptions=True)

    # --- mails of the service ---------------------------------------------------------------------

    async def listen(self) -> asyncio.Server:
        """Open the mail server that the service sends to."""
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0, limit=LONGEST_MAIL)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        recipient = ""
        writer.write(b"220 sink ESMTP\r\n")
        while command := await reader.readline():
            verb = command[:4].upper()
            if verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await writer.drain()
                raw = await reader.readuntil(b"\r\n.\r\n")
                self._take(raw[:-3].replace(b"\r\n..", b"\r\n."), recipient)
                writer.write(b"250 2.0.0 taken\r\n")
            elif verb == b"QUIT":
                writer.write(b"221 2.0.0 bye\r\n")
                break
            elif verb == b"EHLO":
                writer.write(b"250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n")
            else:
                if match := _RCPT.match(command):
                    recipient = match[1].decode("ascii")
                writer.write(b"250 2.0.0 so be it\r\n")
        writer.close()

    def _take(self, raw: bytes, recipient: str) -> None:
        match = _MESSAGE_ID.search(raw)
        self.arrived[match[1].decode("ascii") if match else ""] += 1
        self._letters.put_nowait((raw, recipient))

    async def _read(self) -> None:
        """Answer each request for a move once, until all replies are written."""
        clients = list(CLIENTS.values())
        while self._written < self.mails:
            raw, reader = await self._letters.get()
            await asyncio.sleep(0)  # a heap of letters must not keep the carriers waiting
            message = email.message_from_bytes(raw, policy=default)
            if not isinstance(message, EmailMessage):
                continue
            mail = open_mail(message)
            moves = listed_moves(mail.text)
            asked = (mail.reply_to, str(message["PBEM-Chain-Head"]))
            if not moves or asked in self._answered or reader in self.silent:
                continue
            self._answered.add(asked)
            _, words = choose_move(moves, hashlib.sha256(raw).digest())
            client = clients[self._written % len(clients)]
            self._replies.put_nowait(Reply(client(mail, reader, words), reader, mail.reply_to))
            self._written += 1

    # --- mails to the service ---------------------------------------------------------------------

    async def _carry(self, port: int) -> None:
        """Submit replies one by one, retrying those refused temporarily with the same bytes."""
        again: deque[Reply] = deque()
        pause = self.connections / self.rate if self.rate else 0.0
        loop = asyncio.get_running_loop()
        while not self._done.is_set():
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                await _answer(reader)
                await _say(reader, writer, b"LHLO friends.example")
                while again or not self._done.is_set():
                    reply = again.popleft() if again else await self._replies.get()
                    if reply is None:
                        break
                    again.append(reply)
                    began = loop.time()
                    code = await _hand_in(reader, writer, reply)
                    if code >= 500:
                        raise RuntimeError(f"a reply was refused with {code}")
                    if code >= 400:
                        self.later += 1
                        await _say(reader, writer, b"RSET")
                        await asyncio.sleep(LATER_SECONDS)
                        continue
                    again.pop()
                    self._was_accepted(reply)
                    await asyncio.sleep(max(0.0, pause - (loop.time() - began)))
            except (OSError, EOFError):
                await asyncio.sleep(LATER_SECONDS)

    def _was_accepted(self, reply: Reply) -> None:
        key = idempotency_key(reply.raw, reply.raw, reply.recipient)
        self.accepted[key] = asyncio.get_running_loop().time()
        if len(self.accepted) >= self.mails:
            self._done.set()


async def _hand_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply) -> int:
    """Carry out one transaction. Return the code of the decisive reply."""
    for command in (f"MAIL FROM:<{reply.sender}>", f"RCPT TO:<{reply.recipient}>", "DATA"):
        code = await _say(reader, writer, command.encode("ascii"))
        if code >= 400:
            return code
    writer.write(re.sub(rb"(?m)^\.", b"..", reply.raw))
    return await _say(reader, writer, b"." if reply.raw.endswith(b"\r\n") else b"\r\n.")


async def _say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, command: bytes) -> int:
    writer.write(command + b"\r\n")
    await writer.drain()
    return await _answer(reader)


async def _answer(reader: asyncio.StreamReader) -> int:
    while True:
        line = await reader.readuntil(b"\n")
        if line[3:4] != b"-":
            return int(line[:3])

"""The players' mail servers: SMTP written by hand, so that connections can be cut at any moment.

Messages that were not accepted are retried with the same bytes. Accepted messages are delivered a
second time later, as real mail servers sometimes do.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random  # noqa: TID251  (how mails travel, not what is played)
from typing import Literal

from tests.patience import patience

Cut = Literal["half", "answer"]
"""Moment at which the sender hangs up: within the message, or before reading the reply."""

STEP_SECONDS = 30.0
SECOND_COPY_SECONDS = 5.0
RESTART_SECONDS = 15.0
OVERTAKEN_SECONDS = 2.0


class WireError(Exception):
    """The service refused a message permanently, so it is lost."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A reply on its way.

    Attributes:
        extra: a second answer to an answered message. The service refuses one of the two.
    """

    raw: bytes = field(repr=False)
    sender: str
    recipient: str
    message_id: str
    extra: bool


@dataclass(slots=True)
class Moments:
    """Signals the moments that a killer can wait for.

    Attributes:
        aim: name of the awaited moment.
        shoot: called at that moment, once.
        restarts: set and cleared at every start of a service. It stays set when no starts follow.
    """

    aim: str | None = None
    shoot: Callable[[], None] = lambda: None
    restarts: asyncio.Event = field(default_factory=asyncio.Event)

    def happens(self, name: str) -> None:
        """Report that the moment `name` has come, and shoot if it is the awaited moment."""
        if name == self.aim:
            self.aim = None
            self.shoot()

    def restarted(self) -> None:
        """Report that a service has started again."""
        if not self.restarts.is_set():
            self.restarts.set()
            self.restarts.clear()

    def are_over(self) -> None:
        """Signal that no more kills follow."""
        self.aim = None
        self.restarts.set()


@dataclass(slots=True)
class Wire:
    """Carries letters to the service until they are accepted.

    Attributes:
        ports: ports of the services. Each attempt uses a random one.
        is_rough: True to cut connections, deliver everything twice, and change the order.
        letters: every letter, by Message-ID.
        accepted: number of 250 replies.
        on_kept: awaited when a letter is accepted for the first time.
        unheard: attempts that ended without a reply or with a 4xx reply.
    """

    ports: Sequence[int]
    chance: Random
    moments: Moments
    is_rough: bool
    letters: dict[str, Letter] = field(default_factory=dict)
    accepted: int = 0
    unheard: int = 0
    on_kept: Callable[[Letter], Awaitable[None]] | None = None
    _under_way: set[asyncio.Task[None]] = field(default_factory=set)

    def post(self, letter: Letter) -> None:
        """Accept a letter and deliver it in the background, with retries."""
        self.letters[letter.message_id] = letter
        self.start(self._carry(letter))

    def start(self, carrying: Coroutine[None, None, None]) -> None:
        """Start a task that `settle` waits for and `check` examines."""
        self._under_way.add(asyncio.get_running_loop().create_task(carrying))

    @property
    def under_way(self) -> int:
        """Return the number of letters, second copies included, that have not arrived yet."""
        return sum(not task.done() for task in self._under_way)

    async def settle(self) -> None:
        """Wait until everything has arrived. Raises: WireError."""
        while self._under_way:
            await asyncio.gather(*self._under_way)
            self._under_way = {task for task in self._under_way if not task.done()}

    def check(self) -> None:
        """Raise the error of a delivery that failed, if there was any."""
        for task in self._under_way:
            if task.done() and not task.cancelled():
                task.result()

    def cancel(self) -> None:
        """Cancel all deliveries."""
        for task in self._under_way:
            task.cancel()

    async def _carry(self, letter: Letter) -> None:
        if self.is_rough and self.chance.random() < 0.3:  # others overtake it
            await asyncio.sleep(self.chance.uniform(0, OVERTAKEN_SECONDS))
        await self._until_accepted(letter, letter.raw)
        if self.on_kept is not None:
            await self.on_kept(letter)
        if not self.is_rough:
            return
        if self.chance.random() < 0.5:
            await asyncio.sleep(self.chance.uniform(0, SECOND_COPY_SECONDS))
        else:
            try:
                async with asyncio.timeout(patience(RESTART_SECONDS)):
                    await self.moments.restarts.wait()
            except TimeoutError:
                pass
        copy = letter.raw
        if (
            self.chance.random() < 0.3
        ):  # as if delivered by another route: other bytes, the same message
            copy = b"Received: from elsewhere by friends.example with ESMTP\r\n" + copy
        await self._until_accepted(letter, copy)

    async def _until_accepted(self, letter: Letter, raw: bytes) -> None:
        while True:
            code = await self._attempt(letter, raw)
            if code == 250:
                self.accepted += 1
                self.moments.happens("kept")
                return
            if code is not None and code >= 500:
                raise WireError(f"a reply was refused with {code}")
            self.unheard += 1
            await asyncio.sleep(self.chance.uniform(0.05, 0.3))

    async def _attempt(self, letter: Letter, raw: bytes) -> int | None:
        """Try to deliver a letter once. Return the reply code, or None if the connection broke."""
        cut: Cut | None = None
        if self.is_rough and self.chance.random() < 0.1:
            cut = self.chance.choice(("half", "answer"))
        try:
            async with asyncio.timeout(patience(STEP_SECONDS)):
                return await hand_over(
                    self.chance.choice(self.ports),
                    letter,
                    raw,
                    cut=cut,
                    on_half=lambda: self.moments.happens("half"),
                )
        except (OSError, EOFError, TimeoutError):
            return None


async def hand_over(
    port: int,
    letter: Letter,
    raw: bytes,
    *,
    cut: Cut | None,
    on_half: Callable[[], None],
) -> int | None:
    """Send by SMTP. Return the code of the first negative reply, otherwise of the last reply."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        code = await _answer(reader)
        for command in (
            "EHLO friends.example",
            f"MAIL FROM:<{letter.sender}>",
            f"RCPT TO:<{letter.recipient}>",
            "DATA",
        ):
            if code >= 400:
                return code
            writer.write(f"{command}\r\n".encode("ascii"))
            code = await _answer(reader)
        if code != 354:
            return code
        body = re.sub(rb"(?m)^\.", b"..", raw)
        half = len(body) // 2
        writer.write(body[:half])
        await writer.drain()
        on_half()
        if cut == "half":
            return None
        writer.write(body[half:] + b".\r\n")
        await writer.drain()
        if cut == "answer":
            return None
        code = await _answer(reader)
        if code == 250:
            writer.write(b"QUIT\r\n")
        return code
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    while True:
        line = await reader.readuntil(b"\n")
        if line[3:4] != b"-":
            return int(line[:3])

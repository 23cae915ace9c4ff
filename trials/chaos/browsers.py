"""A player's browser without JavaScript that sends forms cut off, twice, late or from a stale page.

A form without an answer is sent again with the same bytes, as after a lost connection.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random  # noqa: TID251  (how forms travel, not what is played)
from urllib.parse import urlencode

from tests.patience import patience
from trials.chaos.wire import Moments, WireError

BOARD = "board"
"""Words of the form by which the service sets the browser's cookie."""
REMATCH = "rematch"
"""An order that a page still offers when the game has ended."""
STEP_SECONDS = 30.0
LATE_SECONDS = 3.0
WATCH_SECONDS = 0.002
_LATER = 503
_SEEN, _STALE = 303, 409


def form_key(path: str, once: str) -> str:
    """Return the idempotency key of a form from the page at a path."""
    game, seat, generation = path.rpartition("/")[2].split("-")[1:4]
    return f"page:{game}:{seat}:{generation}:{once}"


def listed_orders(page: str) -> list[str]:
    """Return the orders of the moves that a page lists, without the offer of another game."""
    radios = re.findall(r'<input[^>]* name="move"[^>]*>', page)
    values = (re.search(r' value="([^"]*)"', radio) for radio in radios)
    return [html.unescape(value[1]) for value in values if value and value[1] != REMATCH]


@dataclass(slots=True)
class Sent:
    """A submitted form. `is_stored` is None until the service has answered."""

    key: str
    sender: str
    words: str
    is_extra: bool
    is_stored: bool | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of the service."""

    status: int
    head: str = field(repr=False)
    body: str = field(repr=False)

    def field(self, name: str) -> str:
        """Return the value of a hidden field of the page, or an empty string."""
        match = re.search(rf'name="{name}" value="([^"]*)"', self.body)
        return match[1] if match else ""

    @property
    def moves(self) -> list[str]:
        """Return the orders of the moves that the page lists."""
        return listed_orders(self.body)


@dataclass(slots=True)
class Browser:
    """The browser of one player.

    Attributes:
        ports: web ports of the services. Each request uses a random one.
        is_rough: True to cut connections and to send forms again, late, or from a stale page.
        on_status: returns the status of the stored form with a key, or None.
        later: starts a task that the run waits for.
        forms: every form that was submitted.
    """

    address: str
    ports: Sequence[int]
    chance: Random
    moments: Moments
    is_rough: bool
    on_status: Callable[[str], Awaitable[str | None]]
    later: Callable[[Coroutine[None, None, None]], None]
    forms: list[Sent]
    cookie: str = ""

    async def play(self, path: str, choose: Callable[[list[str]], str]) -> None:
        """Make moves on a page as long as it lists some."""
        if not self.cookie:
            await self.send(path, await self.open(path), BOARD)
        page = await self.open(path)
        while page.moves:
            words = choose(page.moves)
            await self.send(path, page, words)
            stale, page = page, await self.open(path)
            is_stale = stale.field("digest") != page.field("digest")
            if self.is_rough and is_stale and self.chance.random() < 0.3:
                self.later(self._send_stale(path, stale, words))

    async def open(self, path: str) -> Response:
        """Fetch a page, retrying until it arrives with status 200."""
        while True:
            page = await self._ask("GET", path)
            if page is not None and page.status == 200:
                return page
            if page is not None and page.status != _LATER:
                raise WireError(f"a page was answered with {page.status}")
            await self._pause()

    async def send(self, path: str, page: Response, words: str) -> None:
        """Submit a form from a page until it was accepted. Raises: WireError."""
        once = page.field("once")
        body = self._body(once, page.field("digest"), words)
        sent = self._record(path, once, words, is_extra=False)
        copies = 2 if self.is_rough and self.chance.random() < 0.2 else 1
        await asyncio.gather(*(self._until_answered(path, body, sent) for _ in range(copies)))
        if not sent.is_stored:
            raise WireError("a form from a current page was refused")
        while await self.on_status(sent.key) == "new":
            await self._pause()
        if self.is_rough and self.chance.random() < 0.3:
            self.later(self._send_late(path, body, sent))

    async def _send_late(self, path: str, body: str, sent: Sent) -> None:
        await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS))
        await self._until_answered(path, body, sent)

    async def _send_stale(self, path: str, page: Response, words: str) -> None:
        """Submit a form of another tab that shows an earlier position."""
        await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS))
        once = "".join(self.chance.choices("abcdefgh234567", k=16))
        sent = self._record(path, once, words, is_extra=True)
        await self._until_answered(path, self._body(once, page.field("digest"), words), sent)
        if sent.is_stored:
            raise WireError("a form from a stale page was accepted")

    def _record(self, path: str, once: str, words: str, *, is_extra: bool) -> Sent:
        self.forms.append(Sent(form_key(path, once), self.address, words, is_extra))
        return self.forms[-1]

    def _body(self, once: str, digest: str, words: str) -> str:
        fields = {"once": once, "digest": digest, "words": words, "address": self.address}
        return urlencode(fields)

    async def _until_answered(self, path: str, body: str, sent: Sent) -> None:
        watcher = asyncio.create_task(self._watch(sent.key))
        try:
            while True:
                response = await self._ask("POST", path, body)
                if response is not None and response.status in (_SEEN, _STALE):
                    break
                if response is not None and response.status != _LATER:
                    raise WireError(f"a form was answered with {response.status}")
                await self._pause()
        finally:
            watcher.cancel()
        is_stored = response.status == _SEEN
        if sent.is_stored not in (None, is_stored):
            raise WireError("the same form was answered in two ways")
        sent.is_stored = is_stored
        if is_stored:
            self.moments.happens("shown")
            if await self.on_status(sent.key) is None:
                raise WireError("a form was accepted and is not in the database")

    async def _watch(self, key: str) -> None:
        """Signal when a form is stored, and when it is handled."""
        while True:
            if self.moments.aim in ("stored", "played"):
                status = await self.on_status(key)
                if status is not None:
                    self.moments.happens("stored" if status == "new" else "played")
            await asyncio.sleep(WATCH_SECONDS)

    async def _pause(self) -> None:
        await asyncio.sleep(self.chance.uniform(0.05, 0.3))

    async def _ask(self, method: str, path: str, body: str = "") -> Response | None:
        """Send a request once. Return None if the connection broke."""
        is_cut = self.is_rough and self.chance.random() < 0.1
        try:
            async with asyncio.timeout(patience(STEP_SECONDS)):
                return await self._exchange(method, path, body.encode(), is_cut=is_cut)
        except (OSError, EOFError, TimeoutError, ValueError):
            return None

    async def _exchange(
        self, method: str, path: str, body: bytes, *, is_cut: bool
    ) -> Response | None:
        port = self.chance.choice(self.ports)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
                f"Cookie: {self.cookie}\r\nContent-Length: {len(body)}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
            )
            writer.write(head.encode() + body[: len(body) // 2])
            await writer.drain()
            if body:
                self.moments.happens("posting")
            writer.write(body[len(body) // 2 :])
            await writer.drain()
            if is_cut:
                return None
            raw = (await reader.read()).decode()
        finally:
            writer.close()
        top, end, text = raw.partition("\r\n\r\n")
        if not end:
            return None
        cookie = re.search(r"(?im)^set-cookie: ([^;\r]+)", top)
        if cookie:
            self.cookie = cookie[1]
        return Response(int(top.split()[1]), top, text)

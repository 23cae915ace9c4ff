"""Fixtures with a table whose seat pages are served on loopback by the real server."""

from __future__ import annotations

import asyncio
import http.client
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import MovePlayed
from pbem.sections import Web
from pbem.service.intake.handle_mail import handle_all
from pbem.web.app import application
from pbem.web.joining import JoinPages
from pbem.web.pages import SeatPages
from pbem.web.public import PublicPages
from pbem.web.server import serve as serve_app
from tests.databases import sqlite_store
from tests.patience import patience
from tests.service.conftest import Table, configured, make_table, table

__all__ = ["table"]

URL = "https://cards.example.org"


@dataclass
class Answer:
    """A response of the server."""

    status: int
    headers: http.client.HTTPMessage
    text: str

    def field(self, name: str) -> str:
        """Return the value of a hidden field, or an empty string."""
        match = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        return match[1] if match else ""


@dataclass
class Browser:
    """A browser without scripts, which keeps cookies and follows redirects after a form."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """Submit a form and open the page that shows its result."""
        answer = self.ask("POST", path, urlencode(fields), **headers)
        if answer.status != 303:
            return answer
        return self.get(f"{path.rpartition('/')[0]}/{answer.headers['Location']}")

    def send(self, path: str, words: str, address: str = "", page: Answer | None = None) -> Answer:
        """Open a page, unless it is given, and submit words from it."""
        page = page or self.get(path)
        fields = {"once": page.field("once"), "digest": page.field("digest"), "words": words}
        return self.post(path, fields | ({"address": address} if address else {}))

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience(30))
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            given.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection.request(method, path, body, given)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer


@dataclass
class Site:
    """A table with seat pages, which handles submitted forms at once."""

    table: Table
    port: int
    pages: SeatPages

    def browser(self) -> Browser:
        """Return a new browser without cookies."""
        return Browser(self.port)

    def link(self, seat: int, url: str = URL) -> str:
        """Return the path of the seat page from the newest message to a seat that contains one."""
        link = re.compile(rf"{re.escape(url)}(/seat/\S+)")
        mails = reversed(self.table.mails_to(seat))
        return next(match[1] for mail in mails if (match := link.search(mail.text)))

    def known(self, seat: int, path: str | None = None) -> tuple[Browser, str]:
        """Return a browser with the cookie of a seat's player, and the path of their page."""
        browser, path = self.browser(), path or self.link(seat)
        address = self.table.mails_to(seat)[0].rcpt_to
        assert browser.send(path, "board", address).status == 200
        return browser, path


def serve(table: Table, url: str = URL) -> Iterator[Site]:
    """Serve the pages of a table in a separate thread."""
    web = Web(url=url, listen="127.0.0.1:0")
    table.service = configured(table.service, web=web)
    ready, over = threading.Event(), threading.Event()
    sites: list[Site] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.run_in_executor(None, handle_all, table.service)

        pages = SeatPages(table.service, web, wake)
        joins = JoinPages(table.service, web, wake)
        app = application(
            [*pages.routes(), *joins.routes(), *PublicPages(table.service).routes("/club")]
        )
        async with serve_app(app, web.host, web.port) as port:
            sites.append(Site(table, port, pages))
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert ready.wait(patience(20))
    yield sites[0]
    over.set()
    thread.join(patience(20))
    assert not thread.is_alive()


def moves_of(table: Table, game_id: GameId, seat: int) -> int:
    """Count the moves of a seat in the log of a game."""
    with table.service.store.reading() as uow:
        events = [item.event for item in uow.events.recorded(game_id)]
    return sum(isinstance(event, MovePlayed) and event.seat == seat for event in events)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with sqlite_store(tmp_path) as store:
        yield from serve(make_table(store))

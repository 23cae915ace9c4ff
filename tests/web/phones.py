"""Simulate a player's phone: a real browser with the page of a seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import registry
from pbem.domain.table.game import Game
from tests.databases import sqlite_store
from tests.service.conftest import make_table
from tests.show.browser import Page, browser
from tests.web.conftest import Site, serve
from tests.web.sight import CALM

LOOPBACK = "http://127.0.0.1"
GAMES = tuple(name for name in registry.names() if name != "phase10-family")


@dataclass
class Phone:
    """A browser with the page of a seat."""

    site: Site
    page: Page
    seat: int
    path: str

    @property
    def url(self) -> str:
        return f"{LOOPBACK}:{self.site.port}{self.path}"

    def open(self, *, width: int = 360, height: int = 640) -> None:
        """Open the page with its player's cookies, in the window of a small phone."""
        known, _ = self.site.known(self.seat, self.path)
        self.page.remember(self.url, known.cookies)
        self.page.open(self.url, width=width, height=height)
        self.page.wait_for(CALM)

    def send(self, version: int, game: Game) -> None:
        """Tap Send, and wait until the page shows the result."""
        once = self.page.ask("document.querySelector('input[name=once]').value")
        self.page.click(".tray .go")
        self.page.wait_for(f"document.querySelector('input[name=once]').value !== {once!r}")
        self.page.wait_for(CALM)
        assert self.site.table.game(game.id).version > version


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def local(tmp_path: Path, page: Page) -> Iterator[Site]:
    """Serve a site at an address that a browser on this machine can open.

    The browser leaves the site before it is stopped.
    """
    with (
        sqlite_store(tmp_path) as store,
        contextmanager(serve)(make_table(store), LOOPBACK) as site,
    ):
        yield site
        page.leave()


def phone_of(site: Site, page: Page, game: Game) -> Phone:
    """Return the phone of the player whose turn it is, with the light colour scheme."""
    seat = int(site.table.game(game.id).to_act[0])
    page.errors.clear()
    page.dark(on=False)
    return Phone(site, page, seat, site.link(seat, LOOPBACK))

"""The seat page in a real browser: cards and moves are tapped, and everything is large and clear enough."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.domain.table.game import Game
from tests.databases import sqlite_store
from tests.service.conftest import make_table
from tests.show.browser import CHROMIUM, Page, browser
from tests.web.conftest import Site, serve

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

LOOPBACK = "http://127.0.0.1"
GAMES = ("phyliss", "cathedral", "phalanx", "phase10")
_CALM = "performance.now() > calmUntil"
_SMALL = """[...document.querySelectorAll('button, .move, textarea, input[type=email]')]
  .map((e) => e.getBoundingClientRect()).filter((r) => r.width && (r.width < 44 || r.height < 44)).length"""
_PALE = """(() => {
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > .9) return c.slice(0, 3); } return [255, 255, 255]; };
  const pale = [];
  const texts = document.createTreeWalker(document.querySelector('#seat'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
    if (!text || !e.getClientRects().length || e.matches('.back')) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color).slice(0, 3)), light(ground(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) pale.push(`${text.slice(0, 30)} ${ratio.toFixed(1)}`);
  }
  return pale;
})()"""
_SEEN = """(() => {
  const tray = document.querySelector('.tray').getBoundingClientRect().top;
  const shown = (css) => [...document.querySelectorAll(css)].every((e) => e.getBoundingClientRect().bottom <= tray);
  return shown('[data-t]') && shown('.table .label')
    && [...document.querySelectorAll('.move')].some((e) => e.getBoundingClientRect().bottom <= tray);
})()"""


@dataclass
class Phone:
    """A browser on one seat's page."""

    site: Site
    page: Page
    seat: int
    path: str

    @property
    def url(self) -> str:
        return f"{LOOPBACK}:{self.site.port}{self.path}"

    def open(self, *, width: int = 360, height: int = 640) -> None:
        """Open the page as its player, in a window of a small phone."""
        known, _ = self.site.known(self.seat, self.path)
        self.page.remember(self.url, known.cookies)
        self.page.open(self.url, width=width, height=height)
        self.page.wait_for(_CALM)

    def send(self, version: int, game: Game) -> None:
        """Tap Send, and wait until the page shows the result."""
        once = self.page.ask("document.querySelector('input[name=once]').value")
        self.page.click(".tray .go")
        self.page.wait_for(f"document.querySelector('input[name=once]').value !== {once!r}")
        self.page.wait_for(_CALM)
        assert self.site.table.game(game.id).version > version


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def local(tmp_path: Path, page: Page) -> Iterator[Site]:
    """The site under an address that a browser on this machine can open; the browser leaves it first."""
    with (
        sqlite_store(tmp_path) as store,
        contextmanager(serve)(make_table(store), LOOPBACK) as site,
    ):
        yield site
        page.leave()


def _phone(site: Site, page: Page, game: Game) -> Phone:
    seat = int(site.table.game(game.id).to_act[0])
    page.errors.clear()
    page.dark(on=False)
    return Phone(site, page, seat, site.link(seat, LOOPBACK))


def test_tapped_cards_become_a_move(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = _phone(local, page, game)
    phone.open()
    page.click("button[data-t]")
    words = page.ask("document.querySelector('#words').value")
    assert words.startswith("play ")
    assert page.ask("document.querySelector('input[name=move]:checked').value") == words
    assert local.table.game(game.id).version == game.version
    phone.send(game.version, game)
    assert "You played" in page.ask("document.querySelector('h1').textContent")
    assert page.errors == []


def test_a_listed_move_raises_its_cards(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = _phone(local, page, game)
    phone.open()
    page.click(".move input[data-taps]:not([data-taps=''])")
    taps = page.ask("document.querySelector('input[name=move]:checked').dataset.taps")
    raised = page.ask(
        "[...document.querySelectorAll('[aria-pressed=true]')].map((e) => e.dataset.t).join(' ')"
    )
    assert raised == taps
    page.click("[aria-pressed=true]")
    assert page.ask("document.querySelector('#words').value") == ""


def test_a_card_with_several_places_offers_them(local: Site, page: Page) -> None:
    game = local.table.started(ruleset="phalanx")
    game = local.table.skip(game, 6)
    phone = _phone(local, page, game)
    phone.open()
    page.click("button[data-t]:not(.no)")
    assert page.ask("document.querySelectorAll('#fits button').length") > 1
    page.click("#fits button")
    assert page.ask("document.querySelector('#words').value").startswith("play ")
    phone.send(game.version, game)


def test_a_browser_without_a_cookie_gives_the_address_once(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = _phone(local, page, game)
    page.forget()
    page.open(phone.url, width=360, height=640)
    page.wait_for(_CALM)
    address = local.table.mails_to(phone.seat)[0].rcpt_to
    page.ask(f"document.querySelector('#address').value = {address!r}")
    page.click("button[data-t]")
    phone.send(game.version, game)
    assert page.ask("document.querySelector('#address')") is None
    assert page.ask("document.cookie") == ""


def test_the_page_follows_the_table_by_itself(local: Site, page: Page) -> None:
    game = local.table.started()
    seat = int(game.to_act[0])
    watcher = (seat + 1) % 3
    page.errors.clear()
    phone = Phone(local, page, watcher, local.link(watcher, LOOPBACK))
    phone.open()
    assert "Your turn" not in page.ask("document.querySelector('h1').textContent")
    local.table.answer(seat, "21")
    page.wait_for("document.querySelector('h1').textContent.includes('Your turn')")


def test_who_is_writing_is_not_disturbed(local: Site, page: Page) -> None:
    game = local.table.started()
    seat = int(game.to_act[0])
    watcher = (seat + 1) % 3
    phone = Phone(local, page, watcher, local.link(watcher, LOOPBACK))
    phone.open()
    page.ask("document.querySelector('#words').value = 'say wait for me'")
    local.table.answer(seat, "21")
    page.wait_for("!document.querySelector('#moved').hidden")
    assert page.ask("document.querySelector('#words').value") == "say wait for me"
    page.click("#moved button")
    page.wait_for("document.querySelector('h1').textContent.includes('Your turn')")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_small_phone_shows_what_a_move_needs(local: Site, page: Page, ruleset: str) -> None:
    game = local.table.skip(local.table.started(ruleset=ruleset), 7)
    phone = _phone(local, page, game)
    phone.open()
    assert page.ask(_SEEN)
    assert page.ask(_SMALL) == 0
    assert page.ask("document.documentElement.scrollWidth") <= 360
    for on in (False, True):
        page.dark(on=on)
        assert page.ask(_PALE) == []
    assert page.errors == []


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_is_played_by_taps(local: Site, page: Page, ruleset: str) -> None:
    game = local.table.started(2, ruleset=ruleset)
    for _ in range(6):
        game = local.table.game(game.id)
        phone = _phone(local, page, game)
        phone.open()
        page.click(".move input[name=move]")
        phone.send(game.version, game)
    assert page.errors == []


def test_a_refusal_is_shown_with_what_would_go(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = _phone(local, page, game)
    phone.open()
    page.ask("document.querySelector('#words').value = 'play Kc Kd'")
    page.click(".tray .go")
    page.wait_for("document.querySelector('.result.bad') !== null")
    assert "play Kc Kd" in page.ask("document.querySelector('.result.bad').textContent")
    assert local.table.game(game.id).version == game.version


@pytest.mark.parametrize(("language", "words"), [("en", "play 8d"), ("de", "spiele 8♦")])
def test_the_very_card_that_was_tapped_is_named(
    local: Site, page: Page, language: str, words: str
) -> None:
    """Phyliss lists one card of each rank; the player may mean another one."""
    game = local.table.skip(local.table.started(), 5)
    phone = _phone(local, page, game)
    local.table.answer(phone.seat, f"language {language}")
    phone.open()
    page.click("button[data-t='8d']")
    assert page.ask("document.querySelector('#words').value") == words
    phone.send(game.version, game)

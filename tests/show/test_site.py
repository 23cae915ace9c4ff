"""Test the public pages in a real browser, with and without scripts, on phone and desktop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import resources
from pbem.service.pages import building
from pbem.show import site
from tests.databases import sqlite_store
from tests.service.conftest import START, make_table
from tests.service.pages.club import with_league, with_pages
from tests.show.browser import CHROMIUM, Page, browser
from tests.show.games import EVERY_KIND, play
from tests.show.markup import faults
from tools.look import colour, ratio

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="NOT TESTED: chromium or fonts-liberation is missing"
)
INKS = r"""(() => {
  const read = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, n) => part * a + below[n] * (1 - a));
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim() || !node.parentElement.getClientRects().length) continue;
    const chain = [];
    for (let one = node.parentElement; one; one = one.parentElement) chain.unshift(getComputedStyle(one));
    let ground = [255, 255, 255], opacity = 1;
    for (const style of chain) {
      ground = over(read(style.backgroundColor), ground);
      opacity *= Number(style.opacity);
    }
    const ink = read(chain.at(-1).color);
    const seen = over([...ink.slice(0, 3), ink[3] * opacity], ground);
    found[`${seen.map(Math.round)} on ${ground.map(Math.round)}`] = node.textContent.trim().slice(0, 30);
  }
  return found;
})()"""
"""Each pair of colours of a text and its ground, as they are seen, with a sample."""
SHOWN = "[...document.querySelectorAll('#players, #now, #table, #list')].map((e) => e.innerText)"
BOXES = """[...document.querySelectorAll('#now, #table, .seat, .ring > *, .card, #course')].map((e) => {
  const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round); })"""
SHIFTS = """new Promise((done) => {
  let sum = 0;
  const isThere = (one) => one.sources.some((source) => source.node !== null);
  new PerformanceObserver((list) => {
    for (const one of list.getEntries().filter(isThere)) sum += one.value;
  }).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 30)));
})"""
"""How far what was painted moved afterwards (Layout Instability API).

A slow browser paints half a table while it still reads the page; the script replaces that one, so
nodes that are gone do not count.
"""
KINDS = ("index", "standings", "game/", "league/", "ladder/", "player/")
WIDTHS = (390, 1280)
STEPPED = 3
"""So many games are gone through; one would do, but each kind has a table of its own."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of every kind: of games half-way, at their beginning, over; of leagues and of players."""
    folder = tmp_path_factory.mktemp("club")
    with sqlite_store(folder) as store:
        table = with_pages(make_table(store), folder / "pages")
        for number, (ruleset, players, options) in enumerate(EVERY_KIND):
            half = play(table, ruleset, players, 14, seed=number + 10, **options)
            if number in (1, 2):
                play(table, ruleset, players, 1, seed=number, **options)
            if number in (0, 2, 5):
                play(table, ruleset, players, seed=number + 20, **options)
        with_league(table, half)
        play(table, "phyliss", 2, seed=40, challenge=True)
        play(table, "phyliss", 2, 9, seed=41, challenge=True)
        with table.service.store.unit_of_work() as uow:
            for player in uow.players.list():
                uow.players.prefer(player.id, has_page=True)
        building.build(table.service)
    return folder / "pages"


def open_still(page: Page, file: Path, *, width: int, height: int = 900) -> None:
    """Open a page as somebody does who lets no script run."""
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(file, width=width, height=height)
    page.call("Emulation.setScriptExecutionDisabled", value=False)


def looked_at(page: Page) -> tuple[Any, Any]:
    return page.ask(SHOWN), page.ask(BOXES)


def test_the_script_changes_nothing_at_first(chromium: Page, club: Path) -> None:
    """Two programs draw each table: the one of the server and the one of the page. Nothing moves."""
    for file in sorted(club.glob("game/*.html")):
        open_still(chromium, file, width=WIDTHS[0])
        still = {}
        for width in WIDTHS:
            chromium.resize(width, 900)
            still[width] = looked_at(chromium)
        chromium.errors.clear()
        for width in WIDTHS:
            chromium.open(file, width=width)
            chromium.wait_for("!document.getElementById('controls').hidden")
            assert looked_at(chromium) == still[width], file
            assert chromium.ask(SHIFTS) == 0, file
        assert chromium.errors == []


def test_every_page_can_be_read(chromium: Page, club: Path) -> None:
    """Nothing sideways, nothing off the window, and every text stands out from its ground."""
    for file in sorted(club.rglob("*.html")):
        open_still(chromium, file, width=WIDTHS[0])
        for width in WIDTHS:
            chromium.resize(width, 900)
            for is_dark in (False, True):
                chromium.dark(on=is_dark)
                assert chromium.ask("document.documentElement.scrollWidth") <= width, file
                for pair, sample in chromium.ask(INKS).items():
                    ink, ground = map(colour, pair.split(" on "))
                    assert ratio(ink, ground) >= 4.5, (file, sample, pair)
    chromium.dark(on=False)


def test_every_page_is_small_valid_and_stays_where_it_is(chromium: Page, club: Path) -> None:
    """On a phone and a desk; and a page that moves would be noticed."""
    seen = [file.relative_to(club).as_posix() for file in sorted(club.rglob("*.html"))]
    assert all(any(name.startswith(kind) for name in seen) for kind in KINDS)
    for name in seen:
        text = (club / name).read_text(encoding="utf-8")
        assert list(faults(text)) == [], name
        assert len(text.encode()) <= 100_000, name
        if name.startswith("game/"):
            continue  # seen above, with its script
        for width in WIDTHS:
            chromium.open(club / name, width=width)
            assert chromium.ask(SHIFTS) == 0, name
    chromium.ask(
        "document.body.prepend(document.createElement('hr'), 'moved', document.createElement('hr'))"
    )
    assert chromium.ask(SHIFTS) > 0


@pytest.mark.parametrize("name", ["🦊" * 40, "Ж" * 40, "Anneliese M."])
def test_a_league_of_92_is_whole(name: str) -> None:
    """Whatever they are called: a line for each, below 100 kB; games below it give way first."""
    cells = [site.Cell("0.67", f"game/abcdefgh{n:02}.html", "12, 34, 56") for n in range(8)]
    lines = [site.CrossLine(place, name, cells, "4.67") for place in range(1, 93)]
    game = site.Line("game/abcdefghij.html", "Phyliss", (name,) * 4, (name,), START, START)
    cross = site.Cross([f"Rd {n}" for n in range(1, 9)], lines, "Points", "It means this.")
    parts = [site.Part("Round 8", [game] * 23)]
    page = site.ListPage("League", "league/winter.html", parts, (), home="../", cross=cross)
    made = site.list_page(page, resources.templates_dir())
    assert len(made) <= site.MAX_BYTES
    assert made.count(b'<th scope="row">') == 92
    assert made.count(b"<h3>") >= 4
    assert b"<h2>Round 8 <span>23</span></h2>" in made
    assert list(faults(made.decode())) == []


def test_steps_lead_through_the_game_and_back(chromium: Page, club: Path) -> None:
    """The page begins at the end; buttons and lines lead back, as observers saw it."""
    gone_through = 0
    for file in sorted(club.glob("game/*.html")):
        chromium.errors.clear()
        chromium.open(file, width=390, height=844)
        chromium.wait_for("!document.getElementById('controls').hidden")
        if chromium.ask("document.getElementById('first').disabled"):
            continue  # nobody has moved yet
        if gone_through == STEPPED:
            break
        gone_through += 1
        end = chromium.ask(SHOWN)
        chromium.click("#first")
        assert chromium.ask("document.getElementById('where').textContent").startswith("The deal")
        chromium.click("#last")
        assert chromium.ask(SHOWN) == end
        assert chromium.errors == []
    assert gone_through == STEPPED


def test_a_list_leads_to_its_games(chromium: Page, club: Path) -> None:
    """Every link is as high as a finger, and leads to a file that is there."""
    chromium.open(club / "index.html", width=390, height=844)
    links = chromium.ask(
        "[...document.querySelectorAll('a')].map((e) => [e.getAttribute('href'),"
        " Math.max(e.getBoundingClientRect().height, e.closest('li')?.getBoundingClientRect().height || 0)])"
    )
    assert len(links) > 10
    for place, height in links:
        assert (club / place).is_file(), place
        assert height >= 36, place
    chromium.click(".games a")
    chromium.wait_for("location.pathname.includes('/game/')")

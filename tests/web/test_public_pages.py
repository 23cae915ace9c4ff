"""Test the public pages by HTTP, built from the log on request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.service.pages.club import with_pages
from tests.web.conftest import Site, serve


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with sqlite_store(tmp_path) as store:
        table = with_pages(make_table(store), tmp_path / "pages")
        yield from serve(table)


def test_a_page_follows_the_log(site: Site) -> None:
    """The next request has the move, and a browser that has the page already gets no second copy."""
    game = site.table.started(3)
    path, browser = f"/club/game/{game.id}.html", site.browser()
    dealt = browser.get(path)
    assert dealt.status == 200
    assert dealt.headers["Content-Type"] == "text/html"
    assert "The deal" in dealt.text
    again = browser.get(path, If_None_Match=dealt.headers["ETag"])
    assert (again.status, again.text) == (304, "")
    site.table.answer(*site.table.standby(game))
    moved = browser.get(path, If_None_Match=dealt.headers["ETag"])
    assert moved.status == 200
    assert "Move 1 of 1" in moved.text


def test_lists_feeds_and_standings_are_served(site: Site) -> None:
    game = site.table.started(3)
    browser = site.browser()
    for path in ("/club/", "/club/index.html"):
        assert f'href="game/{game.id}.html"' in browser.get(path).text
    for name in ("feed.xml", f"game/{game.id}.xml"):
        assert browser.get(f"/club/{name}").headers["Content-Type"] == "application/atom+xml"
    assert browser.get("/club/standings.html").status == 200


@pytest.mark.parametrize(
    "name", ["game/none.html", "league/none.html", ".lock", "game/", "%2e%2e/pbem.toml", "x/y.html"]
)
def test_what_has_no_page_is_not_found(site: Site, name: str) -> None:
    site.table.started(2)
    answer = site.browser().get(f"/club/{name}")
    assert answer.status == 404
    assert answer.headers["X-Robots-Tag"] == "noindex"


def test_a_page_shows_no_hand_and_keeps_the_strict_headers(site: Site) -> None:
    """No site may frame it, and browsers ask again before they show what they kept."""
    game = site.table.started(3)
    answer = site.browser().get(f"/club/game/{game.id}.html")
    for seat in game.state.seats:
        assert all(f'data-card="{card}"' not in answer.text for card in seat.hand)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def read_only(table: Table) -> tuple[int, ...]:
    with table.service.store.reading() as uow:
        return uow.pages.stamp()

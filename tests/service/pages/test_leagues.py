"""Test pages of leagues, which show only the names on pages of their games."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pbem.service.league import orders
from pbem.service.pages import building
from tests.service.conftest import Table
from tests.service.league.club import Club
from tests.service.league.test_leagues import begun, played
from tests.service.pages.club import URL, build_anew, files, text_of, with_pages
from tests.show import markup

PAGE = "league/winter.html"


@pytest.fixture
def club(table: Table, tmp_path: Path) -> Table:
    return with_pages(table, tmp_path / "pages")


def read_page(table: Table) -> str:
    """Build the pages, check the page of the league, and return it."""
    building.build(table.service)
    section = table.service.config.pages
    assert section.folder is not None
    data = (section.folder / PAGE).read_bytes()
    assert list(markup.faults(data.decode())) == []
    assert len(data) <= 100_000
    assert b"@example" not in data
    return data.decode()


def deal(club: Club) -> None:
    club.table.wait(days=1, minutes=1)


def test_from_sign_up_to_a_winner(both: Table, tmp_path: Path) -> None:
    """At each stage a build into an empty folder gives the same bytes."""
    club = with_pages(both, tmp_path / "pages")
    four = begun(club, 4, "2 rounds, tables of 2", silent=4)
    page = read_page(club)
    assert "2 rounds of Phyliss at tables of 2" in page
    assert "Round 1 of 2: 2 of 2 tables still play. It ends " in page
    assert not any(name in page for name in four.names)  # no cards are dealt yet
    assert read_feed(tmp_path) == ["League winter: round 1 of 2 of Phyliss is drawn"]
    deal(four)
    page = read_page(club)
    assert all(f"<bdi>{name}</bdi>" in page for name in four.names)
    (game, other) = four.running()
    assert page.count(f'href="game/{game.id}.html">plays</a>') == 2
    assert "<section>\n<h2>Round 1 <span>2</span></h2>" in page
    folder = tmp_path / "pages"
    assert f'href="{PAGE}">League winter: Phyliss, round 1 of 2</a>' in text_of(
        folder, "index.html"
    )
    assert f'href="../{PAGE}">League winter</a>' in text_of(folder, f"game/{other.id}.html")
    assert files(folder) == build_anew(club, tmp_path / "anew")
    played(four)
    page = read_page(club)
    assert f'<a href="game/{game.id}.html">1.00</a>' in page or "0.50</a>" in page
    played(four)
    page = read_page(club)
    league = four.league("winter")
    assert f"{four.ids[league.ranking[0]]} won." in page
    assert league.terms.secret in page
    won, *rounds = read_feed(tmp_path)
    assert won == f"League winter: {four.ids[league.ranking[0]]} won"
    assert rounds == [f"League winter: round {n} of 2 of Phyliss is drawn" for n in (2, 1)]
    assert "Phyliss, over</a>" in text_of(folder, "index.html")
    assert files(folder) == build_anew(club, tmp_path / "anew2")
    assert building.build(club.service).changed == 0


def read_feed(tmp_path: Path) -> list[str]:
    """Return the titles about leagues in the feed, newest first. Each links to the page."""
    root = ET.fromstring(text_of(tmp_path / "pages", "feed.xml"))  # noqa: S314  (ours)
    name = "{http://www.w3.org/2005/Atom}"
    found = [
        one for one in root.iter(f"{name}entry") if "League" in str(one.findtext(f"{name}title"))
    ]
    ids = {one.findtext(f"{name}id") for one in found}
    assert len(ids) == len(found)
    for one in found:
        (link,) = one.iter(f"{name}link")
        assert link.get("href") == f"{URL}/{PAGE}"
    return [str(one.findtext(f"{name}title")) for one in found]


def test_sign_up_is_told_without_names(club: Table, tmp_path: Path) -> None:
    """Show only the number of players, and no page if the league is stopped."""
    five = Club(club, ["Adelberg", "Belaberg", "Coraberg"])
    five.write("Adelberg", "new league phyliss, 3 rounds, called winter")
    page = read_page(club)
    assert "1 player has signed up" in page
    assert "“join league winter” to game@play.example.org" in page
    assert 'href="mailto:game@play.example.org?subject=join%20league%20winter&amp;body=' in page
    five.write("Belaberg", "join league winter")
    page = read_page(club)
    assert "2 players have signed up" in page
    assert five.league("winter").terms.commitment in page
    assert five.league("winter").terms.secret not in page
    assert not any(name in page for name in five.names)
    orders.stop(club.service, "winter", "its name")
    building.build(club.service)
    assert not (tmp_path / "pages" / PAGE).exists()
    assert "winter" not in text_of(tmp_path / "pages", "index.html")


def test_it_names_whom_pages_of_its_games_name(club: Table, tmp_path: Path) -> None:
    """A player without pages appears without a name, and so do the opponents."""
    four = begun(club, 4, "2 rounds, tables of 2")
    deal(four)
    first, second = (game for game in four.running())
    objecting = [four.ids[seat.player] for seat in first.seats]
    four.write(objecting[0], "pages off", to=four.last(objecting[0], first.id).reply_to)
    page = read_page(club)
    assert not any(name in page for name in objecting)
    assert page.count("<i>a player</i>") == 2
    assert first.id not in page
    assert all(four.ids[seat.player] in page for seat in second.seats)
    assert files(tmp_path / "pages") == build_anew(club, tmp_path / "anew")
    four.write(objecting[0], "pages on", to=four.last(objecting[0], first.id).reply_to)
    assert all(name in read_page(club) for name in objecting)


def test_a_league_that_nobody_may_watch_has_no_page(club: Table, tmp_path: Path) -> None:
    deal(begun(club, 2, "1 round, tables of 2, observers=off"))
    building.build(club.service)
    assert sorted(files(tmp_path / "pages")) == ["feed.xml", "index.html", "standings.html"]
    assert building.build(club.service).changed == 0


def test_names_are_text(club: Table, tmp_path: Path) -> None:
    deal(begun(club, 2, "1 round, tables of 2"))
    club.write(
        lambda uow: uow.connection.exec_driver_sql("UPDATE player SET name = '<script>&\"</title>'")
    )
    building.build(club.service)
    page = read_page(club)
    assert "<script>" not in page
    assert page.count("&lt;script&gt;") >= 2

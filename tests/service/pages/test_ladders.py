"""Test pages of ladders, which show only the names on pages of their challenges."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.service.pages import building
from pbem.service.people import erasure
from tests.service.conftest import Table
from tests.service.league.club import Club
from tests.service.league.test_ladder import (
    ANNA,
    BOB,
    CARO,
    DORA,
    challenged,
    club_of,
    four,
    lost,
    made,
    order,
)
from tests.service.pages.club import build_anew, files, with_pages
from tests.show import markup

PAGE = "ladder/phyliss.html"


@pytest.fixture
def club(table: Table, tmp_path: Path) -> Club:
    return club_of(with_pages(table, tmp_path / "pages"))


def catch_up(club: Club, tmp_path: Path) -> dict[str, bytes]:
    """Build over earlier files, and compare them with a build into an empty folder."""
    building.build(club.table.service)
    found = files(tmp_path / "pages")
    assert found == build_anew(club.table, tmp_path / f"anew{len(list(tmp_path.iterdir()))}")
    return found


def read_page(club: Club, tmp_path: Path) -> str:
    page = catch_up(club, tmp_path)[PAGE]
    assert list(markup.faults(page.decode())) == []
    assert b"@example" not in page
    return page.decode()


def list_names(page: str) -> list[str]:
    """Return the names on the ladder, from the top."""
    return re.findall(r'<th scope="row">\d+\. (?:<bdi>|<i>)(.*?)<', page)


def test_the_page_follows_the_order(both: Table, tmp_path: Path) -> None:
    """The page exists from the first challenge on, and index and games link to it."""
    club = club_of(with_pages(both, tmp_path / "pages"))
    assert PAGE not in catch_up(club, tmp_path)
    game = made(club, BOB, ANNA)
    assert PAGE not in catch_up(club, tmp_path)  # nothing is dealt yet
    club.write(ANNA, "join", to=club.last(ANNA, game.id).reply_to)
    page = read_page(club, tmp_path)
    assert "Nobody stands on it yet." in page
    assert "<h2>Running challenges <span>1</span></h2>" in page
    found = catch_up(club, tmp_path)
    assert f'<a href="{PAGE}">Ladder of Phyliss</a>' in found["index.html"].decode()
    assert f'<a href="../{PAGE}">Ladder of Phyliss</a>' in found[f"game/{game.id}.html"].decode()
    lost(club, ANNA, game)
    assert list_names(read_page(club, tmp_path)) == [BOB, ANNA]
    lost(club, CARO, challenged(club, CARO, BOB))
    lost(club, BOB, challenged(club, DORA, BOB))
    page = read_page(club, tmp_path)
    assert list_names(page) == order(club) == [DORA, BOB, ANNA, CARO]
    bob = page[page.index(f"<bdi>{BOB}</bdi>") :]
    assert re.search(r">\d+ \w+ \d{4}</a>.*?>3</td>\s*<td class=.sum.>2</td>", bob, re.DOTALL)


def test_it_names_whom_pages_of_challenges_name(club: Club, tmp_path: Path) -> None:
    """Without a page of a challenge there is no page of the ladder, and then lines without names."""
    first = challenged(club, BOB, ANNA)
    club.write(ANNA, "pages off", to=club.last(ANNA, first.id).reply_to)
    lost(club, ANNA, first)
    assert not [name for name in catch_up(club, tmp_path) if name.startswith("ladder")]
    lost(club, BOB, challenged(club, CARO, BOB))
    page = read_page(club, tmp_path)
    assert order(club) == [CARO, BOB, ANNA]
    assert list_names(page) == [CARO, BOB, "a player"]
    assert ANNA not in page
    assert first.id not in page
    line = page[page.index("<i>a player</i>") :].partition("</tr>")[0]
    assert re.findall(r"<td.*?>(.*?)</td>", line) == ["–"] * 3


def test_somebody_who_was_forgotten_is_gone(club: Club, tmp_path: Path) -> None:
    four(club)
    read_page(club, tmp_path)
    erasure.forget(club.table.service, BOB, "asked to go")
    page = read_page(club, tmp_path)
    assert BOB not in page
    assert list_names(page) == [DORA, ANNA, CARO]

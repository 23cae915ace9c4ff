"""Test a player's own files among the pages, and the links to pages in messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.domain.terms.timing import Timing
from pbem.service.pages import building
from pbem.service.people import erasure
from tests.service.conftest import Sent, Table
from tests.service.league.test_leagues import begun, played
from tests.service.pages.club import URL, build_anew, files, with_pages
from tests.show.markup import faults

ADDRESS = re.compile(rf"{URL}/((?:calendar|player)/\S+?)[,;.]*(?=\s|$)")


@pytest.fixture
def club(table: Table, tmp_path: Path) -> Table:
    return with_pages(table, tmp_path / "pages")


def find_file_name(club: Table, seat: int = 0) -> str:
    """Return the file name in the newest message to a seat."""
    return ADDRESS.search(club.last_to(seat).words.replace(" ", "  "))[1]


def read_own(folder: Path) -> dict[str, str]:
    return {
        name: data.decode()
        for name, data in files(folder).items()
        if name.startswith(("calendar/", "player/"))
    }


def test_a_calendar_has_the_deadlines_and_nothing_else(both: Table, tmp_path: Path) -> None:
    """It follows the clock, and a build into an empty folder gives the same bytes."""
    club = with_pages(both, tmp_path / "pages")
    game = club.started(2)
    club.answer(0, "calendar on")
    name = find_file_name(club)
    assert re.fullmatch(r"calendar/[a-z2-7]{32}\.ics", name)
    building.build(club.service)
    while 0 not in club.game(game.id).to_act:
        game = club.skip(game, 1)
    building.build(club.service)
    lines = read_own(tmp_path / "pages")[name].replace("\r\n ", "").split("\r\n")
    deadline = club.deadline(game)
    assert f"DTSTART:{deadline.due_at:%Y%m%dT%H%M%SZ}" in lines
    assert [line for line in lines if line.startswith("SUMMARY")] == [
        "SUMMARY:Your turn in Phyliss with Bob"
    ]
    assert not [line for line in lines if "@example.org" in line or "+" in line]
    assert read_own(tmp_path / "pages")[name].encode() == build_anew(club, tmp_path / "anew")[name]
    while 0 in club.game(game.id).to_act:
        game = club.skip(game, 1)
    building.build(club.service)
    assert "BEGIN:VEVENT" not in read_own(tmp_path / "pages")[name]


def test_calendar_off_removes_it(club: Table, tmp_path: Path) -> None:
    club.started(2)
    club.answer(0, "calendar on")
    building.build(club.service)
    club.answer(0, "Kalender aus")
    club.answer(0, "calendar off")
    building.build(club.service)
    assert read_own(tmp_path / "pages") == {}
    assert '"calendar on"' in club.last_to(0).words


def test_a_page_tells_of_its_player_until_they_say_no(club: Table, tmp_path: Path) -> None:
    """It lists games with pages and ratings, and no address."""
    folder = tmp_path / "pages"
    game = club.started(2)
    club.answer(0, "my page on")
    name = find_file_name(club)
    building.build(club.service)
    page = read_own(folder)[name]
    assert list(faults(page)) == []
    assert "<h1>Anna</h1>" in page
    assert f"game/{game.id}.html" in page
    assert "@example" not in page
    assert f'href="{name}"' in (folder / "index.html").read_text()
    while not club.game(game.id).is_over:
        game = club.skip(game, 50)
    building.build(club.service)
    page = read_own(folder)[name]
    assert re.search(r"Phyliss: rating \d+\.\d ± \d+\.\d after 1 game", page)
    assert len(page.encode()) < 100_000
    assert page.encode() == build_anew(club, tmp_path / "anew")[name]
    club.answer(0, "my page off")
    building.build(club.service)
    assert read_own(folder) == {}
    assert name not in (folder / "index.html").read_text()


def test_who_is_forgotten_has_no_files(club: Table, tmp_path: Path) -> None:
    game = club.started(2)
    club.answer(0, "my page on")
    club.answer(0, "calendar on")
    while not club.game(game.id).is_over:
        game = club.skip(game, 50)
    building.build(club.service)
    assert len(read_own(tmp_path / "pages")) == 2
    erasure.forget(club.service, "Anna", "asked for it")
    building.build(club.service)
    assert read_own(tmp_path / "pages") == {}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "See the table in a browser"), ("de", "Den Tisch im Browser ansehen")],
)
def test_a_turn_mail_leads_to_its_page(
    table: Table, tmp_path: Path, language: str, words: str
) -> None:
    """In the text and in the HTML, once, with cards in words, too."""
    with_pages(table, tmp_path / "pages")
    game, seat, _ = table.start(2)
    table.answer(seat, f"language {language}")
    for look in ("cards plain", "cards words"):
        table.answer(seat, look)
        mail = table.ask(seat, "board")
        shown = mail.html
        address = f"{URL}/game/{game.id}.html"
        assert f"{words}:\n{address}\n" in mail.text.replace("\r\n", "\n")
        assert mail.text.count(address) == 1
        assert address in shown
        assert words in shown


@pytest.mark.parametrize("observers", ["ask", "off"])
def test_a_game_without_a_page_has_no_link(table: Table, tmp_path: Path, observers: str) -> None:
    """This is so without `[pages]`, without observers, and before the deal."""
    if observers == "off":
        with_pages(table, tmp_path / "pages")
    table.started(2, timing=Timing(3 * 86400, observers=observers))
    with_pages(table, tmp_path / "pages")
    before = len(table.delivery.mails)
    table.new_game(2, seed=3)
    assert len(table.delivery.mails) > before
    for mail in table.delivery.mails:
        assert URL not in mail.text


def check_link(mail: Sent, name: str, words: str) -> bool:
    """True if text and HTML of a message each link once to a page of a contest."""
    text, shown = mail.text.replace("\r\n", "\n"), mail.html
    found = (text.count(f"{URL}/{name}"), shown.count(f"{URL}/{name}"))
    assert found in ((0, 0), (1, 1))
    assert (f"{words}:\n{URL}/{name}\n" in text) is (words in shown) is (found == (1, 1))
    return found == (1, 1)


def test_mails_of_a_league_lead_to_its_page(table: Table, tmp_path: Path) -> None:
    """Messages about its tables, standings and end link to it, in the reader's language."""
    four = begun(with_pages(table, tmp_path / "pages"), 4, "2 rounds, tables of 2", silent=4)
    name, words = four.names[0], "See the league in a browser"
    (first,) = (g for g in four.running() if name in [four.ids[s.player] for s in g.seats])
    assert check_link(four.last(name, first.id), "league/winter.html", words)
    table.wait(days=1, minutes=1)
    four.write(name, "language de")
    for look in ("cards plain", "cards words"):
        four.write(name, look)
        game = next(g for g in four.running() if name in [four.ids[s.player] for s in g.seats])
        four.write(name, "board", to=four.last(name, game.id).reply_to)
        de = "Die Liga im Browser ansehen"
        assert check_link(four.mails(name)[-1], "league/winter.html", de)
        assert f"{URL}/game/{game.id}.html" in four.mails(name)[-1].text
    four.write(name, "language en")
    assert check_link(four.write(name, "league winter"), "league/winter.html", words)
    played(four)
    played(four)
    told = [mail for mail in four.mails(name) if " winter" in f" {mail.message['Subject']}"]
    assert len(told) >= 2
    assert all(check_link(mail, "league/winter.html", words) for mail in told)

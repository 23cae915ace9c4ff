"""Test the link to the table's page in the messages of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.domain.terms.timing import Timing
from tests.service.conftest import Sent, Table
from tests.service.league.test_leagues import begun, played
from tests.service.pages.club import URL, with_pages


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


def only_link(mail: Sent, name: str, words: str) -> bool:
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
    assert only_link(four.last(name, first.id), "league/winter.html", words)
    table.wait(days=1, minutes=1)
    four.write(name, "language de")
    for look in ("cards plain", "cards words"):
        four.write(name, look)
        game = next(g for g in four.running() if name in [four.ids[s.player] for s in g.seats])
        four.write(name, "board", to=four.last(name, game.id).reply_to)
        de = "Die Liga im Browser ansehen"
        assert only_link(four.mails(name)[-1], "league/winter.html", de)
        assert f"{URL}/game/{game.id}.html" in four.mails(name)[-1].text
    four.write(name, "language en")
    assert only_link(four.write(name, "league winter"), "league/winter.html", words)
    played(four)
    played(four)
    told = [mail for mail in four.mails(name) if " winter" in f" {mail.message['Subject']}"]
    assert len(told) >= 2
    assert all(only_link(mail, "league/winter.html", words) for mail in told)

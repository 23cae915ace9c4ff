"""One link to the table in the mails of a game, where there are pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.domain.terms.timing import Timing
from tests.service.conftest import Table
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
    game = table.started(2)
    seat = game.to_act[0]
    table.answer(seat, f"language {language}")
    for look in ("cards plain", "cards words"):
        table.answer(seat, look)
        table.answer(seat, "board")
        mail = table.last_to(seat)
        html = mail.message.get_body(("html",))
        assert html is not None
        shown = html.get_content()
        address = f"{URL}/game/{game.id}.html"
        assert f"{words}:\n{address}\n" in mail.text.replace("\r\n", "\n")
        assert mail.text.count(address) == 1
        assert address in shown
        assert words in shown


@pytest.mark.parametrize("observers", ["ask", "off"])
def test_a_game_without_a_page_has_no_link(table: Table, tmp_path: Path, observers: str) -> None:
    """Neither without `[pages]` nor where nobody may watch; a lobby has no page yet."""
    if observers == "off":
        with_pages(table, tmp_path / "pages")
    table.started(2, timing=Timing(3 * 86400, observers=observers))
    with_pages(table, tmp_path / "pages")
    before = len(table.delivery.mails)
    table.new_game(2, seed=3)
    assert len(table.delivery.mails) > before
    for mail in table.delivery.mails:
        assert URL not in mail.text

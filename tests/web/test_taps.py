"""Test the seat page in a real browser: taps on cards and moves, and live updates."""

from __future__ import annotations

import pytest

from tests.show.browser import CHROMIUM, Page
from tests.web.conftest import Site
from tests.web.phones import LOOPBACK, Phone, local, page, phone_of
from tests.web.sight import CALM

__all__ = ["local", "page"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")


def test_tapped_cards_become_a_move(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    phone.open()
    page.click("button[data-t]")
    words = page.ask("document.querySelector('#words').value")
    assert words.startswith("play ")
    assert page.ask("document.querySelector('input[name=move]:checked').value") == words
    assert local.table.game(game.id).version == game.version
    phone.send(game.version, game)
    assert local.table.game(game.id).version > game.version
    assert page.errors == []


def test_a_listed_move_raises_its_cards(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
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
    phone = phone_of(local, page, game)
    phone.open()
    page.click("button[data-t]:not(.no)")
    assert page.ask("document.querySelectorAll('#fits button').length") > 1
    page.click("#fits button")
    assert page.ask("document.querySelector('#words').value").startswith("play ")
    phone.send(game.version, game)


def test_a_browser_without_a_cookie_gives_the_address_once(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    page.forget()
    page.open(phone.url, width=360, height=640)
    page.wait_for(CALM)
    address = local.table.mails_to(phone.seat)[0].rcpt_to
    page.click("button[data-t]")
    assert page.ask("document.querySelector('#who').hidden")
    page.click(".tray .go")
    assert page.ask("document.activeElement.id") == "address"
    assert local.table.game(game.id).version == game.version
    page.ask(f"document.querySelector('#address').value = {address!r}")
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


def test_a_refusal_is_shown_with_what_would_go(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    phone.open()
    page.ask("document.querySelector('#words').value = 'play Kc Kd'")
    page.click(".tray .go")
    page.wait_for("document.querySelector('.result.bad') !== null")
    assert "play Kc Kd" in page.ask("document.querySelector('.result.bad').textContent")
    assert local.table.game(game.id).version == game.version


def test_a_wrong_address_is_asked_for_again(local: Site, page: Page) -> None:
    """With the same order, which is still ready to be sent."""
    game = local.table.started()
    phone = phone_of(local, page, game)
    page.forget()
    page.open(phone.url, width=360, height=640)
    page.wait_for(CALM)
    page.click("button[data-t]")
    words = page.ask("document.querySelector('#words').value")
    page.click(".tray .go")
    page.ask("document.querySelector('#address').value = 'bobb@example.org'")
    page.click(".tray .go")
    page.wait_for("document.querySelector('.result.bad') !== null")
    assert page.ask("document.querySelector('#words').value") == words
    assert page.ask("document.querySelector('#hint').textContent") == "Ready to send."
    assert not page.ask("document.querySelector('#who').hidden")
    page.errors.clear()  # the browser reports the status 403


@pytest.mark.parametrize(("language", "words"), [("en", "play 8d"), ("de", "spiele 8♦")])
def test_the_very_card_that_was_tapped_is_named(
    local: Site, page: Page, language: str, words: str
) -> None:
    """Phyliss lists one card of each rank; the player may mean another one."""
    game = local.table.skip(local.table.started(), 5)
    phone = phone_of(local, page, game)
    local.table.answer(phone.seat, f"language {language}")
    phone.open()
    page.click("button[data-t='8d']")
    assert page.ask("document.querySelector('#words').value") == words
    phone.send(game.version, game)

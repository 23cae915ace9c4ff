"""Test the seat page: its content, its forms, and that it leaks nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.domain.table.game import Game
from pbem.errors import StoreAwayError
from pbem.service.admin import acts
from pbem.service.core.names import seat_page_address
from pbem.service.intake.page_acts import (
    PAGE,
    WRONG_ADDRESSES,
    WRONG_PAGE,
    Form,
    find_visit,
    send,
)
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.verify import verify_game
from pbem.service.people.mail_acts import rotate
from pbem.web import pages
from tests.service.conftest import NAMES, Table
from tests.web.conftest import URL, Browser, Site, moves_of

STRICT = {
    "Content-Security-Policy": "default-src 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}


def _address(seat: int) -> str:
    return f"{NAMES[seat].lower()}@example.org"


def _cards(game: Game, seat: int) -> set[str]:
    return {str(card) for card in game.ruleset.view(game.state, seat)["seats"][seat]["hand"]}  # type: ignore[index,arg-type,call-overload]


def _shown_cards(text: str) -> set[str]:
    return set(re.findall(r'data-t="(\w+)"', text))


def test_mails_have_no_link_while_the_page_is_off(table: Table) -> None:
    game = table.started()
    assert "/seat/" not in table.last_to(game.to_act[0]).raw.decode()


def test_the_link_of_a_mail_shows_what_the_mail_shows(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    page = site.browser().get(site.link(seat))
    assert page.status == 200
    assert _shown_cards(page.text) == _cards(game, seat)
    assert "Your turn" in page.text
    assert re.findall(r"<b>(2\d)</b>", page.text)[:3] == ["21", "22", "23"]


def test_a_newcomer_reads_what_a_turn_is(site: Site) -> None:
    """As in the mail, until they have had some turns."""
    game = site.table.started()
    seat = int(game.to_act[0])
    page = site.browser().get(site.link(seat)).text
    assert "What you can do" in page
    assert "The last one with cards loses." in page
    for _ in range(20):
        game = site.table.skip(game, 1)
    page = site.browser().get(site.link(int(game.to_act[0]))).text
    assert "What you can do" not in page


def test_a_player_with_encrypted_mails_gets_no_link(site: Site) -> None:
    game = site.table.started()
    with site.table.service.store.reading() as uow:
        player = uow.players.get(game.seats[0].player)
    assert player is not None
    assert seat_page_address(site.table.service, game, 0, player)
    assert seat_page_address(site.table.service, game, 0, replace(player, openpgp="key")) == ""


def test_every_answer_has_the_strict_headers(site: Site) -> None:
    game = site.table.started()
    path = site.link(game.to_act[0])
    browser = site.browser()
    for answer in (
        browser.get(path),
        browser.get("/seat/-/seat.css"),
        browser.get("/seat/nothing"),
        browser.get("/elsewhere"),
        browser.ask("POST", path, "once=1"),
        browser.ask("DELETE", path),
    ):
        for name, value in STRICT.items():
            assert answer.headers[name].startswith(value)
        assert "server" not in answer.headers


def test_a_page_has_no_inline_style_script_or_foreign_address(site: Site) -> None:
    game = site.table.started()
    text = site.browser().get(site.link(game.to_act[0])).text
    assert not re.search(r"\sstyle=|\son\w+=|<script>|<style", text)
    assert not re.search(r"https?://", text)


def test_looking_changes_nothing(site: Site) -> None:
    game = site.table.started()
    table, path = site.table, site.link(game.to_act[0])
    before = (table.inbox(), table.outbox(), table.game(game.id).version)
    browser = site.browser()
    for _ in range(5):
        browser.get(path)
        browser.ask("HEAD", path)
    assert (table.inbox(), table.outbox(), table.game(game.id).version) == before
    assert browser.cookies == {}


@pytest.mark.parametrize("receipts", ["on", "off"])
def test_the_first_act_asks_for_the_address_and_brings_one_mail(site: Site, receipts: str) -> None:
    """It reports the new browser. The page shows what came of the move."""
    game = site.table.started()
    seat = game.to_act[0]
    site.table.answer(seat, f"receipts {receipts}")
    site.table.run()
    before = len(site.table.mails_to(seat))
    browser, path = site.browser(), site.link(seat)
    refused = browser.send(path, "21")
    assert refused.status == 403
    assert site.table.game(game.id).version == game.version
    done = browser.send(path, "21", _address(seat))
    assert done.status == 200
    assert site.table.game(game.id).version > game.version
    assert "You played" in done.text
    (cookie,) = browser.cookies
    assert cookie.startswith("pbem-")
    site.table.run()
    (mail,) = site.table.mails_to(seat)[before:]
    assert "A browser gave your e-mail address" in mail.words


def test_the_cookie_is_for_this_site_and_no_script(site: Site) -> None:
    game = site.table.started()
    browser, path = site.browser(), site.link(game.to_act[0])
    page = browser.get(path)
    form = f"once={page.field('once')}&digest={page.field('digest')}&words=board&address=Anna%40example.org"
    answer = browser.ask("POST", path, form)
    cookie = answer.headers["Set-Cookie"]
    assert {part.strip().lower() for part in cookie.split(";")[1:]} >= {
        "httponly",
        "secure",
        "samesite=strict",
        "path=/seat/",
    }


@pytest.mark.parametrize("receipts", ["on", "off"])
def test_what_a_known_browser_sends_is_shown_and_not_mailed(site: Site, receipts: str) -> None:
    """Also to a player who wants no mail for a move that goes well."""
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    site.table.answer(seat, f"receipts {receipts}")
    site.table.run()
    before = len(site.table.mails_to(seat))
    browser.send(path, "21")
    site.table.run()
    assert site.table.game(game.id).version > game.version
    assert len(site.table.mails_to(seat)) == before
    row = next(row for row in reversed(site.table.inbox()) if row.transport == PAGE)
    assert row.status == "done"
    assert row.cause in {event.cause for event in site.table.log(game)}


def test_a_refused_order_is_explained_on_the_page(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    foreign = next(card for card in ("Kc", "Qc", "Jc") if card not in _cards(game, seat))
    page = browser.send(path, f"play {foreign}")
    assert page.status == 200
    assert f"play {foreign}" in page.text
    assert "Nothing has changed." in page.text
    assert site.table.game(game.id).version == game.version


def test_talk_reaches_the_others(site: Site) -> None:
    game = site.table.started()
    seat = (game.to_act[0] + 1) % 3
    browser, path = site.known(seat)
    assert browser.send(path, "say hello from the page").status == 200
    reader, there = site.known((seat + 1) % 3)
    assert "hello from the page" in reader.get(there).text


def test_an_order_that_needs_a_yes_is_asked_about_by_mail(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    page = browser.send(path, "resign confirm")
    assert "a mail asks you for it" in page.text or "mail" in page.text
    assert site.table.game(game.id).seats[seat].status == "joined"
    site.table.run()
    assert "+q-" in site.table.question(seat).reply_to


def test_help_comes_by_mail_and_the_page_says_so(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    assert "on its way to you by mail" in browser.send(path, "rules").text
    site.table.run()
    assert "rules of Phyliss" in site.table.last_to(seat).message["Subject"]


def test_a_stale_page_sends_nothing_and_keeps_the_words(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    old = browser.get(path)
    browser.send(path, "21")
    version = site.table.game(game.id).version
    assert version > game.version
    stale = browser.send(path, "22", page=old)  # the form was sent before
    fields = {"once": "abcdefgh23456722", "digest": old.field("digest"), "words": "play 2c now"}
    stale = browser.post(path, fields)
    assert stale.status == 409
    assert "nothing was sent" in stale.text
    assert "play 2c now" in stale.text
    assert site.table.game(game.id).version == version


def test_what_was_stored_before_a_crash_is_carried_out_once(site: Site) -> None:
    """The process ends between the commit and the answer: the next one carries it out, and a resend counts once."""
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    page = browser.get(path)
    done = browser.send(path, "21", page=page)
    assert "You played" in done.text
    after = f"{path}?after={page.field('once')}"
    assert "You played" in browser.get(after).text
    assert "You played" in browser.get(after).text
    assert "You played" not in browser.get(path).text


def test_a_form_is_stored_though_the_database_goes_away_after_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is carried out later, and the browser keeps its cookie and sees the result."""
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.browser(), site.link(seat)
    errors: list[Exception] = [StoreAwayError("the disk is full")]
    handle_next = pages.handle_next

    def handle(*args: Any) -> bool:
        if errors:
            raise errors.pop()
        return handle_next(*args)

    monkeypatch.setattr(pages, "handle_next", handle)
    page = browser.get(path)
    assert "You played" in browser.send(path, "21", _address(seat), page=page).text
    assert browser.cookies
    assert errors == []


def test_a_link_alone_shows_nothing_newer_than_its_mail(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    path = site.link(seat)
    site.table.answer(seat, "21")
    page = site.browser().get(path)
    assert page.status == 200
    assert _shown_cards(page.text) == set()
    assert "Phyliss" not in page.text
    assert 'name="address"' in page.text
    browser, path = site.known(seat, path)
    assert "Phyliss" in browser.get(path).text


def test_wrong_addresses_close_the_link_for_other_browsers_alone(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    mine, path = site.known(seat)
    guesser = site.browser()
    for number in range(WRONG_ADDRESSES):
        assert guesser.send(path, "21", f"guess{number}@example.org").status == 403
    assert guesser.send(path, "21", _address(seat)).status == 429
    assert sum(row.transport == WRONG_PAGE for row in site.table.inbox()) == WRONG_ADDRESSES
    assert site.table.game(game.id).version == game.version
    mine.send(path, "21")
    assert site.table.game(game.id).version > game.version
    site.table.clock.forward(days=1, minutes=1)
    assert site.browser().send(path, "board", _address(seat)).status == 200


def test_the_address_of_a_result_lets_no_other_browser_in(site: Site) -> None:
    """It names the form that was sent (`?after=`), and may be passed on like the link."""
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    page = browser.get(path)
    browser.send(path, "21", page=page)
    other = site.browser()
    fields = {name: page.field(name) for name in ("once", "digest")}
    assert other.post(path, fields | {"words": "21"}).status == 403
    assert other.cookies == {}
    assert "Phyliss" not in other.get(f"{path}?after={page.field('once')}").text


def test_a_first_form_whose_answer_was_lost_is_sent_again(site: Site) -> None:
    """The browser has no cookie yet. It sends the same form with the address, and gets the cookie."""
    game = site.table.started()
    seat = game.to_act[0]
    path, browser = site.link(seat), site.browser()
    page = browser.get(path)
    browser.send(path, "21", _address(seat), page)
    browser.cookies.clear()
    browser.send(path, "21", _address(seat), page)
    assert browser.cookies
    assert moves_of(site.table, game.id, seat) == 1


def test_a_stored_move_counts_for_the_table_on_its_page_alone(site: Site) -> None:
    """The table changes while the form is stored, and it is the player's turn again."""
    game = site.table.started(2)
    seat = int(game.to_act[0])
    browser, path = site.known(seat)
    page, service = browser.get(path), site.table.service
    with service.store.reading() as uow:
        visit = find_visit(service, uow, path.rpartition("/")[2], browser.cookies)
    assert visit is not None
    before = game.position
    game = site.table.skip(game, 9, until=lambda now: now.position > before and seat in now.to_act)
    moves = moves_of(site.table, game.id, seat)
    order = site.table.standby(game)[1]
    form = Form(page.field("once"), page.field("digest"), order)
    assert send(service, visit, form) is None
    site.table.run()
    assert moves_of(site.table, game.id, seat) == moves
    assert "older position" in browser.get(f"{path}?after={form.once}").text
    browser.send(path, order)
    assert moves_of(site.table, game.id, seat) == moves + 1


def test_another_players_cookie_opens_nothing(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    path = site.link(seat)
    stranger, _ = site.known((seat + 1) % 3)
    site.table.answer(seat, "21")
    assert "Phyliss" not in stranger.get(path).text
    assert 'name="address"' in stranger.get(path).text


def test_links_and_cookies_end_with_the_reply_addresses(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    rotate(site.table.service, NAMES[seat])
    assert browser.get(path).status == 404
    with site.table.service.store.reading() as uow:
        player = uow.players.get(game.seats[seat].player)
    assert player is not None
    newer = seat_page_address(site.table.service, game, seat, player).removeprefix(URL)
    assert "Your e-mail address, once" in browser.get(newer).text


def test_a_link_ends_a_week_after_the_next_turn(site: Site) -> None:
    """A browser that is known keeps it: a phone may have it on its home screen."""
    game = site.table.started(2)
    seat = int(game.to_act[0])
    mine, path = site.known(seat)
    for _ in range(3):  # each turn is a change of its own
        site.table.skip(game, 1)
    site.table.clock.forward(days=6)
    assert 'name="address"' in site.browser().get(path).text
    site.table.clock.forward(days=2)
    assert site.browser().get(path).status == 404
    assert site.browser().send(path, "board", _address(seat)).status == 404
    assert "Phyliss" in mine.get(path).text


def test_a_link_ends_when_another_person_takes_the_seat(site: Site) -> None:
    game = site.table.started(3)
    seat = int(game.to_act[0])
    browser, path = site.known(seat)
    page = browser.get(path)
    person = lobby.Person("Dora", "dora@example.org")
    after = acts.replace(site.table.service, game.id, NAMES[seat], person, "Ill.", agreed=True)
    assert browser.get(path).status == 404
    assert browser.send(path, "21", page=page).status == 404
    assert site.browser().send(path, "21", "dora@example.org", page).status == 404
    assert site.table.game(game.id).version == after.version


def test_a_form_from_another_site_is_refused(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    page = browser.get(path)
    fields = {"once": page.field("once"), "digest": page.field("digest"), "words": "21"}
    assert browser.post(path, fields, Sec_Fetch_Site="cross-site").status == 403
    assert site.table.game(game.id).version == game.version


def test_the_digest_moves_with_the_view_alone(site: Site) -> None:
    """A secret choice of another seat is an event, and the page does not show that it happened."""
    game = site.table.started(ruleset="cathedral")
    watcher, path = site.known(0)
    before = watcher.get(path)
    site.table.answer(1, "21")
    after = watcher.get(path)
    assert site.table.game(game.id).version > game.version
    assert after.text.partition("<form")[0] == before.text.partition("<form")[0]
    assert after.headers["ETag"] == before.headers["ETag"]
    unchanged = watcher.get(path, If_None_Match=before.headers["ETag"])
    assert unchanged.status == 304
    assert unchanged.text == ""


def test_the_page_follows_the_table(site: Site) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    watcher, path = site.known((seat + 1) % 3)
    before = watcher.get(path)
    site.table.answer(seat, "21")
    after = watcher.get(path, If_None_Match=before.headers["ETag"])
    assert after.status == 200
    assert "Your turn" in after.text


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phalanx", "phase10"])
def test_every_game_is_played_by_pages(site: Site, ruleset: str) -> None:
    game = site.table.started(2, ruleset=ruleset)
    people = {seat: site.known(seat) for seat in range(2)}
    for _ in range(8):
        game = site.table.game(game.id)
        seat = int(game.to_act[0])
        browser, path = people[seat]
        _, order = site.table.standby(game)
        shown = browser.get(path)
        assert "opens your answer" not in shown.text  # a tap does so in mails
        page = browser.send(path, order, page=shown)
        assert page.status == 200
        assert site.table.game(game.id).version > game.version


def test_a_game_that_is_over_is_offered_again(site: Site) -> None:
    game = site.table.started(2, max_plies=8)
    browser, path = site.known(0)
    assert site.table.skip(game, 8).is_over
    assert "Play again" in browser.get(path).text
    with site.table.service.store.reading() as uow:
        assert verify_game(uow, game.id) is not None


@pytest.mark.parametrize("tail", ["/", "//", "/live/"])
def test_no_answer_repeats_a_token_for_another_host(site: Site, tail: str) -> None:
    """A redirect to the same path would name the host of the request, without https."""
    game = site.table.started()
    answer = site.browser().get(f"{site.link(game.to_act[0])}{tail}", Host="evil.example")
    assert answer.status == 404
    assert "Location" not in answer.headers


def test_no_token_address_or_card_reaches_the_log(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    game = site.table.started()
    seat = game.to_act[0]
    browser, path = site.known(seat)
    browser.send(path, "21")
    Browser(site.port).send(path, "21", "guess@example.org")
    out = "".join(capsys.readouterr())
    for secret in (path.rpartition("/")[2], _address(seat), "guess@", "words="):
        assert secret not in out

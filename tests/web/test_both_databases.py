"""Test seat pages on both databases: a game by forms, concurrent forms and broken connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from pbem.domain.log.events import MovePlayed
from pbem.service.intake.page_acts import PAGE
from pbem.service.logbook.verify import verify_game
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.patience import patience
from tests.service.conftest import Table, both
from tests.web.conftest import Browser, Site, moves_of, serve

__all__ = ["both"]


@pytest.fixture
def either(both: Table) -> Iterator[Site]:
    yield from serve(both)


@pytest.fixture
def other(either: Site) -> Iterator[Site]:
    """Create another service on the database of `either`."""
    service = either.table.service
    store = Store(service.store.db_engine.url.render_as_string(hide_password=False), keys=ring)
    try:
        yield from serve(replace(either.table, service=replace(service, store=store)))
    finally:
        store.close()


def _form(browser: Browser, path: str, words: str) -> dict[str, str]:
    """Open a page, and return the form that sends these words from it."""
    page = browser.get(path)
    return {"once": page.field("once"), "digest": page.field("digest"), "words": words}


def _post_raw(browser: Browser, path: str, fields: dict[str, str], *, is_whole: bool) -> None:
    """Send a form, or the first half of it, and hang up without reading the answer."""
    body = urlencode(fields).encode()
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", browser.port), patience(10)) as opened:
        opened.sendall(head.encode() + (body if is_whole else body[: len(body) // 2]))


def test_a_game_to_its_end_by_forms(either: Site) -> None:
    game = either.table.started(2, max_plies=10)
    people = {seat: either.known(seat) for seat in range(2)}
    for _ in range(30):
        game = either.table.game(game.id)
        if game.is_over:
            break
        browser, path = people[int(game.to_act[0])]
        _, words = either.table.standby(game)
        assert browser.send(path, words).status == 200
        assert either.table.game(game.id).version > game.version
    assert game.is_over
    with either.table.service.store.reading() as uow:
        assert verify_game(uow, game.id).complete


def test_a_form_that_comes_eight_times_at_once_is_one_move(either: Site) -> None:
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    page = browser.get(path)
    fields = {"once": page.field("once"), "digest": page.field("digest"), "words": "21"}
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda _: browser.post(path, fields), range(8))]
    assert {answer.status for answer in answers} == {200}
    assert sum(row.transport == PAGE for row in either.table.inbox()) == 2
    assert moves_of(either.table, game.id, seat) == 1


def test_eight_tabs_at_once_make_one_move(either: Site, other: Site) -> None:
    """Each tab sends a form of its own; half of them use another service on the same database."""
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    forms = [_form(browser, path, "21") for _ in range(8)]
    browsers = [Browser(port, {**browser.cookies}) for port in (either.port, other.port) * 4]
    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda tab, form: tab.post(path, form), browsers, forms)]
    assert moves_of(either.table, game.id, seat) == 1
    assert {answer.status for answer in answers} <= {200, 409}
    assert all(row.status != "new" for row in either.table.inbox())


def test_two_tabs_count_in_the_order_in_which_their_forms_come(either: Site) -> None:
    """The form of the first tab comes last and is stale; sent again, it still is no move."""
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    first, second = _form(browser, path, "22"), _form(browser, path, "21")
    assert "You played" in browser.post(path, second).text
    for _ in range(2):
        assert browser.post(path, first).status == 409
    assert moves_of(either.table, game.id, seat) == 1


def test_a_form_whose_sender_hung_up_is_sent_again_and_is_one_move(either: Site) -> None:
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    fields = _form(browser, path, "21")
    for _ in range(4):
        _post_raw(browser, path, fields, is_whole=True)
    assert "You played" in browser.post(path, fields).text
    assert sum(row.transport == PAGE for row in either.table.inbox()) == 2
    assert moves_of(either.table, game.id, seat) == 1


def test_half_a_form_is_nothing(either: Site) -> None:
    game = either.table.started(3)
    seat = int(game.to_act[0])
    browser, path = either.known(seat)
    fields = _form(browser, path, "21")
    rows = len(either.table.inbox())
    _post_raw(browser, path, fields, is_whole=False)
    assert browser.get(path).field("digest") == fields["digest"]
    assert len(either.table.inbox()) == rows
    assert "You played" in browser.post(path, fields).text


def test_a_tap_waits_for_mails_of_its_own_game_alone(either: Site) -> None:
    """Those are handled before it, in order of arrival."""
    table = either.table
    other = table.started(3)
    elsewhere = int(other.to_act[0])
    other_address = table.last_to(elsewhere).reply_to
    game = table.started(3, seed=2)
    seat = int(game.to_act[0])
    address = table.last_to(seat).reply_to
    browser, path = either.known((seat + 1) % 3)
    either.pages.wake = lambda: None  # nothing else handles mails
    table.answer(elsewhere, "21", to=other_address, run=False)
    table.answer(seat, "21", to=address, run=False)
    assert "are being carried out" not in browser.send(path, "say hello").text
    assert [row.status for row in table.inbox()[-3:]] == ["new", "done", "done"]
    assert table.game(other.id).version == other.version
    first = next(item for item in table.log(game) if item.version > game.version)
    assert isinstance(first.event, MovePlayed)
    assert moves_of(table, game.id, seat) == 1

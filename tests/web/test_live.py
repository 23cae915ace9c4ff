"""Test streams of seat pages: an event only when the seat's view has changed."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from engine.api import Seat
from pbem.domain.table.game import Game
from pbem.service.people.mail_acts import rotate
from tests.patience import patience
from tests.service.conftest import Table
from tests.web.conftest import Browser, Site, serve


@contextmanager
def stream(browser: Browser, path: str) -> Iterator[http.client.HTTPResponse]:
    """An open stream of a page."""
    connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=patience(20))
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection.request("GET", f"{path}/live", headers={"Cookie": cookies})
    response = connection.getresponse()
    try:
        yield response
    finally:
        response.close()
        connection.close()


def event(response: http.client.HTTPResponse) -> str:
    """Wait for the next event."""
    while not (line := response.readline()).startswith(b"data: "):
        assert line.strip() in (b"", b":")
    return line.removeprefix(b"data: ").decode().strip()


def test_a_move_of_another_player_is_an_event(site: Site) -> None:
    game = site.table.started(3)
    waiting = next(seat for seat in range(3) if seat not in game.to_act)
    browser, path = site.known(waiting)
    with stream(browser, path) as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.headers["Cache-Control"] == "no-store"
        assert event(response) == browser.get(path).field("digest")
        site.table.answer(*site.table.standby(game))
        assert event(response) == browser.get(path).field("digest")


def choice(game: Game, seat: int) -> str:
    move = game.ruleset.standby_move(game.state, Seat(seat))
    return game.ruleset.format_move(game.state, Seat(seat), move)


def test_a_secret_choice_and_a_private_word_are_none(site: Site) -> None:
    """The next event is that of public information (GEN-6)."""
    game = site.table.started(3, ruleset="cathedral")
    browser, path = site.known(0)
    with stream(browser, path) as response:
        first = event(response)
        site.table.answer(1, choice(game, 1))
        site.table.answer(1, "tell Carol hello")
        assert browser.get(path).field("digest") == first
        site.table.answer(2, "say hello to everybody")
        assert event(response) == browser.get(path).field("digest") != first


def test_a_seat_has_four_streams(site: Site) -> None:
    """A fifth page asks from time to time instead; one that was closed makes room."""
    game = site.table.started(2)
    browser, path = site.known(game.to_act[0])
    with (
        stream(browser, path) as one,
        stream(browser, path) as two,
        stream(browser, path) as three,
        stream(browser, path) as four,
    ):
        assert {event(response) for response in (one, two, three, four)}
        with stream(browser, path) as fifth:
            assert fifth.status == 503


def test_a_link_that_opens_nothing_has_no_stream(site: Site) -> None:
    with stream(site.browser(), "/seat/" + "a" * 60) as response:
        assert response.status == 404


def test_the_stream_of_a_forwarded_link_ends_with_what_it_shows(site: Site) -> None:
    """A browser that is not known learns that the table has changed, and nothing of later changes."""
    game = site.table.started(3)
    path = site.link(next(seat for seat in range(3) if seat not in game.to_act))
    with stream(site.browser(), path) as response:
        first = event(response)
        site.table.answer(*site.table.standby(game))
        assert event(response) != first
        assert response.read().strip() == b""
    with stream(site.browser(), path) as response:
        assert response.status == 404


def test_a_stream_ends_with_the_reply_addresses(site: Site) -> None:
    """The old link no longer reports changes of the table."""
    game = site.table.started(3)
    waiting = next(seat for seat in range(3) if seat not in game.to_act)
    with stream(*site.known(waiting)) as response:
        assert event(response)
        rotate(site.table.service, site.table.game(game.id).seats[waiting].player)
        site.table.answer(*site.table.standby(game))
        assert response.read().strip(b":\n") == b""


def test_a_stream_ends_with_the_server(table: Table) -> None:
    """It ends as an answer does, so that the browser connects again and the log stays empty."""
    with ExitStack() as stack:
        with contextmanager(serve)(table) as site:
            site.table.started(3)
            response = stack.enter_context(stream(*site.known(0)))
            assert event(response)
        assert response.read().strip(b":\n") == b""  # IncompleteRead if it was cut off

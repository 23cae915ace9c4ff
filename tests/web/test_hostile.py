"""Test requests that no browser sends: random paths, headers and bodies, and endless senders.

`trials.load.hostile` sends more of them to `pbem serve`.
"""

from __future__ import annotations

import logging
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random  # noqa: TID251  (what strangers send, not what is dealt)

import pytest

from pbem.domain.table.game import Game
from tests.patience import patience
from tests.web import hostile
from tests.web.conftest import Site

COUNT = 300


def _send_hostile(port: int, link: str, game: Game, seed: int = 1) -> None:
    """Send requests at random; none of them is a fault of the service or answered with a card."""
    luck = Random(seed)  # noqa: S311  (not a secret)
    cards = [str(card) for state in game.state.seats for card in state.hand]
    requests = [hostile.request(luck, link, "pbem-x=y") for _ in range(COUNT)]
    with ThreadPoolExecutor(16) as pool:
        for answer in pool.map(partial(hostile.send, port), requests):
            assert b" 500 " not in answer.partition(b"\r\n")[0], answer[:200]
            assert not any(f'data-t="{card}"'.encode() in answer for card in cards)


def test_requests_at_random_change_nothing_and_learn_nothing(site: Site) -> None:
    """Without the player's address or cookie: no move, no word, no card, and the page answers as before."""
    game = site.table.started(3)
    seat = int(game.to_act[0])
    mine, path = site.known(seat)
    link = site.link((seat + 1) % 3)
    site.table.answer(*site.table.standby(game))  # from now on that link alone shows nothing
    now = site.table.game(game.id)
    _send_hostile(site.port, link, now)
    after = site.table.game(game.id)
    assert (after.version, after.head) == (now.version, now.head)
    assert mine.get(path).status == 200
    assert not [row for row in site.table.inbox() if row.transport == "page"][1:]


@pytest.mark.parametrize(("method", "status"), [("POST", b"HTTP/1.1 400 "), ("HEAD", b"")])
def test_a_malformed_body_is_no_fault_of_the_service(
    site: Site, caplog: pytest.LogCaptureFixture, method: str, status: bytes
) -> None:
    """Otherwise a stranger could fill the log with errors."""
    site.table.started(2)
    head = f"{method} {site.link(0)} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = hostile.send(site.port, head.encode() + b"nonsense\r\n")
    assert answer.startswith(status)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_slow_senders_keep_nobody_waiting(site: Site) -> None:
    """Two hundred of them have sent half a request; the page answers at once."""
    game = site.table.started(2)
    mine, path = site.known(int(game.to_act[0]))
    with hostile.slow_senders(site.port, path):
        assert mine.get(path).status == 200
        mine.send(path, "21")
    assert site.table.game(game.id).version > game.version


def test_many_requests_for_one_link_keep_nobody_waiting(site: Site) -> None:
    """Most of sixty at once are refused, and another player's page is answered."""
    game = site.table.started(2)
    mine, path = site.known(int(game.to_act[0]))
    link = site.link(1 - int(game.to_act[0]))
    flood = [socket.create_connection(("127.0.0.1", site.port), patience(20)) for _ in range(60)]
    try:
        for opened in flood:
            opened.sendall(f"GET {link} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert mine.get(path).status == 200
        answers = [opened.recv(12) for opened in flood]
    finally:
        for opened in flood:
            opened.close()
    assert answers.count(b"HTTP/1.1 200") < 60 == len(answers)
    assert {*answers} == {b"HTTP/1.1 200", b"HTTP/1.1 503"}
    assert site.browser().get(link).status == 200

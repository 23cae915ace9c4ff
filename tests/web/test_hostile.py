"""Test requests that no browser sends: random paths, headers and bodies, and endless senders.

`PBEM_HOSTILE=10000` sends more of them.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from random import Random  # noqa: TID251  (what strangers send, not what is dealt)

from pbem.domain.table.game import Game
from tests.patience import patience
from tests.web.conftest import Site

COUNT = int(os.environ.get("PBEM_HOSTILE", "300"))
_METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "", "G\0T")
_NAMES = (
    "Cookie",
    "If-None-Match",
    "Sec-Fetch-Site",
    "Host",
    "Range",
    "X" * 500,
    "Expect",
    "Accept",
)


def _noise(luck: Random, most: int) -> bytes:
    return luck.randbytes(luck.randrange(most))


def _request(luck: Random, link: str, cookie: str) -> bytes:
    """A request that is mostly wrong; parts of it are right, so that it gets further than the first check."""
    token = link.rpartition("/")[2]
    cut = luck.randrange(len(token))
    changed = f"{token[:cut]}{luck.choice('abz09-%/')}{token[cut + 1 :]}"
    path = luck.choice(
        [
            *(link, f"/seat/{changed}", f"{link}/live", f"{link}?after={'a' * 16}", "/seat/", "/"),
            *("/seat/-/../../pbem.toml", "/seat/-/%2e%2e/seat.html", "//seat", "/club/game/x.html"),
            *(
                f"/join/{changed}",
                f"/join/l-{'a' * 16}",
                f"/join/l-{'a' * 16}/qr.svg",
                "/join/../seat/",
            ),
            *("/seat/" + "a" * luck.randrange(9000), "/club/" + "%ed%a0%80", "*", "http://x/seat/"),
        ]
    )
    method = luck.choice(_METHODS)
    heads = [f"{luck.choice(_NAMES)}: {luck.choice([cookie, 'x', '*', '0-', chr(200) * 9])}"]
    heads += [f"Host: {luck.choice(['cards.example.org', 'evil.example', ''])}"]
    body = luck.choice(
        [
            _noise(luck, 3000),
            b"words=21&once=" + b"a" * 16,
            b"&" * luck.randrange(30_000),
            b"name=Zoe&address=zoe%40example.org&once=" + b"c" * 16,
            b"address=" + b"%ff" * 50 + b"&words=board&once=" + b"b" * 16,
        ]
    )
    heads.append(f"Content-Length: {luck.choice([len(body), len(body), 10**9, -1, 0])}")
    if luck.random() < 0.1:
        heads.append("Transfer-Encoding: chunked")
    head = f"{method} {path} HTTP/1.1\r\n" + "\r\n".join(heads) + "\r\n\r\n"
    return (
        (head.encode("latin-1", "replace") + body) if luck.random() < 0.95 else _noise(luck, 2000)
    )


def _sent(port: int, request: bytes) -> bytes:
    """Send a request and close; return the answer, as far as one came."""
    answer = b""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), patience(5)) as opened:
        opened.sendall(request)
        opened.shutdown(socket.SHUT_WR)
        opened.settimeout(patience(2))
        while part := opened.recv(65_536):
            answer += part
    return answer


def _send_hostile(port: int, link: str, game: Game, seed: int = 1) -> None:
    """Send requests at random; none of them is a fault of the service or answered with a card."""
    luck = Random(seed)  # noqa: S311  (not a secret)
    cards = [str(card) for state in game.state.seats for card in state.hand]
    requests = [_request(luck, link, "pbem-x=y") for _ in range(COUNT)]
    with ThreadPoolExecutor(16) as pool:
        for answer in pool.map(partial(_sent, port), requests):
            assert b" 500 " not in answer.partition(b"\r\n")[0], answer[:200]
            assert not any(f'data-t="{card}"'.encode() in answer for card in cards)


@contextmanager
def _slow_senders(port: int, path: str) -> Iterator[None]:
    """Keep two hundred connections open on which half a request has been sent."""
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
    try:
        for number, opened in enumerate(slow):
            length = "" if number % 2 else "Content-Length: 100\r\n\r\nwords="
            opened.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{length}".encode())
        yield
    finally:
        for opened in slow:
            opened.close()


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


def test_slow_senders_keep_nobody_waiting(site: Site) -> None:
    """Two hundred of them have sent half a request; the page answers at once."""
    game = site.table.started(2)
    mine, path = site.known(int(game.to_act[0]))
    with _slow_senders(site.port, path):
        assert mine.get(path).status == 200
        assert "You played" in mine.send(path, "21").text


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

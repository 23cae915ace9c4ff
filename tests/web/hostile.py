"""Requests that no browser sends: random paths, headers and bodies, and senders that never end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random  # noqa: TID251  (what strangers send, not what is dealt)

from tests.patience import patience

SLOW_SENDERS = 200
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


def request(luck: Random, link: str, cookie: str) -> bytes:
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


def send(port: int, request: bytes) -> bytes:
    """Send a request and close; return the answer, as far as one came."""
    answer = b""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), patience(5)) as opened:
        opened.sendall(request)
        opened.shutdown(socket.SHUT_WR)
        opened.settimeout(patience(2))
        while part := opened.recv(65_536):
            answer += part
    return answer


@contextmanager
def slow_senders(port: int, path: str) -> Iterator[None]:
    """Keep connections open on which half a request has been sent."""
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(SLOW_SENDERS)]
    try:
        for number, opened in enumerate(slow):
            length = "" if number % 2 else "Content-Length: 100\r\n\r\nwords="
            opened.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{length}".encode())
        yield
    finally:
        for opened in slow:
            opened.close()

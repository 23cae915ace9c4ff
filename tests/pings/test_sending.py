"""Test pings to real servers on loopback, and refused destinations."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.errors import PermanentDeliveryError, TransientDeliveryError
from pbem.pings import sending
from pbem.pings.sending import PingDelivery, is_public
from pbem.pings.services import SERVICES, read_place
from pbem.sections import Pings
from pbem.service.upkeep import doctor_mail, health
from tests.pings.servers import HOST, PingServer, contexts, serving

TEXT = "Your turn in Phyliss with Bob, until Tue 24 Nov, 13:00"
HOOK = f"webhook https://{HOST}/club?for=anna"


def settings(**values: object) -> Pings:
    return Pings.model_validate({"allow": ("ntfy", "webhook"), **values})


def to_hooks(server: PingServer) -> PingDelivery:
    """What tests alone can do: let a name mean this machine, and allow it."""
    return PingDelivery(
        settings(),
        "Cards",
        resolve=server.resolve,
        is_allowed=lambda address: address == "127.0.0.1",
        tls=contexts()[1],
    )


async def tell(delivery: PingDelivery, place: str, mark: str = "b-1") -> None:
    await delivery.send(TEXT.encode(), mark, place)


async def test_ntfy_gets_topic_title_and_text() -> None:
    """The admin's own server may be on this machine."""
    async with serving(PingServer()) as server:
        await tell(PingDelivery(settings(ntfy=server.url), "Cards"), "ntfy my-topic")
    (taken,) = server.taken
    assert taken.line == "POST / HTTP/1.1"
    assert taken.body == {"topic": "my-topic", "title": "Cards", "message": TEXT}
    assert "b-1" not in str(taken), "what makes a note different holds one of our tokens"


async def test_a_hook_gets_title_and_text() -> None:
    """Over TLS, with a certificate for the name that the player wrote."""
    async with serving(PingServer(), tls=contexts()[0]) as server:
        await tell(to_hooks(server), HOOK)
    (taken,) = server.taken
    assert taken.line == "POST /club?for=anna HTTP/1.1"
    assert taken.headers["Host"] == HOST
    assert taken.body == {"title": "Cards", "text": TEXT}


async def test_a_hook_without_a_certificate_for_its_name_gets_nothing() -> None:
    async with serving(PingServer(), tls=contexts()[0]) as server:
        with pytest.raises(TransientDeliveryError):
            await tell(to_hooks(server), "webhook https://other.example.org/")
    assert server.taken == []


async def test_matrix_joins_and_sends_once() -> None:
    """The same note has the same transaction, whenever it is sent again; another one has another."""
    async with serving(PingServer()) as server:
        found = settings(allow=("matrix",), matrix=server.url, matrix_token="secret")
        for mark in ("b-1", "b-1", "b-2"):
            await tell(PingDelivery(found, "Cards"), "matrix !room:example.org", mark)
    joins, sent = server.taken[::2], server.taken[1::2]
    assert {one.line for one in joins} == {
        "POST /_matrix/client/v3/join/%21room%3Aexample.org HTTP/1.1"
    }
    first, again, other = (one.line for one in sent)
    assert first == again != other
    assert first.startswith(
        "PUT /_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.room.message/"
    )
    assert sent[0].headers["Authorization"] == "Bearer secret"
    assert sent[0].body == {"msgtype": "m.text", "body": f"Cards: {TEXT}"}


async def test_telegram_and_signal_go_through_the_admins_accounts() -> None:
    async with serving(PingServer()) as server:
        found = settings(
            allow=("telegram", "signal"),
            telegram=server.url,
            telegram_token="1:abc",
            signal=server.url,
            signal_number="+491700000000",
        )
        await tell(PingDelivery(found, "Cards"), "telegram 12345678")
        await tell(PingDelivery(found, "Cards"), "signal +491701234567")
    telegram, signal = server.taken
    assert telegram.line == "POST /bot1:abc/sendMessage HTTP/1.1"
    assert telegram.body == {"chat_id": "12345678", "text": f"Cards: {TEXT}"}
    assert signal.line == "POST /v2/send HTTP/1.1"
    assert signal.body["recipients"] == ["+491701234567"]


async def test_discord_mentions_nobody() -> None:
    place = f"discord https://discord.com/api/webhooks/1234567/{'a' * 40}"
    found = read_place(place)
    assert found is not None
    (request,) = SERVICES["discord"].requests(
        settings(), found[1], sending.Note("Cards", "@everyone")
    )
    assert request.body["allowed_mentions"] == {"parse": []}
    assert not request.is_ours


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"HTTP/1.1 503 Away\r\n\r\n", TransientDeliveryError),
        (b"HTTP/1.1 429 Too Many Requests\r\n\r\n", TransientDeliveryError),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", PermanentDeliveryError),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", PermanentDeliveryError),
        (b"SSH-2.0-OpenSSH_9.2\r\n", TransientDeliveryError),
        (b"A" * 100_000, TransientDeliveryError),
        (b"", TransientDeliveryError),
    ],
    ids=["away", "too many", "gone", "redirect", "ssh", "endless line", "nothing"],
)
async def test_failures(answer: bytes, error: type[Exception]) -> None:
    """What may work later, and what never will; nothing is followed, and no word repeats the place."""
    async with serving(PingServer([answer]), tls=contexts()[0]) as server:
        with pytest.raises(error) as raised:
            await tell(to_hooks(server), HOOK)
    assert server.connections == 1
    assert HOST not in str(raised.value)
    assert "club" not in str(raised.value)


@pytest.mark.parametrize("way", ["hangs", "drips"])
async def test_a_slow_server_has_some_seconds_for_all_of_it(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However steadily something comes."""
    monkeypatch.setattr(sending, "PATIENCE", 0.5)
    server = PingServer(hangs=way == "hangs", drips=way == "drips")
    async with serving(server, tls=contexts()[0]):
        began = time.monotonic()
        with pytest.raises(TransientDeliveryError, match="in time"):
            await tell(to_hooks(server), HOOK)
    assert time.monotonic() - began < 5


async def test_the_second_of_several_answers_counts() -> None:
    """RFC 9110 §15.2: some only say that one will come."""
    answer = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
    async with serving(PingServer([answer]), tls=contexts()[0]) as server:
        await tell(to_hooks(server), HOOK)


EARLY = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
LAST = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (EARLY * 6 + LAST, "only says that an answer will come"),
        (EARLY * 100_000, "only says"),
        (b"HTTP/1.1 103 Early Hints\r\n" + b"Link: </x>\r\n" * 1000 + b"\r\n" + LAST, "too long"),
        ((b"HTTP/1.1 103 X\r\nA: " + b"x" * 3000 + b"\r\n\r\n") * 3 + LAST, "too long"),
    ],
    ids=["six", "without an end", "many headers", "long headers"],
)
async def test_interim_answers_without_an_end(answer: bytes, complaint: str) -> None:
    async with serving(PingServer([answer]), tls=contexts()[0]) as server:
        with pytest.raises(TransientDeliveryError, match=complaint):
            await tell(to_hooks(server), HOOK)


HOSTILE = """
http://example.org/
https://127.0.0.1/
https://127.1/
https://2130706433/
https://0x7f000001/
https://0177.0.0.1/
https://0x7f.0.0.0x1/
https://[::1]/
https://[::ffff:127.0.0.1]/
https://localhost/
https://intranet/
https://example.org:22/
https://example.org:8443/
https://anna:secret@example.org/
https://example.org@127.0.0.1/
https://example.org#@127.0.0.1/
https://example.org\\@127.0.0.1/
https://127.0.0.1\\.example.org/
https://example.org/a\tb
https://example.org/␍␊Host:evil
https://example.org/ä
https://exämple.org/
https://example。org/
https://example.org./
https://-example.org/
https:///etc/passwd
https://
https:example.org
//example.org/
file:///etc/passwd
gopher://example.org/
ftp://example.org/
javascript:alert(1)
https://169.254.169.254/latest/meta-data/
https://{host}/
""".strip().split("\n")


@pytest.mark.parametrize("url", HOSTILE)
def test_what_is_no_place_is_not_taken(url: str) -> None:
    """Only https, a name with a dot, the usual port, nothing before an @."""
    assert read_place(f"webhook {url.replace('␍␊', chr(13) + chr(10))}") is None


def test_a_place_of_a_service_is_no_place_elsewhere() -> None:
    for text in (
        "ntfy a/b-topic",
        "ntfy https://example.org/topic",
        "ntfy ../../x",
        "matrix !room:localhost",
        "matrix @anna:example.org",
        "telegram @anna",
        "telegram 1/../2",
        "signal 0170",
        f"discord https://discord.com.example.org/api/webhooks/1234567/{'a' * 40}",
        f"discord https://discord.com/api/webhooks/1234567/{'a' * 40}/../..",
        f"webhook https://example.org/{'a' * 500}",
        "mail anna@example.org",
        "",
    ):
        assert read_place(text) is None, text


INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",  # noqa: S104  (to be refused)
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "100::1",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "64:ff9b::a83f:8110",
    "2002:a83f:8110::1",
    "::ffff:0:127.0.0.1",
    "100.100.100.200",
    "169.254.170.2",
    "fd00:ec2::254",
    "192.88.99.1",
    "192.175.48.1",
    "3fff::1",
    "5f00::1",
    "2001:20::1",
    "2001:2::1",
    "localhost",
]


@pytest.mark.parametrize("address", INSIDE)
async def test_no_name_leads_into_a_private_network(address: str) -> None:
    """Whatever the name is: what counts are the addresses that it has."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[tuple[str, int]]:
        asked.append(host)
        return [("93.184.216.34", port), (address, port)]

    with pytest.raises(PermanentDeliveryError, match="not on the public internet"):
        await tell(PingDelivery(settings(), "Cards", resolve=resolve), HOOK)
    assert asked == [HOST]


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "2a00::1"])
def test_the_public_internet_is_public(address: str) -> None:
    assert is_public(address)


async def test_the_address_that_was_checked_is_the_one_that_is_asked() -> None:
    """A name that means another machine at the second look (DNS rebinding) is looked at once."""
    async with (
        serving(PingServer(), tls=contexts()[0]) as checked,
        serving(PingServer(), tls=contexts()[0]) as other,
    ):
        left = [checked, other]

        async def resolve(_host: str, _port: int) -> Sequence[tuple[str, int]]:
            return [("127.0.0.1", left.pop(0).port)]

        delivery = PingDelivery(
            settings(), "Cards", resolve=resolve, is_allowed=lambda _: True, tls=contexts()[1]
        )
        await tell(delivery, HOOK)
    assert (checked.connections, other.connections) == (1, 0)


async def test_a_slow_name_server_takes_no_thread_from_moves_and_mails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: is_over.wait(10) and [])
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    asked = [asyncio.create_task(sending.resolve("slow.example.org", 443)) for _ in range(8)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "done"), 5) == "done"
    finally:
        is_over.set()
        await asyncio.gather(*asked)


async def test_names_are_really_resolved() -> None:
    """With nothing replaced: `localhost` by any name is refused, a name that is none waits."""
    found = await sending.resolve("localhost", 443)
    assert found
    assert not any(is_public(address) for address, _ in found)
    with pytest.raises(TransientDeliveryError):
        await tell(PingDelivery(settings(), "Cards"), "webhook https://no-such-host.invalid/")


def test_no_setting_opens_the_private_network() -> None:
    """What decides is no setting, and no variable of the environment."""
    assert [name for name in Pings.model_fields if "private" in name or "resolve" in name] == []
    assert PingDelivery(settings(), "Cards")._is_allowed is is_public


async def test_a_server_that_is_not_there_is_asked_again() -> None:
    async with serving(PingServer()) as server:
        pass
    await asyncio.sleep(0)
    with pytest.raises(TransientDeliveryError, match="no connection"):
        await tell(PingDelivery(settings(ntfy=server.url), "Cards"), "ntfy my-topic")


def test_the_doctor_tries_the_admins_servers() -> None:
    """A connection, and no request; servers that players name are not known to it."""
    closed = "http://127.0.0.1:1"
    found = list(doctor_mail.examine_pings(settings(ntfy=closed)))
    assert [one.status for one in found] == [health.WARN, health.OK]
    assert f"{closed} cannot be reached" in found[0].text
    with socket.create_server(("127.0.0.1", 0)) as server:
        open_one = f"http://127.0.0.1:{server.getsockname()[1]}"
        (first, _) = doctor_mail.examine_pings(settings(ntfy=open_one))
    assert first.status == health.OK
    assert list(doctor_mail.examine_pings(Pings())) == []

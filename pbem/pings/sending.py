"""Send notifications over HTTP, also to servers that players have chosen.

Host names are resolved here, all addresses must be public, and the connection uses a checked
address, so that DNS rebinding has no effect. Redirects are not followed, only the status of a
response is read, and everything together may take `PATIENCE` seconds. The admin's own servers are
trusted.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Self
from urllib.parse import SplitResult, urlsplit

from pbem.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError
from pbem.pings.services import SERVICES, Note, Request, read_place
from pbem.sections import Pings

PATIENCE = 10.0
"""Seconds for one notification: name resolution, connection, request and response."""
_MAX_TRIED = 3
"""Maximum number of addresses that are tried for one name."""
_MAX_BYTES = 8192
"""Maximum number of bytes read from all responses to a request."""
_MAX_INTERIM = 5
"""Maximum number of interim (1xx) responses."""
_INSIDE = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "::/96", "::ffff:0:0/96"),
        *("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"),
        *("::ffff:0:0:0/96", "5f00::/16", "3fff::/20"),
        *("168.63.129.16/32", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24"),
    )
)
"""Networks that are not public but that some versions of Python treat as global.

They are IPv6 networks that contain IPv4 addresses (mapped, translated, NAT64, Teredo, 6to4),
special-purpose networks (IANA registries of RFC 6890), and Azure's wire server, which every machine
there can reach. Metadata services of other clouds have link-local or private addresses
(169.254.169.254, 100.100.100.200, fd00:ec2::254).
"""
_RESOLVERS = ThreadPoolExecutor(4, "resolve")
"""Separate threads to resolve host names, because that may be slow."""
_LATER = frozenset({408, 421, 425, 429})

Place = tuple[str, int]
"""An address and a port."""
Resolve = Callable[[str, int], Awaitable[Sequence[Place]]]


def is_public(text: str) -> bool:
    """True if an address, in any notation, belongs to the public internet."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # also fe80::1%eth0
        return False
    is_inside = any(address in network for network in _INSIDE if network.version == address.version)
    return address.is_global and not (address.is_multicast or address.is_reserved or is_inside)


async def resolve(host: str, port: int) -> Sequence[Place]:
    """Return all IPv4 and IPv6 addresses of a host. Raises: OSError."""
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    addresses = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, ask)
    return list(dict.fromkeys((str(address[0]), port) for *_, address in addresses))


class PingDelivery:
    """A `Delivery` of notifications.

    `resolve`, `is_allowed` and `tls` are for tests only.
    """

    def __init__(
        self,
        settings: Pings,
        title: str,
        *,
        resolve: Resolve = resolve,
        is_allowed: Callable[[str], bool] = is_public,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._settings = settings
        self._title = title
        self._resolve = resolve
        self._is_allowed = is_allowed
        self._tls = tls

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        """Send a notification; see `Delivery.send`.

        Args:
            raw: its text.
            mail_from: distinguishes notifications. It is not transmitted.
            rcpt_to: the target.
        """
        destination = read_place(rcpt_to)
        if destination is None:
            raise PermanentDeliveryError("that is no place for pings", scope="recipient")
        mark = hashlib.sha256(f"pbem-ping-v1\n{mail_from}".encode()).hexdigest()[:32]
        note = Note(self._title, raw.decode("utf-8"), mark)
        problem: DeliveryError | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                for request in SERVICES[destination[0]].requests(
                    self._settings, destination[1], note
                ):
                    await self._ask(request)
        except DeliveryError as error:
            problem = error
        except TimeoutError:
            problem = _later("the service did not answer in time")
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError):
            problem = _later("no connection to the service")
        if problem is not None:  # without the cause, which may contain the target
            raise problem from None

    async def _ask(self, request: Request) -> None:
        parts = urlsplit(request.url)
        host, is_tls = parts.hostname or "", parts.scheme == "https"
        places = await self._resolve(host, _port(parts))
        if not places:
            raise _later("the service has no address")
        if not request.is_ours and not all(self._is_allowed(address) for address, _ in places):
            raise PermanentDeliveryError(
                "the name means a machine that is not on the public internet", scope="recipient"
            )
        context = (self._tls or ssl.create_default_context()) if is_tls else None
        reader, writer = await _connected(places[:_MAX_TRIED], context, host)
        try:
            writer.write(_bytes_of(request, parts))
            await writer.drain()
            status = await _status(reader)
        finally:
            writer.transport.abort()
        _judge(status, is_ours=request.is_ours)


async def try_server(url: str) -> None:
    """Connect to one of the admin's servers without a request. Raises: OSError, TimeoutError."""
    parts = urlsplit(url)
    async with asyncio.timeout(PATIENCE):
        context = ssl.create_default_context() if parts.scheme == "https" else None
        places = await resolve(parts.hostname or "", _port(parts))
        _, writer = await _connected(places, context, parts.hostname or "")
        writer.transport.abort()


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


async def _connected(
    places: Sequence[Place], context: ssl.SSLContext | None, host: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of these addresses that accepts. Raises: OSError."""
    name = host if context is not None else None
    problem: OSError = OSError("no address")
    for address, port in places:
        try:
            return await asyncio.open_connection(
                address, port, ssl=context, server_hostname=name, limit=_MAX_BYTES
            )
        except OSError as error:
            problem = error
    raise problem


def _bytes_of(request: Request, parts: SplitResult) -> bytes:
    body = json.dumps(request.body, ensure_ascii=False).encode()
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "Host": parts.netloc,
        "User-Agent": "pbem",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **request.headers,
    }
    lines = [f"{request.method} {target} HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


async def _status(reader: asyncio.StreamReader) -> int:
    """Return the status of a response, skipping interim responses (RFC 9110 §15.2).

    Raises: TransientDeliveryError if there are too many interim responses, or they are too long.
    """
    bytes_left = _MAX_BYTES
    for _ in range(_MAX_INTERIM + 1):
        is_status, code = True, b""
        while True:
            line = await reader.readline()
            bytes_left -= len(line)
            if bytes_left < 0:
                raise _later("the answer of the service is too long")
            if is_status:
                version, code, *_ = [*line.split(), b"", b""]
                is_http = version.startswith(b"HTTP/1.") and len(code) == len("200")
                if not is_http or not code.isdigit():
                    raise _later("the service does not speak HTTP")
                if not code.startswith(b"1"):
                    return int(code)
                is_status = False
            elif not line.strip():
                break
    raise _later("the service only says that an answer will come")


def _judge(status: int, *, is_ours: bool) -> None:
    """Evaluate a status. Raises: DeliveryError for temporary and permanent failures."""
    if status in range(200, 300):
        return
    is_login = is_ours and status in (401, 403)
    if status in range(500, 600) or status in _LATER or is_login:
        raise _later(f"the service cannot do it now ({status})")
    raise PermanentDeliveryError(f"the service refused it ({status})", scope="recipient")


def _later(what: str) -> TransientDeliveryError:
    """Return the error for a temporary failure that does not delay other notifications."""
    return TransientDeliveryError(what, scope="recipient", status="4.1.0")

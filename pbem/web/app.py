"""The web application: routes of all pages, with strict headers.

No token, address or card reaches a log. Faults are logged only with the type of the exception.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.errors import StoreAwayError
from pbem.sections import Web
from pbem.service.core.context import Service
from pbem.web.joining import JoinPages
from pbem.web.pages import SeatPages
from pbem.web.public import PublicPages

log = structlog.get_logger(__name__)

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_HTTP = 80
"""The default port, which browsers omit from Host."""


def service_app(service: Service, web: Web, wake: Callable[[], None]) -> ASGIApp:
    """Build the application of `pbem serve`.

    It has seat pages, invitation links and, with `[pages]`, public pages.

    Args:
        wake: called after a request was stored, so that it is handled at once.
    """
    routes = SeatPages(service, web, wake).routes() + JoinPages(service, web, wake).routes()
    section = service.config.pages
    if section is not None:
        routes += PublicPages(service).routes(urlsplit(section.url).path)
    return application(routes)


def local_app(service: Service) -> ASGIApp:
    """Build the application of `pbem pages serve`: the public pages, for this machine only."""
    return _of_this_machine(application(PublicPages(service).routes()))


def application(routes: list[BaseRoute]) -> ASGIApp:
    """Build an application from routes, with error handlers and strict headers."""
    handlers = {Exception: _fault, HTTPException: _refusal}
    app = Starlette(routes=routes, exception_handlers=handlers)
    # A redirect would repeat a token after http:// and the Host of the request.
    app.router.redirect_slashes = False
    return _with_headers(app)


def _of_this_machine(app: ASGIApp) -> ASGIApp:
    """Reject requests whose Host is not this machine, to prevent DNS rebinding."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        port = scope["server"][1]
        names = [name for host in ("127.0.0.1", "localhost") for name in (f"{host}:{port}", host)]
        allowed = names if port == _HTTP else names[::2]
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and hosts[0] in allowed:
            await app(scope, receive, send)
            return
        headers = [(b"x-robots-tag", b"noindex"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 421, "headers": headers})
        await send({"type": "http.response.body"})

    return guarded


async def _refusal(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse(f"{status}\n", status)


async def _fault(_request: Request, error: Exception) -> Response:
    is_away = isinstance(error, StoreAwayError)
    log.error("page fault", action="page_fault", error=type(error).__name__)
    return PlainTextResponse("503\n" if is_away else "500\n", 503 if is_away else 500)


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Add the strict headers to every response, unless it sets them itself."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] == "http":
            await app(scope, receive, with_headers)

    return guarded

"""The seat page: GET shows the table, POST sends the text that the player entered."""

from __future__ import annotations

import asyncio
import base64
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Route

from pbem import resources
from pbem.errors import SchemaError, StoreError
from pbem.mail_in.sandbox.reader import ReaderAwayError
from pbem.sections import Web
from pbem.service.core.context import Service
from pbem.service.core.names import SERVICE_PAGE, service_mark
from pbem.service.intake import page_acts
from pbem.service.intake.handle_mail import handle_next
from pbem.service.intake.page_acts import Form, Look, Refused, Visit
from pbem.web.forms import read_form
from pbem.web.live import Live
from pbem.web.server import STOPPING

_ASSETS = frozenset({"seat.css", "seat.js", "icon.svg", "icon.png"})
_MANIFEST = "app.webmanifest"
_AT_ONCE = 16
"""Maximum number of pages generated at the same time. Further requests wait."""
_AT_ONCE_PER_LINK = 8
"""Requests for one link that are answered or wait at the same time. Further ones get 503, so that whoever has a link
cannot keep others waiting.
"""
_RESULT_SECONDS = 8.0
_PAUSE = 0.05
"""Seconds between two attempts to handle a stored request."""
_YEAR = 365 * 24 * 3600
_STATUS = {
    Refused.EMPTY: 422,
    Refused.STALE: 409,
    Refused.ADDRESS: 403,
    Refused.TOO_OFTEN: 429,
    Refused.CLOSED: 429,
}


@dataclass(slots=True)
class SeatPages:
    """Handles requests for seat pages.

    Attributes:
        service: shows the table and stores what players send. It is called in threads.
        web: the section of the configuration.
        wake: called after a request was stored, so that it is handled at once.
    """

    service: Service
    web: Web
    wake: Callable[[], None]
    _busy: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _asking: Counter[str] = field(default_factory=Counter)
    _live: Live = field(init=False)

    def __post_init__(self) -> None:
        self._live = Live(self.service)

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the seat pages."""
        seat = f"{self.web.folder}/seat"
        return [
            Route(f"{seat}/", self._home),
            Route(f"{seat}/-/{{name}}", self._asset),
            Route(f"{seat}/{{token}}", self._show),
            Route(f"{seat}/{{token}}/live", self._follow),
            Route(f"{seat}/{{token}}", self._send, methods=["POST"]),
        ]

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name == SERVICE_PAGE:
            return PlainTextResponse(service_mark(self.service))
        if name == _MANIFEST:
            return JSONResponse(self._manifest(), media_type="application/manifest+json")
        if name not in _ASSETS:
            raise HTTPException(404)
        return FileResponse(resources.templates_dir() / "web" / name)

    def _manifest(self) -> dict[str, object]:
        """Return the web app manifest, for phones that put the pages on the home screen."""
        home = f"{self.web.folder}/seat/"
        name = self.service.config.service.name
        return {
            "name": name,
            "short_name": name,
            "start_url": home,
            "scope": home,
            "display": "standalone",
            "background_color": "#ecefe9",
            "theme_color": "#1f5540",
            "icons": [
                {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
                {"src": "icon.png", "sizes": "640x640", "type": "image/png"},
            ],
        }

    async def _home(self, request: Request) -> Response:
        async with self._busy:
            return await asyncio.to_thread(self._own_tables, request.cookies)

    def _own_tables(self, cookies: Mapping[str, str]) -> Response:
        with self.service.store.reading() as uow:
            language, tables = page_acts.own_tables(self.service, uow, cookies)
        given = {"tables": tables, "is_known": bool(language)}
        language = language or self.service.config.service.language
        return HTMLResponse(self.service.renderer.bare_page(language, given, "home.html"))

    @asynccontextmanager
    async def _request_slot(self, token: str) -> AsyncIterator[None]:
        """Wait until a request for a link can be answered. Raises: HTTPException."""
        if self._asking[token] >= _AT_ONCE_PER_LINK:
            raise HTTPException(503)
        self._asking[token] += 1
        try:
            async with self._busy:
                yield
        finally:
            self._asking -= Counter([token])  # drops what is zero

    async def _show(self, request: Request) -> Response:
        token, after = request.path_params["token"], request.query_params.get("after", "")
        async with self._request_slot(token):
            return await asyncio.to_thread(
                self.show, token, request.cookies, after, request.headers.get("if-none-match")
            )

    async def _follow(self, request: Request) -> Response:
        token = request.path_params["token"]
        async with self._request_slot(token):
            visit = await asyncio.to_thread(self._visited, token, request.cookies)
        if visit is None:
            raise HTTPException(404)
        if request.method == "HEAD" or not self._live.has_room(visit[0]):
            raise HTTPException(503)
        headers = {"X-Accel-Buffering": "no"}
        stream = self._live.follow(*visit, request.scope[STOPPING])
        return StreamingResponse(stream, headers=headers, media_type="text/event-stream")

    async def _send(self, request: Request) -> Response:
        fields = await read_form(request)
        token = request.path_params["token"]
        form = Form(
            once=fields.get("once", ""),
            digest=fields.get("digest", ""),
            words=fields.get("words", "").strip() or fields.get("move", ""),
            address=fields.get("address", ""),
        )
        async with self._request_slot(token):
            stored = await asyncio.to_thread(self._stored, token, request.cookies, form)
        if isinstance(stored, Response):
            return stored
        visit, (name, value) = stored
        await self._handled(visit, form.once)
        response = Response(status_code=303, headers={"Location": f"{token}?after={form.once}"})
        if request.cookies.get(name) != value:
            self._set_cookie(response, (name, value))
        return response

    def _set_cookie(self, response: Response, cookie: tuple[str, str]) -> None:
        response.set_cookie(
            *cookie,
            max_age=_YEAR,
            path=f"{self.web.folder}/seat/",
            secure=True,
            httponly=True,
            samesite="strict",
        )

    def _visited(self, token: str, cookies: Mapping[str, str]) -> tuple[Visit, str] | None:
        """Return a visit and the digest of its page, or None if the link shows nothing."""
        with self.service.store.reading() as uow:
            visit = page_acts.find_visit(self.service, uow, token, cookies)
            if visit is None:
                return None
            look = page_acts.page_content(self.service, uow, visit)
        return None if look.mail is None else (visit, look.digest)

    def show(
        self, token: str, cookies: Mapping[str, str], after: str = "", etag: str | None = None
    ) -> Response:
        """Answer a GET request for a seat page. This changes nothing.

        Args:
            after: as in `page_acts.page_content`.
            etag: ETag of the page in the browser's cache, or None.
        """
        with self.service.store.reading() as uow:
            visit = page_acts.find_visit(self.service, uow, token, cookies)
            if visit is None:
                return self._closed(None, 404)
            look = page_acts.page_content(self.service, uow, visit, after)
        tag = f'"{look.digest}"'
        if look.mail is not None and etag == tag and not after:
            return Response(status_code=304, headers={"ETag": tag})
        return self._page(visit, look)

    def _stored(
        self, token: str, cookies: Mapping[str, str], form: Form
    ) -> tuple[Visit, tuple[str, str]] | Response:
        """Store a submitted form. Return the visit and the player's cookie, or a response instead.

        The response is an error page, or a redirect if a new browser must be confirmed by email.
        """
        with self.service.store.reading() as uow:
            visit = page_acts.find_visit(self.service, uow, token, cookies)
            if visit is None:
                return self._closed(None, 404)
            cookie = page_acts.browser_cookie(self.service, uow, visit.player)
        refused = page_acts.send(self.service, visit, form)
        if refused is None:
            return visit, cookie
        if refused is Refused.CLOSED:
            asked = page_acts.ask_by_mail(self.service, visit, form.once)
            if asked is not None:
                response = Response(status_code=303, headers={"Location": token})
                self._set_cookie(response, asked)
                return response
        with self.service.store.reading() as uow:
            look = page_acts.page_content(self.service, uow, visit)
        return self._page(visit, look, _STATUS[refused], problem=refused.value, words=form.words)

    async def _handled(self, visit: Visit, once: str) -> None:
        """Handle a stored request at once, or wait at most `_RESULT_SECONDS` for another worker that does."""
        end = asyncio.get_running_loop().time() + _RESULT_SECONDS
        while not await asyncio.to_thread(self._carry_out, visit, once):
            self.wake()
            if asyncio.get_running_loop().time() > end:
                return
            await asyncio.sleep(_PAUSE)
        self.wake()

    def _carry_out(self, visit: Visit, once: str) -> bool:
        """Handle a stored request, after older messages of its game but before messages of other games.

        Return True when it has been handled, and False if it must wait, e.g. because another worker has the game
        or the database is unavailable. Raises: SchemaError.
        """
        try:
            while (work := page_acts.pending_work(self.service, visit, once)) is not None:
                if not handle_next(self.service, work):
                    return False
        except SchemaError:
            raise
        except (ReaderAwayError, StoreError):
            return False
        return True

    def _page(
        self, visit: Visit, look: Look, status: int = 200, *, problem: str = "", words: str = ""
    ) -> Response:
        player = visit.player
        variables: dict[str, object] = {
            "once": base64.b32encode(self.service.random_bytes(10)).decode().lower(),
            "digest": look.digest,
            "is_known": visit.is_known,
            "by_mail": self.service.trusted is not None and not visit.is_known,
            "number": visit.number,
            "problem": problem,
            "words": words,
            "outcome": "" if look.outcome is None else look.outcome.value,
            "address": self.service.own_address,
        }
        if look.mail is None:
            return self._closed(variables, 200 if status == 200 else status, player.language)  # noqa: PLR2004
        html = self.service.renderer.page(look.mail, player.cards, variables)
        headers = {"ETag": f'"{look.digest}"'} if not problem else {}
        if variables["outcome"] == "waiting":
            headers["Refresh"] = "3"
        return HTMLResponse(html, status, headers)

    def _closed(
        self, variables: Mapping[str, object] | None, status: int, language: str = ""
    ) -> Response:
        given = variables or {"once": "", "problem": ""}
        language = language or self.service.config.service.language
        return HTMLResponse(self.service.renderer.bare_page(language, given), status)

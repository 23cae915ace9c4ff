"""The pages of invitation links: GET shows the game, POST requests a seat."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from pbem.errors import Refusal
from pbem.language import languages, translate
from pbem.sections import Web
from pbem.service.core.context import Service
from pbem.service.lobby import join_links
from pbem.web.forms import read_form

_AT_ONCE = 4
"""Maximum number of pages generated at the same time. Further requests wait."""
_TOO_MANY, _WRONG = 429, 422


@dataclass(slots=True)
class JoinPages:
    """Handles requests for the pages of invitation links. Attributes as in `SeatPages`."""

    service: Service
    web: Web
    wake: Callable[[], None]
    _busy: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the invitation links."""
        page = f"{self.web.folder}/join/{{code}}"
        return [
            Route(page, self._show),
            Route(page, self._send, methods=["POST"]),
            Route(f"{page}/qr.svg", self._picture),
        ]

    async def _show(self, request: Request) -> Response:
        code, is_sent = request.path_params["code"], "sent" in request.query_params
        async with self._busy:
            return await asyncio.to_thread(
                self._page, code, self._language(request), {"is_sent": is_sent}
            )

    async def _send(self, request: Request) -> Response:
        fields, code = await read_form(request), request.path_params["code"]
        async with self._busy:
            refused = await asyncio.to_thread(self._stored, code, self._language(request), fields)
        if refused is not None:
            return refused
        self.wake()
        return Response(status_code=303, headers={"Location": f"{code}?sent"})

    async def _picture(self, request: Request) -> Response:
        """Draw the URL of a link as a QR code."""
        async with self._busy:
            url = await asyncio.to_thread(self._url, request.path_params["code"])
        if not url:
            raise HTTPException(404)
        drawn = io.BytesIO()
        segno.make(url, error="m").save(drawn, kind="svg", scale=8, border=2, xmldecl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    def _url(self, code: str) -> str:
        with self.service.store.reading() as uow:
            link = join_links.find(self.service, uow, code)
        return "" if link is None else join_links.address(self.service, link)

    def _stored(self, code: str, language: str, fields: Mapping[str, str]) -> Response | None:
        """Store a request for a seat. Return a page that explains a refusal, or None."""
        with self.service.store.reading() as uow:
            link = join_links.find(self.service, uow, code)
        if link is None:
            return self._page(code, language, {})
        name, address = fields.get("name", ""), fields.get("address", "")
        try:
            join_links.submit(self.service, link, name, address, language)
        except Refusal as refusal:
            status = _TOO_MANY if refusal.code == "limit" else _WRONG
            problem = translate(refusal.message, language)
            given = {"problem": problem, "name": name, "given": address}
            return self._page(code, language, given, status)
        return None

    def _page(
        self, code: str, language: str, given: Mapping[str, object], status: int = 200
    ) -> Response:
        service = self.service
        with service.store.reading() as uow:
            link = join_links.find(service, uow, code)
            mail = None if link is None else join_links.page(service, uow, link, language)
        if mail is None:
            return HTMLResponse(service.renderer.bare_page(language, {}, "ended.html"), 404)
        variables = {"is_sent": False, "problem": "", "name": "", "given": ""} | dict(given)
        variables |= {"code": code, "address": service.own_address, "site": self.web.url}
        return HTMLResponse(service.renderer.page(mail, (), variables), status)

    def _language(self, request: Request) -> str:
        """Return the first language of the browser that we support, or else the service's."""
        wanted = request.headers.get("accept-language", "").lower().split(",")
        codes = (part.strip()[:2] for part in wanted)
        known = (code for code in codes if code in languages())
        return next(known, self.service.config.service.language)

"""The public pages: lists of games, tables, leagues, ladders, standings, feeds and calendars.

See docs/pages.md.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pbem.errors import LogError, UpcastError
from pbem.service.core.context import Service
from pbem.service.pages import club
from pbem.service.pages.files import INDEX

_AT_ONCE = 2
"""Maximum number of pages generated at the same time. Further requests wait."""
_FRESH_SECONDS = 2.0
"""Minimum interval between two reads of all games. It is longer if a read takes long."""
_READING_SHARE = 20
_TYPES = {"html": "text/html", "xml": "application/atom+xml", "ics": "text/calendar"}
_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""The pages contain policies for the styles and scripts that they use."""


@dataclass(slots=True)
class PublicPages:
    """Handles requests for public pages, each of which is generated on request."""

    service: Service
    _busy: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _entries: club.Entries = field(default_factory=dict)
    _club: club.Club | None = None
    _fresh_until: float = 0.0

    def routes(self, folder: str = "") -> list[BaseRoute]:
        """Return the routes.

        Args:
            folder: URL path before the names of pages, without a slash at its end.
        """
        return [Route(f"{folder}/{{name:path}}", self._page)]

    async def _page(self, request: Request) -> Response:
        name = request.path_params["name"] or INDEX
        async with self._busy:
            data = await asyncio.to_thread(self._rendered, name)
        if data is None:
            raise HTTPException(404)
        headers = _HEADERS | {"ETag": club.etag(data)}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers | {"Content-Type": _TYPES[name.rpartition(".")[2]]})

    def _rendered(self, name: str) -> bytes | None:
        with self.service.store.reading() as uow:
            began = time.monotonic()
            if self._club is None or began >= self._fresh_until:
                self._club = club.read(uow, self._entries)
                ended = time.monotonic()
                self._fresh_until = ended + max(_FRESH_SECONDS, _READING_SHARE * (ended - began))
            try:
                return club.page(self.service, uow, name, self._club)
            except (LogError, UpcastError):
                return None

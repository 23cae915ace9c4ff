"""The window of the demonstration: its mailboxes in a browser.

It looks like a mail program. It listens on 127.0.0.1 only, and rejects requests for another host or
from another origin. Messages are shown in a sandboxed frame. Only the visitor's own mailbox can be
changed from here, by writing an answer.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import aiosmtplib
import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.demo.correspondents import listed_moves
from pbem.demo.mailboxes import POLICY, DemoMailbox, Draft, Letter, Mailboxes, framed
from pbem.web.server import Server

PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self';"
    " img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_MAX_FORM_BYTES = 20_000


@dataclass(slots=True)
class Window:
    """The pages of the window.

    Attributes:
        mailboxes: the mailboxes to show.
        folder: contains the templates, style and script.
    """

    mailboxes: Mailboxes
    folder: Path
    url: str = ""
    _pages: Environment = field(init=False)

    def __post_init__(self) -> None:
        self._pages = Environment(
            loader=FileSystemLoader(self.folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def app(self, port: int) -> ASGIApp:
        """Build the application for a server on this port."""
        routes = [
            Route("/", self._first),
            Route("/-/{name}", self._asset),
            Route("/-/look/{box}", self._show, methods=["POST"]),
            Route("/{box}", self._box),
            Route("/{box}/state", self._state),
            Route("/{box}/list", self._list),
            Route("/{box}/{number:int}", self._letter),
            Route("/{box}/{number:int}", self._answer, methods=["POST"]),
            Route("/{box}/{number:int}/frame", self._frame),
        ]
        return _Guarded(Starlette(routes=routes), port, self._notice)

    def _notice(self) -> None:
        self.mailboxes.seen = time.monotonic()

    async def _first(self, _request: Request) -> Response:
        box = self.mailboxes.visitor or next(iter(self.mailboxes.boxes.values()))
        newest = f"/{len(box.letters)}" if box.letters else ""
        return RedirectResponse(f"/{box.key}{newest}", 303)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in {"window.css", "window.js"}:
            raise HTTPException(404)
        return FileResponse(self.folder / name)

    async def _show(self, request: Request) -> Response:
        box = self._find(request)
        self.mailboxes.may_look = True
        return RedirectResponse(f"/{box.key}", 303)

    async def _box(self, request: Request) -> Response:
        return self._page(self._find(request), None)

    async def _letter(self, request: Request) -> Response:
        box, letter = self._find_letter(request)
        letter.is_new = False
        draft = self._draft(letter, request.query_params.get("link"))
        query = request.query_params
        sent, known = _number(query.get("sent")), _number(query.get("known"))
        return self._page(
            box,
            letter,
            draft,
            is_sent=sent is not None,
            known=known if sent is None else sent,
            text="text" in query,
        )

    async def _answer(self, request: Request) -> Response:
        box, letter = self._find_letter(request)
        if not box.is_visitors:
            raise HTTPException(403, "You write from your own mailbox only.")
        form = await _read_form(request)
        words = form.get("words", "").strip()
        draft = self._draft(letter, form.get("link"))
        if not words:
            return self._page(box, letter, draft, problem="An empty mail says nothing.")
        known = len(box.letters)  # messages from here on are opened, however fast they arrive
        try:
            await self.mailboxes.answer(box, letter, draft, words)
        except (aiosmtplib.SMTPException, OSError):
            problem = "The service did not take the mail. Please send it again."
            return self._page(box, letter, draft, problem=problem, words=words)
        return RedirectResponse(f"/{box.key}/{letter.number}?sent={known}", 303)

    async def _frame(self, request: Request) -> Response:
        box, letter = self._find_letter(request)
        address = (
            (lambda link: f"/{box.key}/{letter.number}?link={link}") if box.is_visitors else None
        )
        page = framed(letter.mail.html, address)
        return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})

    async def _state(self, request: Request) -> Response:
        box = self._find(request)
        known = _number(request.query_params.get("known")) or 0
        return JSONResponse(
            {
                "version": self.mailboxes.version,
                "letters": len(box.letters),
                "next": box.next_after(known),
                "over": bool(self.mailboxes.outcome),
            }
        )

    async def _list(self, request: Request) -> Response:
        """Render only the list of messages, to update an open page."""
        box = self._find(request)
        open_number = request.query_params.get("open", "")
        letter = next(
            (candidate for candidate in box.letters if str(candidate.number) == open_number), None
        )
        return self._rendered("lists.html", box, letter)

    def _find(self, request: Request) -> DemoMailbox:
        box = self.mailboxes.boxes.get(request.path_params["box"])
        if box is None:
            raise HTTPException(404)
        return box

    def _find_letter(self, request: Request) -> tuple[DemoMailbox, Letter]:
        box, number = self._find(request), request.path_params["number"]
        if not self.mailboxes.may_be_read(box):
            raise HTTPException(403, "This mail shows the cards of somebody else.")
        if not 1 <= number <= len(box.letters):
            raise HTTPException(404)
        return box, box.letters[number - 1]

    @staticmethod
    def _draft(letter: Letter, link: str | None) -> Draft | None:
        number = _number(link)
        return letter.drafts[number] if number is not None and number < len(letter.drafts) else None

    def _page(
        self, box: DemoMailbox, letter: Letter | None, draft: Draft | None = None, **more: object
    ) -> Response:
        """Render the page of a message. `known` counts the messages that its reader knew before."""
        page: dict[str, object] = {
            "draft": draft,
            "link": None if draft is None or letter is None else letter.drafts.index(draft),
            "words": "" if draft is None else draft.words,
            "example": _example(letter),
            **dict.fromkeys(("is_sent", "known", "text", "problem")),
        }
        status = 422 if "problem" in more else 200
        return self._rendered("window.html", box, letter, status, **page | more)

    def _rendered(
        self, name: str, box: DemoMailbox, letter: Letter | None, status: int = 200, **more: object
    ) -> Response:
        readable = self.mailboxes.may_be_read(box)
        page = self._pages.get_template(name).render(
            post=self.mailboxes, box=box, letter=letter, readable=readable, **more
        )
        return HTMLResponse(page, status)


def _number(text: str | None) -> int | None:
    """Parse a number from a URL, or return None if it is missing or invalid."""
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None


def _example(letter: Letter | None) -> str:
    """Return an example of an answer to a message."""
    moves = [] if letter is None else listed_moves(letter.mail.text)
    if moves:
        return f"{moves[0][0]}  or  {moves[-1][1]}"
    if letter is not None and letter.tells_end:
        return "rematch"
    return "join" if letter is not None and letter.asks else "help"


async def _read_form(request: Request) -> dict[str, str]:
    """Read a form without files. Raises: HTTPException."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_FORM_BYTES:
            raise HTTPException(413, "That is too long.")
    fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=8)
    return {name: values[-1].replace("\r\n", "\n") for name, values in fields.items()}


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Accepts only requests to the window's own host that come from its own pages."""

    app: ASGIApp
    port: int
    notice: Callable[[], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}
        given = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
        names = [value for name, value in given if name == b"host"]
        origins = [value for name, value in given if name == b"origin"]
        if len(names) != 1 or names[0] not in hosts:
            await _refused(421, "Not here.")(scope, receive, send)
            return
        foreign = any(origin not in {f"http://{host}" for host in hosts} for origin in origins)
        if foreign or (scope["method"] == "POST" and not origins):
            await _refused(403, "Not from there.")(scope, receive, send)
            return
        self.notice()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", PAGE_POLICY)
                headers.update(_HEADERS)
            await send(message)

        await self.app(scope, receive, with_headers)


_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers hide the page of a form
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _refused(status: int, words: str) -> Response:
    return PlainTextResponse(words, status)


@asynccontextmanager
async def open_window(mailboxes: Mailboxes, folder: Path) -> AsyncIterator[Window]:
    """Serve the window on a free port of 127.0.0.1; see `Window.url`."""
    window = Window(mailboxes, folder)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = int(listening.getsockname()[1])
        window.url = f"http://127.0.0.1:{port}/"
        server = Server(
            uvicorn.Config(
                window.app(port),
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        running = asyncio.create_task(server.serve([listening]))
        try:
            yield window
        finally:
            server.should_exit = True
            await running

"""A real browser without a window, driven over a pipe: Chromium's DevTools protocol, no network."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.patience import patience

_QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-features=IsolateSandboxedIframes",  # otherwise their nodes are not those of the page
    "--allow-pre-commit-input",  # or clicks are lost that come before the first picture
    "--remote-debugging-pipe",
]
_SHARED = Path("/usr/share/fonts/truetype")
_FONTS = f"""<fontconfig>
  <dir>{_SHARED}/liberation</dir>
  <dir>{_SHARED}/dejavu</dir>
  <cachedir>{{}}/fonts</cachedir>
  <match><test name="family"><string>monospace</string></test>
    <edit name="family" mode="append"><string>Liberation Mono</string></edit></match>
  <match><edit name="family" mode="append_last"><string>Liberation Sans</string></edit></match>
</fontconfig>
"""
"""What our mails name first is as wide as Arial everywhere, whatever else is installed here."""
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser")
    if (_SHARED / "liberation").is_dir()
    else None
)
_KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9}
PATIENCE = 60.0


class Pipe:
    """The pipe to a browser, shared by its pages. Events are passed to their page."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self.pages: dict[str | None, Page] = {}

    def call(self, session: str | None, method: str, **params: Any) -> dict[str, Any]:
        """Do one command and wait for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            page = self.pages.get(answer.get("sessionId"))
            if page is not None:
                page.note(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._in, 1 << 16)
            assert chunk, "the browser has gone"
            self._buffer += chunk
        raw, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(raw)  # type: ignore[no-any-return]


class Page:
    """A page. Its logged errors are collected in `errors`."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        pipe.pages[self._session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Do one command in this page and wait for its answer."""
        return self.pipe.call(self._session, method, **params)

    def open(
        self, file: Path | str, fragment: str = "", *, width: int = 1280, height: int = 900
    ) -> None:
        """Open a file, or an address, in a window of this size."""
        self.resize(width, height)
        address = file if isinstance(file, str) else file.as_uri()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address + fragment)
        self.wait_for("document.readyState === 'complete' && location.protocol !== 'about:'")

    def resize(self, width: int, height: int) -> None:
        """Give the window a size, narrow ones that of a phone; the page stays."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def wait_for(self, expression: str, seconds: float = PATIENCE) -> None:
        """Wait until a condition is true in the page, even after a navigation."""
        end = time.monotonic() + patience(seconds)
        while True:
            with suppress(AssertionError):  # between two pages there is nobody to ask
                if self.ask(expression):
                    return
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def ask(self, expression: str, world: int | None = None) -> Any:
        """Return the value of an expression in the page, or in another world of scripts."""
        where = {} if world is None else {"contextId": world}
        result = self.call(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            **where,
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def click(self, selector: str) -> None:
        """Click into the middle of an element, as a mouse does, as soon as that is possible."""
        self._until_clicked(selector, lambda: (self._middle_of(selector), None))

    def count_in_frames(self, selector: str) -> int:
        """Count the elements in the page and in its frames."""
        return len(self._nodes_in_frames(selector))

    def bottom_in_frame(self, selector: str, most: int = 4) -> float:
        """Return where the last of the first few such elements of the first frame ends."""
        found = f"[...document.querySelectorAll({selector!r})].slice(0, {most})"
        bottoms = f"{found}.map((one) => one.getBoundingClientRect().bottom)"
        return float(self.ask(f"Math.max(...{bottoms})", self._world_of_frame()))

    def click_in_frames(self, selector: str) -> None:
        """Click the first such element of the first frame, likewise."""

        def find() -> tuple[tuple[float, float], int]:
            world = self._world_of_frame()
            x, y = self._middle_of(selector, world)
            left, top = self.ask(
                "(() => { const r = document.querySelector('iframe').getBoundingClientRect();"
                " return [r.x, r.y]; })()"
            )
            at = f"document.elementFromPoint({x + left}, {y + top})"
            assert self.ask(f"{at}.tagName") == "IFRAME"
            return (x + left, y + top), world

        self._until_clicked(selector, find)

    def _until_clicked(
        self, selector: str, find: Callable[[], tuple[tuple[float, float], int | None]]
    ) -> None:
        """Find the place and click, anew as long as the page moves, or is not painted yet."""
        end = time.monotonic() + patience(PATIENCE)
        while True:
            with suppress(AssertionError, LookupError):
                assert self.ask("document.readyState") == "complete"
                (x, y), world = find()
                if self._click_at(x, y, world):
                    return
            assert time.monotonic() < end, f"not to be clicked: {selector}"
            time.sleep(0.05)

    def _world_of_frame(self) -> int:
        """Return the context in which one may ask in the first frame; its own scripts need not run."""
        frame = self.call("Page.getFrameTree")["frameTree"]["childFrames"][0]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        assert self.ask("document.readyState", world) == "complete"
        return int(world)

    def _middle_of(self, selector: str, world: int | None = None) -> tuple[float, float]:
        """Bring an element into sight; gives its middle, which nothing may cover."""
        place = self.ask(
            f"(() => {{ const e = document.querySelector({selector!r});"
            " if (!e) return null; e.scrollIntoView({block: 'nearest', behavior: 'instant'});"
            " const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;"
            " return e.contains(document.elementFromPoint(x, y)) ? [x, y] : null; })()",
            world,
        )
        assert place is not None, f"not to be clicked: {selector}"
        return place[0], place[1]

    def _nodes_in_frames(self, selector: str) -> list[int]:
        self.call("DOM.getDocument", depth=-1, pierce=True)
        found = self.call("DOM.performSearch", query=selector)
        if found["resultCount"] == 0:
            return []
        return self.call(
            "DOM.getSearchResults",
            searchId=found["searchId"],
            fromIndex=0,
            toIndex=found["resultCount"],
        )["nodeIds"]

    def _click_at(self, x: float, y: float, world: int | None) -> bool:
        """Press and release the button; gives whether the page, or the frame, heard of it."""
        self.ask(
            "window.isClicked = false;"
            " addEventListener('click', () => { window.isClicked = true; }, true)",
            world,
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        try:
            return self.ask("window.isClicked", world) is not False  # or it is another page
        except AssertionError:  # it is another page, or another frame
            return True

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code="Space" if key == " " else key,
                text=" " if key == " " and kind == "keyDown" else "",
                windowsVirtualKeyCode=_KEYS[key],
            )

    def dark(self, *, on: bool) -> None:
        """Ask for the dark scheme, or the light one."""
        value = "dark" if on else "light"
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": value}],
        )

    def picture(self, *, full: bool = False, tallest: int = 0) -> bytes:
        """Take a picture of the window, or of the whole page (PNG).

        With `tallest` it is cut below so many pixels, and small (WebP).
        """
        cut: dict[str, Any] = {"format": "png"}
        if tallest:
            width, height = self.ask("[innerWidth, document.documentElement.scrollHeight]")
            tall = min(height, tallest)
            clip = {"x": 0, "y": 0, "width": width, "height": tall, "scale": 1}
            cut = {"format": "webp", "quality": 42, "clip": clip}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=full, **cut)
        return base64.b64decode(shot["data"])

    def note(self, message: dict[str, Any]) -> None:
        """Keep what an event says of errors and requests."""
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(str(params["exceptionDetails"]))
            case "Log.entryAdded":
                if params["entry"]["level"] == "error":
                    self.errors.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """Run a browser with a profile of its own in `folder`."""
    assert CHROMIUM is not None
    fonts = folder / "fonts.conf"
    fonts.write_text(_FONTS.format(folder))
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()

    # The browser expects the pipe's ends as 3 and 4.
    wired = f'exec "$0" "$@" 3</dev/fd/{theirs_in} 4>/dev/fd/{theirs_out}'
    process = subprocess.Popen(
        ["/bin/sh", "-c", wired, CHROMIUM, *_QUIET, f"--user-data-dir={folder / 'profile'}"],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "FONTCONFIG_FILE": str(fonts)},
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        pipe = Pipe(ours_out, ours_in)
        yield Page(pipe)
        with suppress(OSError, AssertionError):
            pipe.call(None, "Browser.close")
    finally:
        os.close(ours_out)
        os.close(ours_in)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

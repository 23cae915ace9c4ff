"""Drive a real headless browser in tests: Debian's Chromium, controlled by Playwright.

`browser` starts one and yields a `Page`. Playwright runs an event loop in the calling thread, so a `Page` makes
all calls in a separate thread. Tests can therefore use other event loops.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tests.patience import patience

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FloatRect, Playwright

_QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
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
"""Font configuration that makes text as wide as with Arial on every machine."""
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser")
    if (_SHARED / "liberation").is_dir() and find_spec("playwright")
    else None
)
PATIENCE = 60.0
_PHONES = 600
"""Width in pixels below which a window emulates a phone."""
T = TypeVar("T")


class Page:
    """A page in a separate browser profile, with its errors in `errors` and its requests in `requests`."""

    def __init__(self, thread: Executor, chromium: Browser, **options: Any) -> None:
        self._thread, self._chromium = thread, chromium
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._run(lambda: self._open_context(options))

    def _open_context(self, options: dict[str, Any]) -> None:
        self.context: BrowserContext = self._chromium.new_context(no_viewport=True, **options)
        self.context.set_default_timeout(patience(PATIENCE) * 1000)
        self._page = self.context.new_page()
        self._session = self.context.new_cdp_session(self._page)
        self._page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._page.on(
            "console",
            lambda message: self.errors.append(message.text) if message.type == "error" else None,
        )
        self._page.on("request", lambda request: self.requests.append(request.url))

    def _run(self, call: Callable[[], T]) -> T:
        """Run a call of Playwright in its thread."""
        return self._thread.submit(call).result()

    def another(self, **options: Any) -> Page:
        """Open a page in a new profile, with separate cookies.

        Args:
            options: arguments of Playwright's `Browser.new_context`.
        """
        return Page(self._thread, self._chromium, **options)

    def close(self) -> None:
        """Close the page and its profile."""
        self._run(self.context.close)

    def call(self, method: str, **params: Any) -> Any:
        """Send a command of the DevTools protocol for which Playwright has no method."""
        return self._run(lambda: self._session.send(method, params))

    def open(
        self, file: Path | str, fragment: str = "", *, width: int = 1280, height: int = 900
    ) -> None:
        """Open a file, or an address, in a window of this size."""
        self.resize(width, height)
        address = file if isinstance(file, str) else file.as_uri()
        self.leave()
        self._run(lambda: self._page.goto(address + fragment))

    def leave(self) -> None:
        """Leave the page for an empty one."""
        self._run(lambda: self._page.goto("about:blank"))

    def show(self, html: str) -> None:
        """Replace the content of the page by HTML."""
        self._run(lambda: self._page.set_content(html))

    def resize(self, width: int, height: int) -> None:
        """Resize the window, and emulate a phone if it is narrow. The page is not reloaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < _PHONES,
        )

    def remember(self, url: str, cookies: dict[str, str]) -> None:
        """Set cookies of the browser for an address."""
        given: Any = [
            {"name": name, "value": value, "url": url, "httpOnly": True}
            for name, value in cookies.items()
        ]
        self._run(lambda: self.context.add_cookies(given))

    def forget(self) -> None:
        """Delete all cookies."""
        self._run(self.context.clear_cookies)

    def wait_for(self, expression: str, seconds: float = PATIENCE) -> None:
        """Wait until a condition is true in the page, even after a navigation.

        Playwright's own wait evaluates text in the page, which the policy of the seat page forbids.
        """
        end = time.monotonic() + patience(seconds)
        while not self._is_true(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def _is_true(self, expression: str) -> bool:
        from playwright.sync_api import Error  # noqa: PLC0415  (as in `browser`)

        try:
            return bool(self.ask(expression))
        except Error:  # the page is navigating
            return False

    def ask(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        return self._run(lambda: self._page.evaluate(expression))

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse, as soon as it can be clicked."""
        self._run(lambda: self._page.click(selector))

    def count_in_frames(self, selector: str) -> int:
        """Count the elements in the page and in its frames."""
        return self._run(
            lambda: sum(frame.locator(selector).count() for frame in self._page.frames)
        )

    def bottom_in_frame(self, selector: str, most: int = 4) -> float:
        """Return the lowest edge of the first `most` matching elements in the first frame, in pixels."""
        bottoms = "(all, most) => all.slice(0, most).map((e) => e.getBoundingClientRect().bottom)"
        found = self._page.frame_locator("iframe").locator(selector)
        return float(max(self._run(lambda: found.evaluate_all(bottoms, most))))

    def click_in_frames(self, selector: str) -> None:
        """Click the first matching element in the first frame."""
        self._run(self._page.frame_locator("iframe").locator(selector).first.click)

    def press(self, key: str) -> None:
        """Press and release a key."""
        self._run(lambda: self._page.keyboard.press(key))

    def dark(self, *, on: bool) -> None:
        """Set the preferred colour scheme to dark or light."""
        self._run(lambda: self._page.emulate_media(color_scheme="dark" if on else "light"))

    def picture(
        self, *, full: bool = False, tallest: int = 0, clip: FloatRect | None = None
    ) -> bytes:
        """Take a screenshot of the window, the whole page, or a part of it (PNG).

        With `tallest`, it is cut at that height in pixels and compressed (WebP).
        """
        if not tallest:
            return self._run(lambda: self._page.screenshot(full_page=full, clip=clip))
        width, height = self.ask("[innerWidth, document.documentElement.scrollHeight]")
        cut: FloatRect = {"x": 0, "y": 0, "width": width, "height": min(height, tallest)}
        return self._run(
            lambda: self._page.screenshot(full_page=full, clip=cut, type="webp", quality=42)
        )


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """Run a browser that keeps its files in `folder`."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (few tests need it)

    assert CHROMIUM is not None
    fonts = folder / "fonts.conf"
    fonts.write_text(_FONTS.format(folder))
    with ThreadPoolExecutor(1) as thread:
        playwright: Playwright = thread.submit(sync_playwright().start).result()
        try:
            chromium = thread.submit(
                playwright.chromium.launch,
                executable_path=CHROMIUM,
                args=_QUIET,
                env={**os.environ, "HOME": str(folder), "FONTCONFIG_FILE": str(fonts)},
            ).result()
            yield Page(thread, chromium)
            thread.submit(chromium.close).result()
        finally:
            thread.submit(playwright.stop).result()

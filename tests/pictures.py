"""Make the pictures of the documentation: `python -m tests.pictures docs/pictures`; needs chromium."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from pbem import resources
from pbem.demo.window import open_window
from pbem.mail_out.render import Renderer
from tests.demo.mails import make_mailboxes
from tests.mail_out.samples import SAMPLES
from tests.show.browser import Page, browser

PHONE = (430, 1320)
DESK = (1000, 640)


def main(folder: Path) -> None:
    """Write a turn mail as a phone shows it, and the window of the demonstration."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as page:
        mail = Path(profile) / "turn.html"
        mail.write_text(
            Renderer([resources.templates_dir() / "email"]).render(SAMPLES["turn"]).html
        )
        page.open(mail, width=PHONE[0], height=PHONE[1])
        (folder / "turn-mail.png").write_bytes(page.picture())
        (folder / "window.png").write_bytes(asyncio.run(_photograph_window(page)))


async def _photograph_window(page: Page) -> bytes:
    async with open_window(make_mailboxes(), resources.templates_dir() / "demo") as window:
        await asyncio.to_thread(page.open, f"{window.url}anna/2", width=DESK[0], height=DESK[1])
        return await asyncio.to_thread(page.picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

"""Fixtures with a demo window, served on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from pbem import resources
from pbem.demo.mailboxes import Mailboxes
from pbem.demo.window import Window, open_window
from tests.demo.mails import make_mailboxes
from tests.patience import patience


@pytest.fixture
def mailboxes() -> Mailboxes:
    return make_mailboxes()


@pytest.fixture
def window(mailboxes: Mailboxes) -> Iterator[Window]:
    """Serve a demo window with sample messages on loopback."""
    opened: list[Window] = []
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        async with open_window(mailboxes, resources.templates_dir() / "demo") as window:
            opened.append(window)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(patience(20))
    yield opened[0]
    over.set()
    thread.join(patience(20))
    assert not thread.is_alive()

"""Play a whole game of the demo in a real browser."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import patience
from tests.show.browser import CHROMIUM, PATIENCE, Page, browser

SETTLED = (
    "document.body.dataset.open !== '' && !('follows' in document.body.dataset)"
    " || document.querySelector('.outcome') !== null"
)
"""The page waits for the visitor, or the game is over."""


@contextmanager
def demonstration(folder: Path, *options: str) -> Iterator[str]:
    """Run `pbem demo --play`; gives the address of its window."""
    log = folder / "demo.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "pbem", "demo", "--play", *options],
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
    try:
        end = time.monotonic() + patience(PATIENCE)
        while (found := re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())) is None:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield found.group()
    finally:
        process.terminate()
        process.wait(patience(30))


def make_a_move(page: Page) -> str:
    """Click the first listed move of the mail that is open, send it; gives its words."""
    page.click_in_frames("a[target=_top]")
    page.wait_for("document.querySelector('.draft') !== null")
    words = page.ask("document.querySelector('#words').value")
    send(page)
    return str(words)


def send(page: Page) -> None:
    """Click on Send, and wait until the mail is answered, or the next one is there already."""
    number = page.ask("document.body.dataset.open")
    page.click("#send")
    page.wait_for(
        f"document.body.dataset.open !== '{number}' || document.querySelector('.sent') !== null"
    )


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="NOT TESTED: chromium or fonts-liberation is missing")
def test_a_whole_game_is_played_by_clicking(tmp_path: Path) -> None:
    short = ("--players", "2", "--game", "phalanx", "-o", "max_battles=1")
    with demonstration(tmp_path, *short) as url, browser(tmp_path) as page:
        page.open(url, width=1000, height=800)
        page.wait_for("document.querySelector('iframe') !== null")
        page.ask("document.querySelector('#words').value = 'join'")
        send(page)
        moves = []
        for _ in range(60):
            page.wait_for(SETTLED)
            if page.ask("document.querySelector('.outcome') !== null"):
                break
            moves.append(make_a_move(page))
        said = page.ask("document.querySelector('.outcome').textContent")
        assert "was verified" in said
        assert "moves are legal under phalanx" in said
        assert len(moves) >= 2
        page.open(f"{url}bob")
        assert page.ask("document.querySelectorAll('.letters li').length") >= 2
        assert page.errors == []

"""Whole games in a real browser: four pages at once, and half by page, half by mail."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.databases import sqlite_store
from tests.service.conftest import make_table
from tests.show.browser import CHROMIUM, Page, browser
from tests.web.conftest import Site, serve
from tests.web.whole import LOOPBACK, play

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

GAMES: list[tuple[str, Collection[int]]] = [
    ("cathedral", range(4)),
    ("phalanx", range(4)),
    ("phase10", range(4)),
    ("phyliss", (0, 2)),
]
"""Rules, and the seats that play by page; the others answer mails."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Site]:
    with sqlite_store(tmp_path) as store:
        yield from serve(make_table(store), LOOPBACK)


@pytest.mark.parametrize(("ruleset", "on_pages"), GAMES)
def test_a_game_to_its_end(
    local: Site, page: Page, ruleset: str, on_pages: Collection[int]
) -> None:
    game = local.table.started(4, ruleset=ruleset, max_plies=16)
    play(local, page, game.id, on_pages)

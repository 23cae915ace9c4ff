"""Play whole games in a real browser: on four pages at once, and half by page, half by mail."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from engine import registry
from tests.show.browser import CHROMIUM, Page
from tests.web.conftest import Site
from tests.web.phones import local, page
from tests.web.whole import play

__all__ = ["local", "page"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

ALL, HALF = range(4), (0, 2)
GAMES: list[tuple[str, dict[str, int], Collection[int]]] = [
    ("phyliss", {"max_plies": 16}, ALL),
    ("phyliss", {"max_plies": 16}, HALF),
    ("cathedral", {"max_plies": 16}, ALL),
    ("phalanx", {"max_battles": 1}, ALL),
    ("phase10", {"max_plies": 16}, ALL),
]
"""Rules, options of a short game, and the seats that play by page; the others answer mails."""
if registry.has("ohhell", 1):  # in the process of tests/test_oh_hell.py
    GAMES.append(("ohhell", {"cards": 2}, ALL))


@pytest.mark.parametrize(("ruleset", "options", "on_pages"), GAMES)
def test_a_game_to_its_end(
    local: Site, page: Page, ruleset: str, options: dict[str, int], on_pages: Collection[int]
) -> None:
    game = local.table.started(4, ruleset=ruleset, **options)
    play(local, page, game.id, on_pages)

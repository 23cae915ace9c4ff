"""Test that orders in docs/players.md and docs/tutorial.md are understood and listed by `help`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import registry
from pbem.domain.words.orders import LineKind, read_line

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "players.md").read_text(encoding="utf-8")
TUTORIAL = (DOCS / "tutorial.md").read_text(encoding="utf-8")


def rows(page: str) -> list[tuple[str, str]]:
    """Return the rows of a page's tables whose first cell shows what to write."""
    return re.findall(r"^\| (`.*?) \| (.*) \|$", page, re.MULTILINE)


def orders(page: str) -> list[str]:
    """Return the orders in the first cells of a page's tables."""
    return [order for first, _ in rows(page) for order in re.findall(r"`([^`]+)`", first)]


ROWS = rows(PAGE)
SHOWN = orders(PAGE)
NAMES = ("Anna", "Bob")
MOVES = ("21", "pickup", "play 7", "play all 7", "play the seven of hearts", "play 9 or pickup")


@pytest.mark.parametrize("order", SHOWN)
def test_what_the_page_shows_is_an_order(order: str) -> None:
    line = read_line(order, registry.latest(), NAMES)
    assert line.kind is (LineKind.GAME if order in MOVES else LineKind.SERVICE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_takes_it_back_is_an_order_too(row: tuple[str, str]) -> None:
    for order in re.findall(r"`([^`]+)`", row[1]):
        assert read_line(order, registry.latest(), NAMES).kind is LineKind.SERVICE

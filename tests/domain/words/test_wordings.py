"""Test informal wordings of orders, which never begin a line of our messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.domain.words import en
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.service_lines import in_order_words

GOLDEN = Path(__file__).parents[2] / "mail_out" / "golden"
CATALOG = Path(__file__).parents[3] / "pbem" / "locale" / "de" / "LC_MESSAGES" / "pbem.po"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("What's the score?", "board"),
        ("last 20 moves", "history 20"),
        ("I'm away from 24 December to 2 January.", "vacation 24 December to 2 January"),
        ("two weeks vacation", "vacation two weeks"),
        ("5 days of holiday", "vacation 5 days"),
        ("timezone New York", "timezone New_York"),
        ("Start a game of Phyliss with a bot", "new Phyliss with a bot"),
        ("?", "help"),
        ("I am away from my desk", None),
        ("I give up", None),
        ("start without bob", None),
        ("the table is nice", None),
    ],
)
def test_orders_in_other_words(text: str, order: str | None) -> None:
    assert in_order_words(text) == order


@pytest.mark.parametrize("said", sorted(en.LINES))
def test_each_is_understood(said: str) -> None:
    assert read_line(said, ()).kind is LineKind.SERVICE


def test_no_line_of_our_mails_is_one() -> None:
    """It would come back in a quotation, and nobody could tell whose it is."""
    lines = {
        line.strip() for mail in GOLDEN.glob("*.txt") for line in mail.read_text().splitlines()
    }
    assert len(lines) > 100
    lines |= {line.removeprefix("- ") for line in lines}
    catalog = CATALOG.read_text(encoding="utf-8")
    lines |= {
        line.partition('"')[2].rstrip('"') for line in catalog.splitlines() if line[:3] == "msg"
    }
    assert [line for line in sorted(lines) if in_order_words(line)] == []

"""Test that an unreadable move stops the moves below it, and that chat does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from pbem.domain.words.around import describes_move
from pbem.domain.words.orders import LineKind, read_lines

ROWS = [
    row.split("\t")
    for row in Path(__file__).with_name("unread.tsv").read_text("utf-8").splitlines()
]
"""Chat or moves, language, line."""


def _lines(kind: str, language: str) -> list[str]:
    return [line for *row, line in ROWS if row == [kind, language]]


@pytest.mark.parametrize("language", ["en", "de"])
def test_chat_stops_nothing(language: str) -> None:
    """Greetings, signatures, talk about cards and about what others did."""
    stops = [line for line in _lines("chat", language) if describes_move(line, language)]
    assert stops == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_move_in_unread_words_counts(language: str) -> None:
    lines = _lines("moves", language)
    assert [line for line in lines if not describes_move(line, language)] == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("draw\nput down my fives and nines\ndiscard 5", ["game", "unread", "game"]),
        ("draw\nnice card, Bob!\ndiscard 5", ["game", "prose", "game"]),
        ("put down my fives and nines\ndiscard 5", ["unread", "game"]),
        ("draw\ndiscard 5\nput down my fives and nines", ["game", "game", "prose"]),
        ("put down my fives and nines\nhelp", ["prose", "service"]),
        ("dispute\nput down my fives and nines\ndiscard 5", ["service", "prose", "game"]),
    ],
)
@pytest.mark.rule("GEN-10")
def test_only_above_a_move_it_matters(text: str, kinds: list[str]) -> None:
    lines = read_lines(text, [registry.find("phase10")])
    assert [line.kind for line in lines] == [LineKind(kind) for kind in kinds]

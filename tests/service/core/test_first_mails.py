"""Test how the first messages of a game report its first plies."""

from __future__ import annotations

import re

from tests.service.conftest import Table


def test_an_answer_tells_the_own_draw_once_with_its_cards(table: Table) -> None:
    """Leave out the public report of a draw if the player reads which card it was."""
    seat = table.move(table.started(2))
    words = table.last_to(seat).words
    (drawn,) = re.findall(r"You played \S+ and drew (\S+) from the stock\.", words)
    assert words.count(" drew ") == 1, words
    assert drawn in words[words.index("Your hand,") :]
    assert "drew 1 card" in table.last_to(1 - seat).words

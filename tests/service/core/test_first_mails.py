"""Test how the first messages of a game report its first plies."""

from __future__ import annotations

import re

from tests.service.conftest import Table


def test_an_answer_tells_the_own_draw_once_with_its_cards(table: Table) -> None:
    """What everybody reads of a draw is left out where its player reads which card it was."""
    game = table.started(2)
    seat, order = table.standby(game)
    table.answer(seat, order)
    words = table.last_to(seat).words
    (drawn,) = re.findall(r"You played \S+ and drew (\S+) from the stock\.", words)
    assert words.count(" drew ") == 1, words
    assert drawn in words[words.index("Your hand,") :]
    assert "drew 1 card" in table.last_to(1 - seat).words

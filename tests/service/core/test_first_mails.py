"""What the first mails of a game tell of its first plies."""

from __future__ import annotations

import re

from pbem.domain.log.events import MovePlayed
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


def test_the_first_mail_tells_the_deal_though_a_move_was_forced_at_once(table: Table) -> None:
    """A skip lies open (P10-5), so the second seat begins, and can only draw."""
    game = table.started(2, seed=10, ruleset="phase10")
    move = table.log(game)[-2].event
    assert isinstance(move, MovePlayed)
    assert (move.seat, move.source) == (1, "forced")
    for seat in range(2):
        words = table.last_to(seat).words
        assert words.count("Hand 1 begins.") == 1
        assert words.count("Your hand: ") == 1
        assert "You were dealt " not in words  # the hand is shown
    assert "You lost a turn to a skip." in table.last_to(0).words
    (drawn,) = re.findall(r"You drew (\S+) from the stock\.", words)
    assert f" {drawn} " in words[words.index("Your hand: ") :]

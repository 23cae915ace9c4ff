"""A game from the invitation to the end, only by mail."""

from __future__ import annotations

import re

from pbem.domain.log.events import MovePlayed
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from tests.service.conftest import Table


def test_game_is_played_by_mail_and_verifies(table: Table) -> None:
    """Invitations, joins, moves, the end: everything by mail, and the export holds."""
    game = table.started(3)
    assert game.status == "running"
    for _ in range(2000):
        game = table.game(game.id)
        if game.is_over:
            break
        seat, order = table.standby(game)
        table.answer(seat, order)
    assert game.status == "finished"
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
        assert not [row for row in uow.inbox.list() if row.status != "done"]
    report = verify_file(data)
    assert report.complete
    assert report.head == game.head
    for seat in range(3):
        proof = table.last_to(seat).message["PBEM-Chain-Head"]
        assert proof.split() == [game.head, str(game.version), game.id]


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

"""Test `receipts off`: a successful move gets no confirmation."""

from __future__ import annotations

import pytest

from pbem.domain.table.game import Game
from tests.service.conftest import Table


def move_on(table: Table, game: Game) -> tuple[Game, int]:
    """Let the seat to act make its safe move. Return the game and the seat."""
    game = table.game(game.id)
    seat = table.move(game)
    return table.game(game.id), seat


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("en", "receipts off", "From now on a move that goes well brings no mail"),
        ("en", "confirmations off", "From now on a move that goes well brings no mail"),
        ("de", "Quittungen aus", "Ab jetzt kommt zu einem Zug, der klappt, keine Mail"),
    ],
)
def test_a_player_can_leave_out_receipts(
    table: Table, language: str, words: str, said: str
) -> None:
    game, seat, _ = table.start()
    table.answer(seat, f"language {language}")
    assert said in table.ask(seat, words).words
    count = len(table.mails_to(seat))
    moved, _ = move_on(table, game)
    assert moved.position > game.position
    assert len(table.mails_to(seat)) == count


def test_the_next_turn_mail_says_what_came_of_the_move(table: Table) -> None:
    """The facts of a game forget a player's own move by the next turn."""
    game, first, _ = table.start()
    table.answer(first, "receipts off")
    _, order = table.standby(game)
    _, mover = move_on(table, game)
    while first not in table.game(game.id).to_act:
        move_on(table, game)
    mail = table.last_to(mover)
    assert mail.message["Subject"].startswith("Your turn:")
    assert f"- You played {order.removeprefix('play ')[0]}" in mail.words


@pytest.mark.parametrize(
    "words", ["play 2h 2s 2d 2c", "next: play 9", "board", "pause", "hello?\nwho is next", "undo"]
)
def test_everything_else_is_answered(table: Table, words: str) -> None:
    """Refusals, questions, settings, votes and looks."""
    _, seat, _ = table.start()
    table.answer(seat, "receipts off")
    count = len(table.mails_to(seat))
    table.answer(seat, words)
    assert len(table.mails_to(seat)) > count


def test_the_move_that_ends_the_game_is_answered(table: Table) -> None:
    game = table.started(2, ruleset="phyliss")
    for seat in (0, 1):
        table.answer(seat, "receipts off")
    table.skip(game, 60)
    for _ in range(400):
        if table.game(game.id).is_over:
            break
        move_on(table, game)
    assert table.game(game.id).is_over
    assert all("won at" in table.last_to(seat).message["Subject"] for seat in (0, 1))


def test_the_third_receipt_of_a_day_offers_to_leave_them_out(table: Table) -> None:
    """Offer it once, and never to a player who has chosen."""
    game, first, _ = table.start(2)
    table.answer(1 - first, "receipts on")
    offered: dict[int, list[bool]] = {0: [], 1: []}
    for _ in range(10):
        _, seat = move_on(table, game)
        receipt = [
            mail
            for mail in table.mails_to(seat)
            if mail.message["Subject"].startswith("You moved:")
        ]
        offered[seat].append("Too many mails?" in receipt[-1].words)
    assert offered[first].count(True) == 1
    assert offered[1 - first] == [False] * 5

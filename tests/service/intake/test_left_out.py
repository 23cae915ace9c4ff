"""Test that the answer mentions every order that was not carried out."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table

INTRO = "-----Original Message-----\nFrom: Game\nSent: Friday, November 20, 2026 6:00 PM\n"


def test_every_order_of_a_mail_is_in_its_answer(table: Table) -> None:
    """The order may be below, above, between or inside quoted lines."""
    game, seat, _ = table.start(3)
    ours = table.last_to(seat).text
    assert (
        "All that I can read in your mail is quoted or in a signature"
        in table.ask(seat, f"{INTRO}\n{ours}").words
    )
    assert table.game(game.id).position == game.position
    lines = table.last_to(seat).text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  21  "))
    move = lines[at].split(maxsplit=1)[1]
    rest = "\n".join(lines[at + 1 :])
    answer = table.ask(seat, f"say hello everybody\n{move}\n{rest}").words
    assert f'You wrote "{move}". Not carried out. It stands below or between' in answer
    assert table.game(game.id).position == game.position
    answer = table.ask(
        seat, f"{INTRO}\n{table.last_to(seat).text}\n{move}\nsay hello everybody\n"
    ).words
    assert "You played" in answer
    assert 'You wrote "say hello everybody". Done' in answer
    assert table.game(game.id).position > game.position


def test_an_order_below_an_unmarked_quote_stops_all(table: Table) -> None:
    """The lower order may be quoted, so both wait, and the answer mentions them."""
    game, seat, _ = table.start(3)
    answer = table.ask(seat, f"21\n\n{INTRO}\n{table.last_to(seat).text}\nboard\n").words
    assert "Nothing was carried out" in answer
    assert 'You wrote "21"' in answer
    assert 'You wrote "board"' in answer
    assert table.game(game.id).position == game.position


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(
    ("between", "is_done"),
    [("I lay down three nines and a set of fives", False), ("what a hand, two kings!", True)],
)
def test_unread_move_stops_the_orders_below_it(table: Table, between: str, is_done: bool) -> None:
    """Otherwise the discard would end the turn without the phase. Chat stops nothing."""
    game, seat, _ = table.start(3, ruleset="phase10")
    card = next(
        line.partition(": ")[2].split()[0]
        for line in table.last_to(seat).text.splitlines()
        if line.startswith("Your hand: ")
    )
    answer = table.ask(seat, f"draw\n{between}\ndiscard {card}").words
    assert 'You wrote "draw". Done' in answer
    assert (game.to_act != table.game(game.id).to_act) is is_done
    if not is_done:
        assert "This seems to say what you play, but I cannot read it" in answer
        assert f'You wrote "discard {card}". Not carried out, because a line before' in answer


def test_what_was_done_beside_something_else_is_told(table: Table) -> None:
    """The answer names an order that appears nowhere else in it."""
    for before, text, told in (
        (True, "join\nsay hello", 'You wrote "say hello"'),
        (False, "vacation 5 days\nsay hello", 'You wrote "say hello"'),
        (False, "say hello", 'You wrote "say hello"'),
        (False, "board\nsay hello", 'You wrote "say hello"'),
    ):
        game = table.new_game(2) if before else table.started(2)
        assert told in table.ask(0, text).words, text
        assert 'You wrote "join"' not in table.last_to(0).words
        assert table.game(game.id).version > game.version

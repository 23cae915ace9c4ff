"""Test the first turn messages for people who do not know the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.service.core import games
from pbem.service.letters import game_mail
from tests.service.conftest import Table


def test_the_example_is_the_safe_move(table: Table) -> None:
    """The example is not a bad move such as `discard W`."""
    game, _, order = table.start(2, seed=7, ruleset="phase10")
    table.answer(int(game.to_act[0]), order)
    game = table.game(game.id)
    seat, order = table.standby(game)
    assert order.startswith("discard")
    assert f"or “{order}” at the top" in " ".join(table.last_to(seat).text.split())
    assert "“discard W”" not in table.last_to(seat).text


def test_cards_are_set_aside(table: Table) -> None:
    """The list does not say `keep`, and its words can be sent back."""
    game = table.started(2, seed=7, ruleset="cathedral")
    mail = table.last_to(0)
    assert "  21  set aside " in mail.text
    assert "keep" not in mail.text
    assert "You chose" in table.ask(0, mail.text.split("\n  21  ")[1].split("\n")[0]).text
    assert table.game(game.id).version > game.version


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phalanx", "phase10"])
def test_whether_a_reader_has_moved_is_what_a_fold_says(table: Table, ruleset: str) -> None:
    """Compare both at each position that a seat may have seen last."""
    game, first, _ = table.start(3, seed=7, ruleset=ruleset)
    table.skip(game, 1)
    table.answer(first, "undo")
    for seat in {0, 1, 2} - {first}:
        table.answer(seat, "yes")
    game = table.skip(table.game(game.id), 4)
    table.answer(0, "resign confirm")
    game = table.game(game.id)
    told = []
    with table.service.store.reading() as uow:
        for seen in range(1, game.version + 1):
            then = games.load(uow, game.id, up_to=seen)
            has_moved = then.state is not None and then.ruleset.ply(then.state) > 0
            seats = tuple(replace(one, seen=seen) for one in game.seats)
            told.append(has_moved)
            assert game_mail._has_moved(uow, replace(game, seats=seats), 0) == has_moved, seen
    assert set(told) == {False, True}

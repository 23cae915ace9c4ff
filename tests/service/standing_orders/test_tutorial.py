"""Test the tutorial by mail: a short game against a bot with explanations."""

from __future__ import annotations

from pbem.domain.log.events import GameFinished
from tests.service.conftest import Table
from tests.service.lobby.test_lobby import ANNA, known, own, the_game, write


def begun(table: Table) -> None:
    write(table, ANNA, own(table, known(table)), "tutorial")
    table.answer(0, "join")
    table.run()


def test_a_lesson_from_its_first_mail_to_its_end(table: Table) -> None:
    """Every turn teaches one thing more; it ends by itself, and says how to go on."""
    begun(table)
    said = []
    for _ in range(30):
        table.run()
        game = the_game(table)
        if game.is_over:
            break
        said.append(table.last_to(0).words.partition("Your tutor:")[2][:60])
        table.answer(0, table.standby(game)[1])
    assert game.is_over
    taught = [text for text in said if text]
    assert len(taught) > 4
    assert len(set(taught)) >= len(taught) - 2
    last = table.last_to(0)
    assert "that was the lesson" in last.words
    assert "new phyliss with bot" in last.words
    assert isinstance(table.log(game)[-1].event, GameFinished)


def test_the_tutor_speaks_of_what_happened(table: Table) -> None:
    """A refusal, a look at the table; in other games nobody is taught."""
    begun(table)
    if the_game(table).to_act != (0,):
        table.run()
    table.answer(0, "play 10 10 10 10")
    assert "that was a refusal" in table.last_to(0).words
    for line, has_looked in (
        ("board", True),
        (f"try {table.standby(the_game(table))[1]}", True),
        ("settings", True),
        ("hello there, nice game", False),
        ("say hello", False),
        ("vacation 5 days", False),
        ("board\nsay hello", False),
    ):
        table.answer(0, line)
        said = table.last_to(0).words
        assert ("looking is free" in said) is has_looked, line
        assert "well done" not in said, line
    table.new_game(2)
    table.answer(1, "join")
    assert "Your tutor" not in table.last_to(1).text


def test_a_lesson_that_nobody_goes_on_with_ends(table: Table) -> None:
    """Bots play for nobody only so long (GEN-7)."""
    begun(table)
    for _ in range(8):
        table.clock.forward(days=3.1)
        table.run()
        table.run()
    assert the_game(table).is_over

"""Test the tutorial by mail: a short game against a bot with explanations."""

from __future__ import annotations

from pbem.domain.log.events import GameFinished
from tests.service.conftest import Table
from tests.service.lobby.test_lobby import ANNA, known, own, the_game, write


def begin_tutorial(table: Table) -> None:
    write(table, ANNA, own(table, known(table)), "tutorial")
    table.answer(0, "join")
    table.run()


def test_a_lesson_from_its_first_mail_to_its_end(table: Table) -> None:
    """Every turn teaches something new, and the last message says how to go on."""
    begin_tutorial(table)
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
    """It comments on refusals and looks at the table, but not in other games."""
    begin_tutorial(table)
    if the_game(table).to_act != (0,):
        table.run()
    assert "that was a refusal" in table.ask(0, "play 10 10 10 10").words
    for line, has_looked in (
        ("board", True),
        (f"try {table.standby(the_game(table))[1]}", True),
        ("settings", True),
        ("hello there, nice game", False),
        ("say hello", False),
        ("vacation 5 days", False),
        ("board\nsay hello", False),
    ):
        said = table.ask(0, line).words
        assert ("looking is free" in said) is has_looked, line
        assert "well done" not in said, line
    table.new_game(2)
    assert "Your tutor" not in table.ask(1, "join").text


def test_a_lesson_that_nobody_goes_on_with_ends(table: Table) -> None:
    """The bots stop after some silent turns (GEN-7)."""
    begin_tutorial(table)
    for _ in range(8):
        table.wait(days=3.1)
        table.run()
    assert the_game(table).is_over

"""Test that each message has one subject, named in its title."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table


def over(table: Table, players: int = 2) -> str:
    """Play a game to its end; return its id."""
    return table.skip(table.started(players), 2000).id


def test_the_title_of_a_receipt_does_not_say_your_turn(table: Table) -> None:
    seat = table.move(table.started())
    assert table.last_to(seat).message["Subject"].startswith("You moved: Phyliss with")
    assert table.ask(seat, "board").message["Subject"].startswith("Re: Phyliss with")


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        ("timezone Asia/Tokyo\nreminders off", "Done: timezone and reminders"),
        ("leave league Nowhere", "Your mail could not be carried out"),
    ],
)
def test_an_answer_tells_nothing_of_a_finished_table(
    table: Table, words: str, subject: str
) -> None:
    over(table)
    mail = table.ask(0, words)
    assert mail.message["Subject"] == subject
    assert "Place 1" not in mail.words
    assert "won" not in mail.words


def test_a_finished_table_is_shown_to_players_who_ask_for_it(table: Table) -> None:
    over(table)
    table.answer(0, "board")
    assert "Place 1" in table.last_to(0).words or "won" in table.last_to(0).words


@pytest.mark.parametrize(("language", "more"), [("en", "help more"), ("de", "hilfe mehr")])
def test_help_is_ten_lines(table: Table, language: str, more: str) -> None:
    game = table.started()
    table.answer(0, f"language {language}")
    table.answer(0, more.split(maxsplit=1)[0], to=table.last_to(0).reply_to)
    short = [line for line in table.last_to(0).text.splitlines() if line.startswith("- ")]
    assert len(short) == 10
    assert more in table.last_to(0).words
    seat_mail = next(mail for mail in reversed(table.mails_to(0)) if "+s-" in mail.reply_to)
    table.answer(0, more, to=seat_mail.reply_to)
    long = [line for line in table.last_to(0).text.splitlines() if line.startswith("- ")]
    assert len(long) > 40
    assert table.game(game.id).version == game.version


@pytest.mark.parametrize(
    ("question", "said", "other"),
    [
        ("can I pick up the pile even if I could play?", "also if you could play", "PHY-22"),
        ("how does the game end?", "The last player with cards loses", "PHY-12"),
        ("Who begins?", "the lowest face-up cards", "PHY-12"),
    ],
)
def test_a_question_gets_its_paragraph_of_the_rules(
    table: Table, question: str, said: str, other: str
) -> None:
    table.started()
    mail = table.ask(0, question)
    assert mail.message["Subject"] == "The rules of Phyliss"
    assert said in mail.words
    assert other not in mail.words

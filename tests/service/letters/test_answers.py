"""Test that each answer has one subject, and offers nothing that a finished game cannot do."""

from __future__ import annotations

import pytest

from pbem.domain.table.game import Game
from pbem.service.admin import acts
from tests.service.conftest import Table, configured


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
    table.skip(table.started(2), 2000)
    mail = table.ask(0, words)
    assert mail.message["Subject"] == subject
    assert "Place 1" not in mail.words
    assert "won" not in mail.words


@pytest.mark.parametrize(("language", "more"), [("en", "help more"), ("de", "hilfe mehr")])
def test_help_is_ten_lines(table: Table, trio: Game, language: str, more: str) -> None:
    table.answer(0, f"language {language}")
    table.answer(0, more.split(maxsplit=1)[0], to=table.last_to(0).reply_to)
    short = [line for line in table.last_to(0).text.splitlines() if line.startswith("- ")]
    assert len(short) == 10
    assert more in table.last_to(0).words
    seat_mail = next(mail for mail in reversed(table.mails_to(0)) if "+s-" in mail.reply_to)
    table.answer(0, more, to=seat_mail.reply_to)
    long = [line for line in table.last_to(0).text.splitlines() if line.startswith("- ")]
    assert len(long) > 40
    assert table.game(trio.id).version == trio.version


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


@pytest.fixture(params=["phyliss", "cathedral", "phalanx", "phase10"])
def over(request: pytest.FixtureRequest, table: Table) -> tuple[Table, Game]:
    """Return a game that ended in the middle of a deal, at a table without limits on answers."""
    table.service = configured(table.service, idle_answers_per_hour=100)
    game = table.skip(table.started(2, ruleset=request.param), 6)
    acts.adjudicate(table.service, game.id, "Anna, Bob", "Bob moved away.")
    table.run()
    return table, table.game(game.id)


OFFERED = (
    "resign",
    "resgin",
    "play 7 maybe",
    "resign confirm",
    "confirm",
    "skip tutorial",
    "undoo",
    "pickupp",
)


def test_a_game_that_is_over_offers_no_order_in_it(over: tuple[Table, Game]) -> None:
    """Refuse orders with the reason, and suggest none for a typing mistake."""
    table, _ = over
    last = table.last_to(0).reply_to
    for line in OFFERED:
        said = table.ask(0, line, to=last).words
        assert "would be allowed" not in said, (line, said)
        assert "resign confirm" not in said.replace(f'"{line}"', ""), (line, said)
    assert 'This would be allowed: "rematch".' in table.ask(0, "remacth", to=last).words


def test_nothing_is_on_in_a_game_that_is_over(over: tuple[Table, Game]) -> None:
    """The table of an answer tells no hand, battle or card to beat."""
    table, game = over
    said = table.ask(0, "board", to=table.last_to(0).reply_to).words
    assert f"[{game.id}]" in str(table.last_to(0).message["Subject"])
    assert " is on." not in said
    assert "On top of " not in said
    assert "On the pile lies" not in said

"""Test the registry of questions, and the properties of each kind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import PlayerToken
from pbem.service.intake.answers import ANSWERS
from pbem.service.lobby import creation as lobby
from pbem.service.notify.questions import PLACE, QUESTIONS
from pbem.service.people import erasure
from pbem.service.upkeep import pruning
from pbem.store.rows.core import QUESTION
from tests.service.conftest import Table

ELSEWHERE = "anna@work.example"


def test_every_question_has_an_answer() -> None:
    """The code that is sent to a place comes back in an order."""
    assert set(ANSWERS) == set(QUESTIONS) - {PLACE}


def test_a_question_cannot_be_made_another_players(table: Table, game: Game) -> None:
    """An attacker with write access asks about an own address and changes the player."""
    table.answer_twice(1, f"address add {ELSEWHERE}")
    question = table.sent_to(ELSEWHERE)[0]
    with table.service.store.unit_of_work() as uow:
        other = QUESTION.update().where(QUESTION.c.kind == "address")
        uow.connection.execute(other.values(player_id=game.seats[0].player))
    table.answer(1, "yes", to=question.reply_to, sender=ELSEWHERE)
    assert table.player(ELSEWHERE) is None


@pytest.mark.usefixtures("trio")
def test_a_question_is_deleted_a_month_after_its_end(table: Table) -> None:
    """Until then a late answer reads that it is too late."""
    table.answer(0, "resign confirm")
    question = table.question(0)
    table.clock.forward(days=36)
    pruning.tidy(table.service)
    table.answer(0, "yes", to=question.reply_to)
    assert any("That question is too old" in mail.words for mail in table.mails_to(0))
    table.clock.forward(days=2)
    pruning.tidy(table.service)
    with table.service.store.reading() as uow:
        since = table.clock.now() - timedelta(days=60)
        assert uow.questions.count("order", since) == 0


@pytest.mark.usefixtures("game")
def test_forgetting_a_person_deletes_questions_that_name_them(table: Table) -> None:
    """Questions about other players stay."""
    eve = lobby.add_player(table.service, lobby.Person("Eve", "eve@example.net"))
    to = table.service.tokens.address(PlayerToken(eve.id))
    table.answer(0, f"address add {ELSEWHERE}", to=to, sender="eve@example.net")
    table.answer(0, "replace me with Eve <eve@example.net>")
    table.answer(1, "resign confirm")
    erasure.forget(table.service, eve.id, "They asked for it.")
    acts = table.read(
        lambda uow: [act["act"] for question in uow.questions.all() for act in question.what.acts]
    )
    assert acts == ["resign"]

"""Test limits on answers, messages and questions, and that old addresses are void."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.terms.tokens import PlayerToken
from pbem.sections import LimitsSection
from tests.service.conftest import Table, configured

STRANGER = "stranger@example.net"


@pytest.fixture
def strict(table: Table) -> Table:
    """Return a service with low limits."""
    return replace(
        table,
        service=configured(
            table.service, limits=LimitsSection(idle_answers_per_hour=3, questions_per_day=2)
        ),
    )


def test_mails_that_change_nothing_get_so_many_answers_in_an_hour(strict: Table) -> None:
    """The last answer says so, and no more follow within the hour. Moves still count."""
    game = strict.started(2)
    strict.clock.forward(hours=1, seconds=1)
    seat, order = strict.standby(game)
    to = strict.last_to(seat).reply_to
    strict.delivery.mails.clear()
    for _ in range(9):
        strict.answer(seat, "thank you, I am on holiday", to=to)
    assert len(strict.mails_to(seat)) == 3
    assert "the last one for now" not in strict.mails_to(seat)[1].words
    assert "the last one for now" in strict.mails_to(seat)[2].words
    silent = strict.inbox()[-1]
    assert silent.status == "ignored"
    assert "enough" in (silent.verdict or {})["why"]
    strict.answer(seat, order, to=to)
    assert strict.game(game.id).version > game.version
    assert "You wrote" not in strict.last_to(seat).words
    strict.clock.forward(hours=1, seconds=1)
    assert (
        "I don't understand this line"
        in strict.ask(seat, "thank you, I am on holiday", to=to).words
    )


def _answered(table: Table, seat: int, text: str, to: str, times: int) -> list[bool]:
    """Write the same words several times. Return for each answer whether it is the last for now."""
    before = len(table.mails_to(seat))
    for _ in range(times):
        table.answer(seat, text, to=to)
    return ["the last one for now" in mail.words for mail in table.mails_to(seat)[before:]]


def test_each_game_has_its_own_answers_and_so_have_help_and_rules(strict: Table) -> None:
    """Talk in one game does not use up the answers of another, but all games share a limit."""
    strict.clock.forward(hours=-2)
    addresses = []
    for _ in range(3):
        strict.started(2)
        addresses.append(strict.last_to(0).reply_to)
    strict.clock.forward(hours=2)
    for _ in range(2):
        assert _answered(strict, 0, "help", addresses[0], 1) == [False]
    for number, to in enumerate(addresses):
        assert _answered(strict, 0, "what a lovely day", to, 5) == [False, False, True], number
    assert _answered(strict, 0, "rules", addresses[1], 3) == [True], "three of help and rules"
    assert _answered(strict, 0, "help", addresses[2], 2) == []
    own = strict.service.tokens.address(PlayerToken(strict.player("anna@example.org").id))
    assert len(_answered(strict, 0, "games", own, 9)) == 0, "twelve answers to one person"


def test_a_flood_is_told_once_and_not_carried_out(table: Table) -> None:
    """Messages beyond the limit are stored but not carried out."""
    strict = replace(
        table, service=configured(table.service, limits=LimitsSection(mails_per_hour=6))
    )
    game, seat, order = strict.start(2)
    for _ in range(4):
        strict.answer(seat, "board")
    to = strict.ask(seat, "board").reply_to
    version = strict.game(game.id).version
    strict.delivery.mails.clear()
    strict.answer(seat, order, to=to)
    strict.answer(seat, order, to=to)
    assert strict.game(game.id).version == version
    (told,) = strict.mails_to(seat)
    assert "More than 6 mails" in told.words
    assert {mail.status for mail in strict.inbox()[-2:]} == {"ignored"}


def test_one_question_stands_for_all_mails_from_an_address(strict: Table) -> None:
    """`yes` releases them all, in the order in which they came."""
    game, seat, order = strict.start(2)
    to = strict.last_to(seat).reply_to
    strict.delivery.mails.clear()
    strict.answer(seat, "nonsense", sender=STRANGER, to=to)
    strict.answer(seat, order, sender=STRANGER, to=to)
    (question,) = strict.mails_to(seat)
    assert [mail.status for mail in strict.inbox()[-2:]] == ["held", "held"]
    strict.answer(seat, "yes\npickup", to=question.reply_to)
    assert any('Not carried out: "pickup".' in mail.words for mail in strict.mails_to(seat))
    assert [mail.status for mail in strict.inbox()[-3:]] == ["done"] * 3
    assert strict.game(game.id).version > game.version


def test_what_stands_too_far_below_is_told(table: Table) -> None:
    """An order below fifty lines is not read, and its player does not wait for it."""
    game, seat, order = table.start(2)
    talk = "\n".join(["we had a long day in the garden"] * 60)
    table.answer(seat, f"{talk}\n{order}")
    assert table.game(game.id).version == game.version
    assert "Only the first 50 lines of a mail are read" in table.last_to(seat).words
    table.answer(seat, f"{order}\n{talk[:500]}")
    assert table.game(game.id).version > game.version
    assert "Only the first" not in table.last_to(seat).words

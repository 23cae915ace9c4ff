"""Test that an address is added to a player only after a yes from its own mailbox."""

from __future__ import annotations

import pytest

from pbem.service.core import operators
from tests.service.conftest import Table

DAVE = "dave@victim.example"
ROOT = "root@example.org"


def owner_of(table: Table, address: str) -> str | None:
    """Return the name of the player who has an address."""
    with table.service.store.reading() as uow:
        player = uow.players.by_address(address)
        return None if player is None else player.name


def claim(table: Table, address: str, text: str = "help", **headers: str) -> None:
    """Send a mail with this From to Bob's reply address, and say yes to the question as Bob."""
    to = next(m.reply_to for m in reversed(table.mails_to(1)) if "+s-" in m.reply_to)
    table.send(address, to, text, **headers)
    table.answer(1, "yes", to=table.question(1).reply_to)


def test_the_address_is_asked_itself(table: Table) -> None:
    """The question holds none of Bob's reply addresses, and only a yes from Dave's mailbox counts."""
    table.started(2)
    claim(table, DAVE)
    (question,) = table.sent_to(DAVE)
    assert "Somebody named Bob wants to play from this address" in question.words
    table.answer(1, "yes", to=question.reply_to)
    assert owner_of(table, DAVE) is None
    table.answer(1, "yes", to=question.reply_to, sender=DAVE)
    assert owner_of(table, DAVE) == "Bob"


def test_the_held_mail_is_carried_out_once(table: Table) -> None:
    """Bob confirms one message. The next one from that address is asked about again."""
    game = table.started(2)
    claim(table, DAVE, "pause")
    assert table.game(game.id).votes["pause"] == {1: True}
    table.answer(1, "no pause", sender=DAVE)
    assert table.game(game.id).votes["pause"] == {1: True}
    assert table.inbox()[-1].status == "held"


@pytest.mark.parametrize("asks", ["held", "address add"])
def test_an_admins_address_becomes_no_players_by_mail(table: Table, asks: str) -> None:
    """Not even by a yes from there: the admin does that with a command, and reads which."""
    game = table.started(2)
    if asks == "held":
        claim(table, ROOT)
    else:
        table.answer_twice(1, f"address add {ROOT}")
    (question,) = table.sent_to(ROOT)
    table.answer(1, "yes", to=question.reply_to, sender=ROOT)
    assert owner_of(table, ROOT) is None
    bob = game.seats[1].player
    assert not table.read(lambda uow: operators.is_operator(table.service, uow, bob))
    assert f"pbem player address {bob} {ROOT}" in table.sent_to(ROOT)[-1].words


def test_questions_to_new_addresses_have_a_limit(table: Table) -> None:
    """Bob's message is carried out, and he reads that the address was not asked today."""
    game = table.started(2)
    most = table.service.config.limits.questions_per_day
    assert table.write(
        lambda uow: uow.players.add_address(game.seats[1].player, "bob@work.example")
    )
    for number in range(most):
        table.answer_twice(1, f"address add x{number}@victim.example")
    claim(table, DAVE, "pause")
    assert not table.sent_to(DAVE)
    assert table.game(game.id).votes["pause"] == {1: True}
    assert any("asked often enough today" in mail.words for mail in table.mails_to(1)[-2:])

"""An address becomes a player's only by a yes from its own mailbox, whatever the player says."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.authentication import TrustedServer
from pbem.service.core import operators
from tests.service.conftest import Sent, Table, configured, raw_mail

DAVE = "dave@victim.example"
ROOT = "root@example.org"
PASS = "mx.example.net; dmarc=pass header.from=victim.example"


def owner_of(table: Table, address: str) -> str | None:
    """Return the name of the player who has an address."""
    with table.service.store.reading() as uow:
        player = uow.players.by_address(address)
        return None if player is None else player.name


def mails_to(table: Table, address: str) -> list[Sent]:
    return [mail for mail in table.delivery.mails if mail.rcpt_to == address]


def claim(table: Table, address: str, text: str = "help", **headers: str) -> None:
    """Send a mail with this From to Bob's reply address, and say yes to the question as Bob."""
    table.counter += 1
    to = next(m.reply_to for m in reversed(table.mails_to(1)) if "+s-" in m.reply_to)
    raw = raw_mail(address, to, text, message_id=f"<claim{table.counter}@x>", **headers)
    table.receive(raw, to, mail_from=address)
    table.run()
    table.answer(1, "yes", to=table.question(1).reply_to)


def test_a_players_yes_binds_no_address(both: Table) -> None:
    both.started(2)
    claim(both, DAVE)
    assert owner_of(both, DAVE) is None
    assert any("A mail went to dave@victim.example" in m.words for m in both.mails_to(1)[-2:])


def test_the_address_is_asked_itself(both: Table) -> None:
    """The question holds none of Bob's reply addresses, and only a yes from Dave's mailbox counts."""
    both.started(2)
    claim(both, DAVE)
    (question,) = mails_to(both, DAVE)
    assert "Somebody named Bob wants to play from this address" in question.words
    both.answer(1, "yes", to=question.reply_to)
    assert owner_of(both, DAVE) is None
    both.answer(1, "yes", to=question.reply_to, sender=DAVE)
    assert owner_of(both, DAVE) == "Bob"


def test_the_held_mail_is_carried_out_once(both: Table) -> None:
    """Bob vouches for this mail; the next one from there is asked about again."""
    game = both.started(2)
    claim(both, DAVE, "pause")
    assert both.game(game.id).votes["pause"] == {1: True}
    both.answer(1, "no pause", sender=DAVE)
    assert both.game(game.id).votes["pause"] == {1: True}
    assert both.inbox()[-1].status == "held"


def test_a_held_mail_binds_nothing_else(table: Table) -> None:
    """Bob's yes does not answer the question about what cannot be taken back."""
    game = table.started(2)
    claim(table, DAVE, "resign confirm")
    assert not table.game(game.id).is_over
    table.answer(1, "yes", to=table.question(1).reply_to)
    assert table.game(game.id).is_over


def test_a_held_mail_outside_of_a_game_is_carried_out(table: Table) -> None:
    table.started(2)
    table.answer(1, "timezone Asia/Tokyo")
    noted = table.last_to(1).reply_to
    table.answer(1, "timezone Europe/Paris", to=noted, sender=DAVE)
    table.answer(1, "yes", to=table.question(1).reply_to)
    with table.service.store.reading() as uow:
        bob = uow.players.by_address("bob@example.org")
    assert bob is not None
    assert bob.zone == "Europe/Paris"
    assert owner_of(table, DAVE) is None


def test_one_of_several_addresses_is_asked_itself(table: Table) -> None:
    """The list of strange addresses binds none of them either."""
    table.started(2)
    to = table.mails_to(1)[-1].reply_to
    for number in range(4):
        table.answer(1, "help", to=to, sender=f"x{number}@victim.example")
    table.answer(1, "help", to=to, sender=DAVE)
    table.clock.forward(hours=6)
    table.run()
    listed = next(m for m in reversed(table.mails_to(1)) if f"yes {DAVE}" in m.words)
    table.answer(1, f"yes {DAVE}", to=listed.reply_to)
    assert owner_of(table, DAVE) is None
    (question,) = mails_to(table, DAVE)
    table.answer(1, "yes", to=question.reply_to, sender=DAVE)
    assert owner_of(table, DAVE) == "Bob"


def test_an_invitation_answered_from_elsewhere_binds_nothing(table: Table) -> None:
    """The invited person's yes joins the game; the other address stays nobody's."""
    game = table.new_game(2)
    table.answer(1, "join", sender=DAVE)
    table.answer(1, "yes", to=table.question(1).reply_to)
    assert table.game(game.id).seats[1].status == "joined"
    assert owner_of(table, DAVE) is None


def test_a_sender_that_the_mail_server_vouches_for_is_asked_too(table: Table) -> None:
    """Dave may have answered a mail whose Reply-To was Bob's: that is no word about his address."""
    game = table.started(2)
    table.service = configured(table.service, trusted=TrustedServer("mx.example.net", "dmarc"))
    to = table.mails_to(1)[-1].reply_to
    raw = raw_mail(DAVE, to, "pause", message_id="<d@x>", Authentication_Results=PASS)
    table.receive(raw, to, mail_from=DAVE)
    table.run()
    vouched = "mx.example.net; dmarc=pass header.from=example.org"
    asked = table.question(1).reply_to
    raw = raw_mail(
        "bob@example.org", asked, "yes", message_id="<y@x>", Authentication_Results=vouched
    )
    table.receive(raw, asked, mail_from="bob@example.org")
    table.run()
    assert table.game(game.id).votes["pause"] == {1: True}
    assert owner_of(table, DAVE) is None
    assert len(mails_to(table, DAVE)) == 1


def test_carol_invites_dave_and_dave_is_asked(table: Table) -> None:
    """What Bob claimed does not bring him the invitations of another person."""
    table.started(3)
    claim(table, DAVE)
    before = len(mails_to(table, DAVE))
    bobs = len(table.mails_to(1))
    table.answer(2, f"new phyliss with Dave <{DAVE}>")
    assert len(mails_to(table, DAVE)) == before + 1
    assert len(table.mails_to(1)) == bobs


@pytest.mark.parametrize("asks", ["held", "address add"])
def test_an_admins_address_becomes_no_players_by_mail(table: Table, asks: str) -> None:
    """Not even by a yes from there: the admin does that with a command, and reads which."""
    game = table.started(2)
    if asks == "held":
        claim(table, ROOT)
    else:
        table.answer_twice(1, f"address add {ROOT}")
    (question,) = mails_to(table, ROOT)
    table.answer(1, "yes", to=question.reply_to, sender=ROOT)
    assert owner_of(table, ROOT) is None
    bob = game.seats[1].player
    with table.service.store.reading() as uow:
        assert not operators.is_operator(table.service, uow, bob)
    assert f"pbem player address {bob} {ROOT}" in mails_to(table, ROOT)[-1].words


def test_questions_to_new_addresses_have_a_limit(table: Table) -> None:
    """Bob's mail is carried out, and he reads that the address was not asked today."""
    game = table.started(2)
    most = table.service.config.limits.questions_per_day
    with table.service.store.unit_of_work() as uow:
        assert uow.players.add_address(game.seats[1].player, "bob@work.example")
    for number in range(most):
        table.answer_twice(1, f"address add x{number}@victim.example")
    claim(table, DAVE, "pause")
    assert not mails_to(table, DAVE)
    assert table.game(game.id).votes["pause"] == {1: True}
    assert any("asked often enough today" in mail.words for mail in table.mails_to(1)[-2:])

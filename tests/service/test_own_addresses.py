"""The addresses of one person: another one counts once a mail from there has said so."""

from __future__ import annotations

import re

import pytest

from pbem.service.verify import verify_game
from tests.service.conftest import Sent, Table

NEW = "anna@work.example"


def to_new(table: Table) -> Sent:
    return next(mail for mail in table.delivery.mails[::-1] if mail.rcpt_to == NEW)


def addresses(table: Table) -> list[str]:
    with table.service.store.reading() as uow:
        player = uow.players.by_address("bob@example.org")
        assert player is not None
        anna = uow.players.by_address("anna@example.org") or uow.players.by_address(NEW)
        assert anna is not None
        return list(uow.players.addresses(anna.id))


def added(table: Table) -> None:
    table.answer(0, f"address add {NEW}")
    table.answer(0, "yes", to=to_new(table).reply_to, sender=NEW)


def test_an_address_is_confirmed_from_there(both: Table) -> None:
    """Before that a mail from there moves nothing; afterwards it does, and mails may go there."""
    game = both.started(2)
    turn = both.last_to(0).reply_to
    both.answer(0, f"Address add {NEW.title()}")
    assert f"A mail went to {NEW}" in both.last_to(0).words
    assert addresses(both) == ["anna@example.org"]
    assert "Anna wants to play from this address" in to_new(both).words
    assert b"+p-" not in to_new(both).raw, "no token of hers goes where somebody else may read it"
    both.answer(0, "yes", to=to_new(both).reply_to, sender=NEW)
    assert addresses(both) == ["anna@example.org", NEW]
    assert f"{NEW} is an address of yours" in both.last_to(0).words
    both.answer(0, "pause", to=turn, sender=NEW)
    assert both.game(game.id).votes["pause"] == {0: True}
    both.answer(0, f"address primary {NEW}")
    assert addresses(both) == [NEW, "anna@example.org"]
    both.answer(0, "settings", to=both.service.own_address)
    assert f"Your addresses: {NEW} and anna@example.org." in to_new(both).words
    both.answer(0, f"address remove {NEW}", to=to_new(both).reply_to)
    assert addresses(both) == ["anna@example.org"]
    assert "not yours any more" in both.last_to(0).words


@pytest.mark.parametrize("act", ["remove anna@example.org", f"primary {NEW}"])
def test_from_alone_turns_no_mails_away(table: Table, act: str) -> None:
    """At the bare address anybody can write her name: she is asked, and nothing is done before."""
    table.started(2)
    added(table)
    table.answer(0, f"address {act}", to=table.service.own_address)
    assert addresses(table) == ["anna@example.org", NEW]
    table.answer(0, "yes")
    assert addresses(table)[0] == NEW


def test_a_no_is_about_the_mail_that_was_asked_about(table: Table) -> None:
    """Somebody forged one of two mails to the bare address; the other one still waits for its yes."""
    table.started(2)
    for address in (NEW, "eve@example.net"):
        table.answer(0, f"address add {address}", to=table.service.own_address)
    hers, forged = (mail.reply_to for mail in table.mails_to(0)[-2:])
    table.answer(0, "no", to=forged)
    table.answer(0, "yes", to=hers)
    assert "wants to play from this address" in to_new(table).words
    assert all(mail.rcpt_to != "eve@example.net" for mail in table.delivery.mails)


def test_only_who_reads_it_confirms_it(table: Table) -> None:
    """The token from another address, a made-up one, a late one, a no: nothing."""
    table.started(2)
    table.answer(0, f"address add {NEW}")
    reply_to = to_new(table).reply_to
    for sender in ("mallory@example.net", "bob@example.org", "anna@example.org"):
        table.answer(0, "yes", to=reply_to, sender=sender)
    forged = re.sub(r"\+a-[a-z2-7]+-", "+a-aaaaaaaaaa-", reply_to)
    table.answer(0, "yes", to=forged, sender=NEW)
    table.answer(0, "no", to=reply_to, sender=NEW)
    assert addresses(table) == ["anna@example.org"]
    table.clock.forward(days=8)
    table.answer(0, "yes", to=reply_to, sender=NEW)
    assert addresses(table) == ["anna@example.org"]


def test_what_was_asked_before_the_addresses_were_void_is_void(table: Table) -> None:
    """Who had a mail of hers asked for an address of their own; she had hers replaced."""
    game = table.started(2)
    table.answer(0, f"address add {NEW}")
    old = to_new(table).reply_to
    with table.service.store.unit_of_work() as uow:
        uow.players.rotate(game.seats[0].player)
    table.answer(0, "yes", to=old, sender=NEW)
    assert addresses(table) == ["anna@example.org"]
    table.answer(0, "help")  # to a void address: the answer brings the new one
    table.answer(0, f"address add {NEW}")
    table.answer(0, "yes", to=to_new(table).reply_to, sender=NEW)
    assert addresses(table) == ["anna@example.org", NEW]


def test_somebody_elses_address_stays_theirs(table: Table) -> None:
    """Who asks does not learn whose it is; who reads it is told that nothing changed."""
    table.started(2)
    table.answer(0, "address add bob@example.org")
    assert "A mail went to bob@example.org" in table.last_to(0).words
    table.answer(1, "yes")
    assert "so nothing changed" in table.last_to(0).words
    assert addresses(table) == ["anna@example.org"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("address remove anna@example.org", "That is your only address"),
        ("address primary bob@example.org", "That is no address of yours"),
        ("address add anna@example.org", "an address of yours already"),
        ("address add anna-at-home", "is no mail address"),
        ("addresses", "Your addresses: anna@example.org."),
    ],
)
def test_what_is_said(table: Table, text: str, said: str) -> None:
    table.started(2)
    table.answer(0, text)
    assert said in table.last_to(0).words
    assert addresses(table) == ["anna@example.org"]


def test_strangers_are_not_pestered(table: Table) -> None:
    """A few such mails a day, and no more."""
    table.started(2)
    for number in range(7):
        table.answer(0, f"address add x{number}@work.example")
    sent = [mail for mail in table.delivery.mails if mail.rcpt_to.endswith("@work.example")]
    assert len(sent) == table.service.settings.limits.questions_per_day
    assert "often enough today" in table.last_to(0).words


def test_a_bare_mail_changes_no_address(table: Table) -> None:
    """From alone proves nothing: whose it is, is asked before an address is added."""
    table.started(2)
    table.answer(0, "address add mallory@example.net", to=table.service.own_address)
    assert not [mail for mail in table.delivery.mails if mail.rcpt_to == "mallory@example.net"]
    table.answer(0, "yes")
    assert [mail for mail in table.delivery.mails if mail.rcpt_to == "mallory@example.net"]


def without_address(table: Table) -> None:
    """Take Bob's only address from him, as nobody can by mail."""
    with table.service.store.unit_of_work() as uow:
        bob = uow.players.by_address("bob@example.org")
        assert bob is not None
        uow.players.remove_address(bob.id, "bob@example.org")


def test_who_has_no_address_gets_no_mails(table: Table) -> None:
    """What is meant for them is cancelled once, and tried no more; the others play on."""
    game = table.started(2)
    without_address(table)
    table.answer(0, "say are you there?")
    table.clock.forward(hours=25)
    table.run()
    assert {row.kind: row.status for row in table.outbox()}["talk"] == "cancelled"
    table.answer(0, "resign confirm")
    with table.service.store.reading() as uow:
        assert verify_game(uow, game.id).complete


def test_who_has_no_address_is_invited_no_more(table: Table) -> None:
    """Neither to a rematch nor by name: nobody would ever answer."""
    table.started(2)
    table.answer(0, "resign confirm")
    without_address(table)
    table.answer(0, "rematch")
    assert "not known here any more; please make a new game" in table.last_to(0).words
    table.answer(0, "new phyliss with Bob")
    table.answer(0, "yes")
    with table.service.store.reading() as uow:
        assert len(uow.projections.games()) == 1


def test_an_old_mail_of_who_has_no_address(table: Table) -> None:
    """Nobody could be asked whether its answer is theirs: it is read as one to a void address."""
    table.started(2)
    table.answer(0, "resign confirm")
    old = table.last_to(1).reply_to
    without_address(table)
    table.answer(1, "rematch", to=old)
    assert table.inbox()[-1].status == "ignored"
    table.answer(0, "rematch", to=old)
    assert table.inbox()[-1].status == "done"
    assert "address" in table.last_to(0).words

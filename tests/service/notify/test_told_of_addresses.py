"""Test that all former addresses of a player are notified of a change of addresses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import find_tokens
from pbem.service.logbook import keys
from pbem.service.people import mail_acts
from pbem.service.upkeep.doctor import _addresses
from pbem.service.upkeep.health import Look
from pbem.store.seal import keyring
from tests.databases import RING
from tests.service.conftest import Sent, Table
from tests.service.people.test_address_binding import (
    ANNA,
    BOB,
    SPY,
    find_alerts,
    find_id,
    select,
    sql,
    write_orders,
)

WORK, HOME = "anna@work.example", "anna@home.example"
SUBJECT = "Your addresses were changed"


def find_notifications(table: Table, since: int) -> dict[str, Sent]:
    """Return the notifications about a change since then, by address."""
    mails = [mail for mail in table.delivery.mails[since:] if SUBJECT in mail.message["Subject"]]
    assert len({mail.rcpt_to for mail in mails}) == len(mails)
    return {mail.rcpt_to: mail for mail in mails}


def find_question(table: Table, address: str) -> Sent:
    return table.sent_to(address)[-1]


def add(table: Table, address: str) -> None:
    table.answer_twice(0, f"address add {address}")
    table.answer(0, "yes", to=find_question(table, address).reply_to, sender=address)


def confirms(table: Table) -> None:
    """Write from another address, and confirm it from both addresses."""
    table.answer(0, "say hello", to=table.last_to(0).reply_to, sender=HOME)
    table.answer(0, "yes", to=find_question(table, ANNA).reply_to, sender=ANNA)
    table.answer(0, "yes", to=find_question(table, HOME).reply_to, sender=HOME)


def by_admin(table: Table) -> None:
    mail_acts.set_address(table.service, "Anna", HOME)
    table.run()


CHANGES: dict[str, Callable[[Table], None]] = {
    "add": lambda table: add(table, HOME),
    "confirm": confirms,
    "remove": lambda table: table.answer_twice(0, f"address remove {WORK}"),
    "prefer": lambda table: table.answer_twice(0, f"address primary {WORK}"),
    "by an admin": by_admin,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
@pytest.mark.usefixtures("game")
def test_all_earlier_addresses_are_told(table: Table, change: Callable[[Table], None]) -> None:
    """Notify removed addresses, too, without a token or an address that is new to them."""
    add(table, WORK)
    since = len(table.delivery.mails)
    change(table)
    mails = find_notifications(table, since)
    assert {ANNA, WORK} <= set(mails) <= {ANNA, WORK, HOME}
    for mail in mails.values():
        assert "tell the people who run this server at once" in mail.words
        assert "a…@" in mail.words
        assert not {WORK, HOME, ANNA} & set(mail.words.split())
        assert find_tokens(table.service.tokens, mail.raw.decode()) == []


@pytest.mark.usefixtures("game")
def test_who_wants_no_mails_is_told_this(table: Table) -> None:
    """Otherwise an attacker would first unsubscribe the player."""
    add(table, WORK)
    anna = find_id(table, "Anna")
    table.write(
        lambda uow: uow.deliverability.mark_unreachable(anna, table.clock.now(), "unsubscribed")
    )
    since = len(table.delivery.mails)
    by_admin(table)
    assert {ANNA, WORK} <= set(find_notifications(table, since))


# -- an admin puts it right --------------------------------------------------------------------


def test_an_admin_puts_a_row_right(both: Table) -> None:
    """The report names the player but no address. Afterwards messages work as before."""
    game = both.started(2)
    bob = find_id(both, "Bob")
    assert both.check() == []
    sql(both, "UPDATE address SET address = :spy WHERE address = :bob", spy=SPY, bob=BOB)
    (problem,) = both.check()
    (finding,) = both.read(lambda uow: [*_addresses(Look(both.service, uow))])
    for text in (problem, f"{finding.text} {finding.remedy}"):
        assert bob in text
        assert "example" not in text
    assert finding.status == "fail"
    mail_acts.set_address(both.service, "Bob", BOB)
    both.run()
    assert select(both, "SELECT address FROM address WHERE player_id = :id", id=bob) == [(BOB,)]
    assert both.check() == []
    both.answer(1, "pause")
    assert both.game(game.id).votes["pause"] == {1: True}
    assert both.sent_to(SPY) == []


# -- keys --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("game")
def test_rows_verify_after_a_rotation(table: Table, tmp_path: Path) -> None:
    """A rotation changes no row: signatures stay valid, and a changed row is still detected."""
    file, store = tmp_path / "keys", table.service.store
    keyring.write(file, RING)
    store.keys = lambda: keyring.read(file)
    sql(table, "UPDATE address SET address = :spy WHERE address = :bob", spy=SPY, bob=BOB)
    old = RING.keys[0].kid
    keys.rotate(store, file, date(2026, 12, 1))
    assert keys.reseal(store, file, lambda _: None).is_all
    assert keys.retire(store, file) == (old,)
    write_orders(table, SPY, "hand")
    assert table.sent_to(SPY) == []
    assert len(find_alerts(table)) == 1
    mail_acts.set_address(table.service, "Bob", BOB)
    write_orders(table, BOB, "hand")
    assert "Your hand" in table.last_to(1).words


def test_without_the_lost_key_addresses_are_believed_as_they_stand(
    table: Table, game: Game, tmp_path: Path
) -> None:
    """On the admin's word: it names the players, so that each can be asked."""
    file, store = tmp_path / "keys", table.service.store
    keyring.write(file, keys.new_ring(date(2026, 12, 1)))
    store.keys = lambda: keyring.read(file)
    with store.reading() as uow:
        assert uow.players.by_address(BOB) is None
    lost = keys.give_up(store, file, table.clock.now(), really=True)
    assert set(lost.players) == {seat.player for seat in game.seats}
    write_orders(table, BOB, "help")
    assert len(table.sent_to(BOB)) > 2

"""Test games of operators: no secret phrase, and a record of the deals that they ended."""

from __future__ import annotations

import pytest

from pbem.service.admin import acts
from pbem.service.lobby import making as lobby
from tests.service.conftest import Table, configured


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize(
    ("admin", "address"),
    [
        ("root@example.org", "root+cards@example.org"),
        ("root+alerts@example.org", "ROOT@Example.org"),
        ("r.oot@gmail.com", "ro.ot+x@googlemail.com"),
    ],
)
def test_operator_is_known_by_any_address_of_their_mailbox(
    table: Table, admin: str, address: str
) -> None:
    """A tag, capitals or the dots of Gmail do not make another person."""
    service = configured(table.service, admins=(admin,))
    people = [lobby.Person("Root", address), lobby.Person("Bob", "bob@example.org")]
    assert lobby.create_game(service, people, lobby.GamePlan("phyliss")).operator_seats == (0,)


def _invitation(table: Table, name: str) -> str:
    people = [
        lobby.Person("Bob", "bob@example.org"),
        lobby.Person(name, f"{name.lower()}@example.org"),
    ]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    address = f"{name.lower()}@example.org"
    return table.sent_to(address)[-1].words


def test_deals_that_the_server_ended_are_told_to_the_people_invited_next(table: Table) -> None:
    """An admin stopped one game after its deal and declined another as a player."""
    assert "this server ended" not in _invitation(table, "Carol")
    acts.stop(table.service, table.started(2, seed=1).id, "I did not like it.")
    assert "this server ended 1 game before its first move" in _invitation(table, "Dora")
    people = [lobby.Person("Root", "root@example.org"), lobby.Person("Bob", "bob@example.org")]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    root = table.sent_to("root@example.org")[-1]
    table.answer(0, "decline", to=root.reply_to, sender="root@example.org")
    assert "this server ended 2 games before their first move" in _invitation(table, "Emil")
    table.clock.forward(days=31)
    assert "this server ended" not in _invitation(table, "Fred")

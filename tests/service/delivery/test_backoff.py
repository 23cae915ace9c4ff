"""Test that failing mail servers are retried later, while others get their messages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from pbem.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError
from pbem.service.delivery.failures import (
    FIRST_RETRY,
)
from pbem.service.delivery.send_due import send_due
from pbem.service.lobby import creation as lobby
from tests.patience import patience
from tests.service.conftest import Recording, Table, configured


@dataclass
class Choosy(Recording):
    """A delivery that refuses messages to some domains."""

    refused: dict[str, DeliveryError] = field(default_factory=dict)
    tried: list[str] = field(default_factory=list)

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        self.tried.append(rcpt_to)
        error = self.refused.get(rcpt_to.rpartition("@")[2])
        if error is not None:
            raise error
        await super().send(raw, mail_from, rcpt_to)


def invite(table: Table, *addresses: str) -> None:
    people = [lobby.Person(address.partition("@")[0], address) for address in addresses]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))


def send(table: Table, delivery: Choosy) -> list[str]:
    """Send due messages, and return the recipients that were tried."""
    delivery.tried.clear()
    asyncio.run(send_due(table.service, delivery))
    return delivery.tried


def test_a_domain_that_is_in_trouble_is_asked_once(table: Table) -> None:
    """Only recipients of this domain wait, and they are retried one by one."""
    later = TransientDeliveryError("later", scope="recipient", status="4.4.1")
    choosy = Choosy(refused={"slow.example": later})
    invite(table, "anna@slow.example", "bob@slow.example", "carol@example.org")
    assert send(table, choosy) == ["anna@slow.example", "carol@example.org"]
    assert send(table, choosy) == []
    table.clock.forward(seconds=FIRST_RETRY.total_seconds())
    assert len(send(table, choosy)) == 1
    assert sum(sorted(row.failures for row in table.outbox())) == 2, "waiting is no failure"
    choosy.refused.clear()
    table.clock.forward(hours=1)
    assert sorted(send(table, choosy)) == ["anna@slow.example", "bob@slow.example"]


@pytest.mark.parametrize("scope", ["server", "mail"])
def test_the_next_server(table: Table, scope: str) -> None:
    """If the server is down nothing else is tried. If it refused one message, the others are."""
    choosy = Choosy(refused={"a.example": TransientDeliveryError("no", scope=scope)})
    invite(table, "anna@a.example", "bob@example.org")
    assert ("bob@example.org" in send(table, choosy)) is (scope == "mail")
    choosy.refused.clear()
    table.clock.forward(minutes=1)
    send(table, choosy)
    assert {row.status for row in table.outbox()} == {"sent"}


@pytest.mark.parametrize(
    "error",
    [
        TransientDeliveryError("the server closed the connection"),
        PermanentDeliveryError("refused", scope="sender", status="5.7.1"),
        PermanentDeliveryError("550 no", scope="recipient"),
    ],
)
def test_mails_refused_again_and_again_keep_no_later_one(
    table: Table, error: DeliveryError
) -> None:
    """A new message is tried before those that were refused for hours."""
    choosy = Choosy(refused={"a.example": error})
    invite(table, "anna@a.example", "bob@a.example", "carol@a.example")
    for _ in range(30):
        send(table, choosy)
        table.clock.forward(minutes=10)
    invite(table, "dora@example.org", "emil@example.org")
    send(table, choosy)
    table.clock.forward(minutes=10)
    send(table, choosy)
    arrived = {mail.rcpt_to for mail in choosy.mails} - {"root@example.org"}
    assert arrived == {"dora@example.org", "emil@example.org"}


def test_a_server_that_does_not_answer_after_a_mail_gets_few_copies(table: Table) -> None:
    """Each attempt may deliver a copy, so try once in two hours and alert the admins."""
    silent = TransientDeliveryError("no answer after the mail", scope="unanswered")
    choosy = Choosy(refused={"a.example": silent})
    invite(table, "anna@a.example", "bob@example.org")
    tried = list(send(table, choosy))
    assert sorted(tried) == ["anna@a.example", "bob@example.org"]
    assert [row.kind for row in table.outbox()].count("alert") == 0
    for _ in range(36):
        table.clock.forward(minutes=10)
        tried += send(table, choosy)
    assert tried.count("anna@a.example") == 4
    (alert,) = [mail for mail in choosy.mails if mail.rcpt_to == "root@example.org"]
    assert "did not say whether it keeps them" in alert.words
    choosy.refused.clear()
    table.clock.forward(hours=2)
    send(table, choosy)
    assert {row.status for row in table.outbox()} == {"sent"}


@dataclass
class Crowded(Recording):
    """A delivery that counts concurrent messages and waits for a second one."""

    now: int = 0
    most: int = 0
    met: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        if self.now > 1:
            self.met.set()
        await asyncio.wait_for(self.met.wait(), patience(20))
        self.now -= 1
        await super().send(raw, mail_from, rcpt_to)


def test_so_many_at_once_and_no_more(table: Table) -> None:
    """Send to several recipients at once, but never two messages of one seat."""
    table.service = configured(table.service, connections=3)
    for number in range(3):
        invite(table, f"a{number}@example.org", f"b{number}@example.org")
    crowded = Crowded()
    assert asyncio.run(send_due(table.service, crowded)) == 6
    assert 2 <= crowded.most <= 3
    assert len({mail.rcpt_to for mail in crowded.mails}) == 6

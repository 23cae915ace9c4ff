"""Leases of outgoing mails: two services, slow servers, killed processes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from pbem.service.delivery.send_due import send_due
from pbem.service.lobby import making as lobby
from tests.service.conftest import NAMES, Recording, Table


def invite(table: Table) -> None:
    """Three invitations wait in the outbox."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))


@dataclass
class SlowServer(Recording):
    """Takes longer for its first mail than a lease lasts; meanwhile another service sends."""

    table: Table | None = None
    other: Recording = field(default_factory=Recording)

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        assert self.table is not None
        if not self.mails:
            self.table.clock.instant += self.table.service.lease
            await send_due(self.table.service, self.other)
        await super().send(raw, mail_from, rcpt_to)


def test_a_mail_that_another_service_took_over_is_left_to_it(table: Table) -> None:
    """A lease that ran out while the mails before it were sent is not used any more."""
    invite(table)
    slow = SlowServer(table=table)
    asyncio.run(send_due(table.service, slow))
    taken_over = {mail.rcpt_to for mail in slow.other.mails}
    assert len(taken_over) == 3, "the first one too: nobody knows what became of it"
    assert [mail.rcpt_to for mail in slow.mails] == ["anna@example.org"]


def test_a_batch_may_take_longer_than_a_lease(table: Table) -> None:
    """Each mail has a lease of its own from when its turn comes."""
    invite(table)

    class Slow(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            table.clock.instant += table.service.lease * 0.9
            await super().send(raw, mail_from, rcpt_to)

    slow = Slow()
    asyncio.run(send_due(table.service, slow))
    assert len(slow.mails) == 3
    assert {mail.status for mail in table.outbox()} == {"sent"}

"""Test leases of outgoing messages: two services, slow servers, killed processes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from pbem.service.core import served
from pbem.service.delivery.send_due import send_due
from pbem.service.lobby import making as lobby
from tests.patience import patience
from tests.service.conftest import NAMES, Recording, Table


def invite(table: Table) -> None:
    """Queue three invitations."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))


@dataclass
class SlowServer(Recording):
    """A server that takes longer than a lease, while another service sends."""

    table: Table | None = None
    other: Recording = field(default_factory=Recording)

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        assert self.table is not None
        if not self.mails:
            self.table.clock.instant += self.table.service.lease
            await send_due(self.table.service, self.other)
        await super().send(raw, mail_from, rcpt_to)


def test_a_mail_that_another_service_took_over_is_left_to_it(table: Table) -> None:
    """Do not use a lease that expired while earlier messages were sent."""
    invite(table)
    slow = SlowServer(table=table)
    asyncio.run(send_due(table.service, slow))
    taken_over = {mail.rcpt_to for mail in slow.other.mails}
    assert len(taken_over) == 3, "the first one too: nobody knows what became of it"
    assert [mail.rcpt_to for mail in slow.mails] == ["anna@example.org"]


def test_a_batch_may_take_longer_than_a_lease(table: Table) -> None:
    """Each message is leased only when its delivery begins."""
    invite(table)

    class Slow(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            table.clock.instant += table.service.lease * 0.9
            await super().send(raw, mail_from, rcpt_to)

    slow = Slow()
    asyncio.run(send_due(table.service, slow))
    assert len(slow.mails) == 3
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_a_lease_is_renewed_while_the_server_takes_its_time(table: Table) -> None:
    """No other worker sends the message while the server takes minutes to answer."""
    serve = table.service.config.serve.model_copy(update={"lease_seconds": 1.0})
    config = table.service.config.model_copy(update={"serve": serve})
    table.service = replace(table.service, config=config)
    invite(table)

    def lease_end() -> object:
        return next(mail.lease_until for mail in table.outbox())

    class Scanning(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            if not self.mails:
                table.clock.instant += table.service.lease * 0.9
                wanted = table.clock.now() + table.service.lease
                async with asyncio.timeout(patience(20)):
                    while lease_end() != wanted:  # noqa: ASYNC110  (a row has no event)
                        await asyncio.sleep(0.02)
            await super().send(raw, mail_from, rcpt_to)

    scanning = Scanning()
    asyncio.run(send_due(table.service, scanning))
    assert len(scanning.mails) == 3


def test_mails_of_a_killed_service_are_due_at_its_next_start(table: Table) -> None:
    """No other service works here, so no lease can be held any more."""
    invite(table)
    claim_all(table)
    assert served.start(table.service) == []
    sent = Recording()
    asyncio.run(send_due(table.service, sent))
    assert len(sent.mails) == 3


def test_leases_of_another_service_hold_when_one_starts(table: Table) -> None:
    invite(table)
    claim_all(table)
    table.write(lambda uow: uow.outages.note("process:17 on elsewhere", table.service.now()))
    assert served.start(table.service) == ["17 on elsewhere"]
    sent = Recording()
    asyncio.run(send_due(table.service, sent))
    assert sent.mails == []


def claim_all(table: Table) -> None:
    """Claim all due messages, like a service that is killed afterwards."""
    assert table.write(
        lambda uow: uow.outbox.claim_due(table.service.now(), table.service.lease, 10)
    )

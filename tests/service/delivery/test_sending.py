"""Test sending: kills between two steps, leases, and an orderly shutdown."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, NoReturn

import pytest

from pbem.domain.log.clock_events import DeadlineExtended
from pbem.domain.table.game import Game
from pbem.errors import (
    LogError,
    StoreAwayError,
    StoreError,
    TransientDeliveryError,
)
from pbem.service.admin import acts, clock_acts
from pbem.service.core import live_database
from pbem.service.core.context import Service
from pbem.service.delivery import prepare
from pbem.service.delivery import send_due as module
from pbem.service.delivery.send_due import send_due
from pbem.service.lobby import creation as lobby
from tests.patience import patience
from tests.service.conftest import NAMES, Recording, Table, configured, failing


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
    assert live_database.start(table.service) == []
    sent = Recording()
    asyncio.run(send_due(table.service, sent))
    assert len(sent.mails) == 3


def test_leases_of_another_service_hold_when_one_starts(table: Table) -> None:
    invite(table)
    claim_all(table)
    table.write(lambda uow: uow.outages.note("process:17 on elsewhere", table.service.now()))
    assert live_database.start(table.service) == ["17 on elsewhere"]
    sent = Recording()
    asyncio.run(send_due(table.service, sent))
    assert sent.mails == []


def claim_all(table: Table) -> None:
    """Claim all due messages, like a service that is killed afterwards."""
    assert table.write(
        lambda uow: uow.outbox.claim_due(table.service.now(), table.service.lease, 10)
    )


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it, and nothing is committed after it."""


def start_with_late_turn(table: Table) -> Game:
    """Return a game whose first turn message was delayed by three hours and can be sent now."""
    game = table.new_game(2)
    table.answer(0, "join")
    table.delivery.error = TransientDeliveryError("no connection to the server")
    table.answer(1, "join")
    table.delivery.error = None
    table.clock.forward(hours=3)
    return table.game(game.id)


def test_kill_after_a_late_mail_left_costs_nobody_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sent status and the later deadline are recorded in one transaction."""
    game = start_with_late_turn(table)
    with monkeypatch.context() as patch:
        patch.setattr(module.clockwork, "extend_for_delivery", failing(Killed()))
        with pytest.raises(Killed):
            table.run()
    table.run_at(table.clock.now() + table.service.lease)
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert len(table.events(game, DeadlineExtended)) == 1


def test_a_mail_that_leaves_while_the_clock_stands_still_costs_no_time(table: Table) -> None:
    """The player had nothing to answer before: when the clock runs again all of the time is left."""
    game = start_with_late_turn(table)
    acts.carry_out(table.service, game.id, clock_acts.pause, "the mail server is down")
    table.wait(hours=2)
    assert {mail.status for mail in table.outbox()} == {"sent"}
    left = len(table.delivery.mails)
    table.run_at(table.clock.now() + table.service.lease)
    assert len(table.delivery.mails) == left
    deadline = acts.carry_out(table.service, game.id, clock_acts.resume, "it is up again").deadline
    assert deadline.due_at - table.clock.now() == timedelta(seconds=game.time_per_move)


@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (module.clockwork, "extend_for_delivery", IndexError()),
        (module.games, "load", LogError("a hash is wrong")),
    ],
)
def test_a_message_is_marked_as_sent_though_its_deadline_cannot_move(
    table: Table, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, error: Exception
) -> None:
    """Neither a fault of the program nor a damaged log sends the message again."""
    game = start_with_late_turn(table)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, failing(error))
        table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert table.events(game, DeadlineExtended) == []


def test_end_in_the_middle_of_a_batch(table: Table) -> None:
    """Sent messages are recorded, and the others are released."""
    invite(table)
    mails = table.delivery.mails
    sending = send_due(table.service, table.delivery, should_stop=lambda: len(mails) == 1)
    assert asyncio.run(sending) == 1
    assert sorted(mail.status for mail in table.outbox()) == ["pending", "pending", "sent"]
    table.run()
    assert len(table.delivery.mails) == 3


def test_a_database_that_is_away_is_no_fault_of_a_mail(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk neither delays messages nor leaves leases behind."""
    invite(table)
    with monkeypatch.context() as patch:
        patch.setattr(prepare, "is_superseded", failing(StoreAwayError("the disk is full")))
        with pytest.raises(StoreAwayError):
            asyncio.run(send_due(table.service, table.delivery))
    assert {mail.failures for mail in table.outbox()} == {0}
    asyncio.run(send_due(table.service, table.delivery))
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_passing_trouble_after_a_mail_left_sends_it_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error before or after the commit leads to one message and one extension."""
    game = start_with_late_turn(table)
    before = len(table.delivery.mails)
    real, troubles = module._start_clock_late, [StoreError("the connection broke")]
    noted, lost = module._mark_sent, [StoreError("the connection broke")]

    def start_clock_late(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        if troubles:
            raise troubles.pop()

    def mark_sent(*args: object, **named: object) -> None:
        noted(*args, **named)  # type: ignore[arg-type]
        if lost:
            raise lost.pop()

    monkeypatch.setattr(module, "_start_clock_late", start_clock_late)
    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert len(table.delivery.mails) == before + 2
    assert len(table.events(game, DeadlineExtended)) == 1


def test_few_mails_leave_before_the_first_is_noted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill makes only so many come twice, however many wait."""
    table.service = configured(table.service, connections=4)
    for _ in range(5):
        invite(table)

    def mark_sent(*_args: object) -> NoReturn:
        time.sleep(0.05)
        raise Killed

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    with pytest.raises(Killed):
        asyncio.run(send_due(table.service, table.delivery))
    assert len(table.delivery.mails) <= 10


def test_no_more_mails_leave_than_the_server_takes_in_a_day(table: Table) -> None:
    """The others wait for the next day."""
    table.service = configured(table.service, mails_a_day=2, connections=1)
    invite(table)
    assert asyncio.run(send_due(table.service, table.delivery)) == 2
    assert asyncio.run(send_due(table.service, table.delivery)) == 0
    table.clock.forward(hours=23, minutes=59)
    assert asyncio.run(send_due(table.service, table.delivery)) == 0
    table.clock.forward(minutes=2)
    assert asyncio.run(send_due(table.service, table.delivery)) == 1
    assert [mail.status for mail in table.outbox()] == ["sent"] * 3


@dataclass
class Hanging(Recording):
    """A server that does not answer the first message until it is free."""

    is_free: asyncio.Event = field(default_factory=asyncio.Event)
    has_hung: bool = False

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        if not self.has_hung:
            self.has_hung = True
            await self.is_free.wait()
        await super().send(raw, mail_from, rcpt_to)


def statuses(table: Table) -> list[str]:
    return sorted(mail.status for mail in table.outbox())


async def until(is_true: Callable[[], bool]) -> None:
    """Wait until something is true, and fail if it takes far too long."""
    async with asyncio.timeout(patience(20)):
        while not is_true():  # noqa: ASYNC110  (a row has no event)
            await asyncio.sleep(0.02)


def test_others_are_sent_and_recorded_while_one_delivery_hangs(table: Table) -> None:
    """One slow delivery delays neither due messages, nor records, nor messages queued meanwhile."""
    table.service = configured(table.service, connections=4)
    for _ in range(5):
        invite(table)
    server = Hanging()

    async def scenario() -> None:
        sending = asyncio.create_task(send_due(table.service, server))
        await until(lambda: statuses(table) == ["pending"] + ["sent"] * 14)
        invite(table)
        await until(lambda: statuses(table) == ["pending"] + ["sent"] * 17)
        assert not sending.done()
        server.is_free.set()
        await sending

    asyncio.run(scenario())
    assert statuses(table) == ["sent"] * 18


def test_a_failure_is_recorded_after_the_successes_before_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause after a failure must not be ended by an earlier success, however slow its record is."""
    monkeypatch.setattr(module, "RECORD_SECONDS", 0.0)
    monkeypatch.setattr(module, "MAX_UNRECORDED", 1)
    table.service = configured(table.service, connections=3)
    invite(table)
    steps: list[str] = []
    is_recording = threading.Event()
    mark, fail = module._mark_sent, module.failures.note_failure

    def mark_sent(*args: Any, **named: Any) -> None:
        is_recording.set()
        time.sleep(0.2)
        mark(*args, **named)
        steps.append("success")

    def note_failure(*args: Any) -> bool:
        steps.append("failure")
        return fail(*args)

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    monkeypatch.setattr(module.failures, "note_failure", note_failure)

    class Choosy(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            if rcpt_to == "bob@example.org":
                await until(is_recording.is_set)
                raise TransientDeliveryError("no connection")
            await super().send(raw, mail_from, rcpt_to)

    asyncio.run(send_due(table.service, Choosy()))
    assert steps.index("success") < steps.index("failure")
    with table.service.store.reading() as uow:
        assert uow.pauses.running(table.service.now())


def test_a_message_that_cannot_be_recorded_keeps_no_other_from_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are recorded, even if its last attempt fails as well."""
    invite(table)
    mark = module._mark_sent

    def mark_sent(service: Service, sent: Sequence[Any], *, starts_clocks: bool = True) -> None:
        if any(mail.rcpt_to == "anna@example.org" for mail, _ in sent):
            raise IndexError if starts_clocks else StoreError("the connection broke")
        mark(service, sent, starts_clocks=starts_clocks)

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    with pytest.raises(StoreError):
        asyncio.run(send_due(table.service, table.delivery))
    assert statuses(table) == ["pending", "sent", "sent"]

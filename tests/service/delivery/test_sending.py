"""Handing mails on: what a kill between two steps may not leave behind, and an orderly end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import NoReturn

import pytest

from pbem.domain.log.clock_events import DeadlineExtended
from pbem.domain.table.game import Game
from pbem.errors import (
    LogError,
    StoreAwayError,
    StoreError,
    TransientDeliveryError,
    VersionConflictError,
)
from pbem.service.admin import clock_acts
from pbem.service.change import Change
from pbem.service.core.context import Service
from pbem.service.delivery import prepare
from pbem.service.delivery import send_due as module
from pbem.service.delivery.send_due import Sent, send_due
from tests.patience import patience
from tests.service.conftest import Recording, Table, configured
from tests.service.delivery.test_leases import invite


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it, and nothing is committed after it."""


def with_a_late_turn_mail(table: Table) -> Game:
    """A game whose first turn mail could not leave for three hours; now it can."""
    game = table.new_game(2)
    table.answer(0, "join")
    table.delivery.error = TransientDeliveryError("no connection to the server")
    table.answer(1, "join")
    table.delivery.error = None
    table.clock.forward(hours=3)
    return table.game(game.id)


def extensions(table: Table, game: Game) -> int:
    return sum(isinstance(item.event, DeadlineExtended) for item in table.log(game))


def test_kill_after_a_late_mail_left_costs_nobody_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it was sent is noted together with the later deadline, or neither is."""
    game = with_a_late_turn_mail(table)

    def kill(_decision: object) -> NoReturn:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module.clockwork, "extend_for_delivery", kill)
        with pytest.raises(Killed):
            table.run()
    table.clock.instant += table.service.lease
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert extensions(table, game) == 1


def test_somebody_elses_move_does_not_unsend_a_mail(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conflict over the later deadline is looked at again; it is one deadline in the end."""
    game = with_a_late_turn_mail(table)
    real, conflicts = Change.record, [VersionConflictError("raced"), None]

    def record(*args: object) -> object:
        error = conflicts.pop(0)
        if error is not None:
            raise error
        return real(*args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Change, "record", record)
        table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert extensions(table, game) == 1
    assert len(table.mails_to(0)) == len({mail.raw for mail in table.mails_to(0)})


def test_a_late_mail_whose_deadline_was_moved_already_leaves_once(table: Table) -> None:
    """An admin gave time while the mail server was down: there is nothing to move any more."""
    game = with_a_late_turn_mail(table)
    clock_acts.extend(table.service, game.id, timedelta(days=2), "the mail server is down")
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert extensions(table, game) == 1, "the admin's"
    left = len(table.delivery.mails)
    table.clock.instant += table.service.lease
    table.run()
    assert len(table.delivery.mails) == left


def test_a_mail_that_leaves_while_the_clock_stands_still_costs_no_time(table: Table) -> None:
    """The player had nothing to answer before: when the clock runs again all of the time is left."""
    game = with_a_late_turn_mail(table)
    clock_acts.pause(table.service, game.id, "the mail server is down")
    table.clock.forward(hours=2)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    left = len(table.delivery.mails)
    table.clock.instant += table.service.lease
    table.run()
    assert len(table.delivery.mails) == left
    deadline = clock_acts.resume(table.service, game.id, "it is up again").deadline
    assert deadline is not None
    assert deadline.due_at - table.clock.now() == timedelta(seconds=game.time_per_move)


def test_a_fault_in_moving_a_deadline_sends_no_mail_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is: the mail has left, and that is noted; other mails are, too."""
    game = with_a_late_turn_mail(table)
    invite(table)

    def extend_for_delivery(_decision: object) -> NoReturn:
        raise IndexError

    monkeypatch.setattr(module.clockwork, "extend_for_delivery", extend_for_delivery)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}
    assert extensions(table, game) == 0


def test_damaged_log_does_not_stop_the_sending(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail that has left is noted as sent, even if its game can no longer be loaded."""
    with_a_late_turn_mail(table)

    def load(*_args: object) -> NoReturn:
        raise LogError("a hash is wrong")

    monkeypatch.setattr(module.games, "load", load)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_end_comes_between_two_mails(table: Table) -> None:
    """Asked to end, the service leaves the rest at once to whoever runs next."""
    invite(table)
    assert asyncio.run(send_due(table.service, table.delivery, should_stop=lambda: True)) == 0
    assert not table.delivery.mails
    table.run()
    assert len(table.delivery.mails) == 3, "nothing is leased any more"


def test_a_share_of_many_mails_leaves_and_the_others_wait_for_nobody(table: Table) -> None:
    """What was made ready beyond it is given back at once."""
    for _ in range(2):
        invite(table)
    left = asyncio.run(send_due(table.service, table.delivery, limit=2))
    assert 2 <= left < 6
    assert asyncio.run(send_due(table.service, table.delivery)) == 6 - left
    assert len(table.delivery.mails) == 6


def test_end_in_the_middle_of_a_batch(table: Table) -> None:
    """What was handed on is noted; the others are free."""
    invite(table)
    assert (
        asyncio.run(
            send_due(
                table.service, table.delivery, should_stop=lambda: len(table.delivery.mails) == 1
            )
        )
        == 1
    )
    assert sorted(mail.status for mail in table.outbox()) == ["pending", "pending", "sent"]
    table.run()
    assert len(table.delivery.mails) == 3


def test_passing_trouble_before_a_mail_leaves_puts_nothing_off(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that broke is no reason to make a player wait for the turn mail."""
    invite(table)
    real, troubles = prepare.is_superseded, [StoreError("the connection broke")] * 2

    def is_superseded(*args: object) -> bool:
        if troubles:
            raise troubles.pop()
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(prepare, "is_superseded", is_superseded)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_a_database_that_is_away_is_no_fault_of_a_mail(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: no mail is put off as if its template were broken, and none waits for a lease."""
    invite(table)

    def full(*_args: object) -> NoReturn:
        raise StoreAwayError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(prepare, "is_superseded", full)
        with pytest.raises(StoreAwayError):
            asyncio.run(send_due(table.service, table.delivery))
    assert {mail.failures for mail in table.outbox()} == {0}
    asyncio.run(send_due(table.service, table.delivery))
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_trouble_after_a_commit_is_not_taken_for_another_worker(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to COMMIT was lost: the lease is longer already, and still ours."""
    invite(table)
    real, troubles = module.make_ready, [StoreError("the connection broke")]

    def prepare(*args: object) -> object:
        done = real(*args)  # type: ignore[arg-type]
        if troubles:
            raise troubles.pop()
        return done

    monkeypatch.setattr(module, "make_ready", prepare)
    table.run()
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_passing_trouble_after_a_mail_left_sends_it_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the commit, or after it: noted in the end, and the deadline moved once."""
    game = with_a_late_turn_mail(table)
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
    assert extensions(table, game) == 1


def test_one_mail_that_cannot_be_noted_leaves_the_others_noted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What left together is noted one by one if it cannot be noted together."""
    invite(table)
    real = module._mark_sent

    def mark_sent(service: Service, sent: Sequence[Sent], **_named: object) -> None:
        if any(mail.rcpt_to.startswith("bob") for mail in sent):
            raise StoreError("the row is damaged")
        real(service, sent)

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    with pytest.raises(StoreError, match="damaged"):
        asyncio.run(send_due(table.service, table.delivery))
    assert sorted(mail.status for mail in table.outbox()) == ["pending", "sent", "sent"]


def test_few_mails_leave_before_the_first_is_noted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill makes only so many come twice, however many wait."""
    for _ in range(5):
        invite(table)

    def mark_sent(*_args: object) -> NoReturn:
        time.sleep(0.05)
        raise Killed

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    with pytest.raises(Killed):
        asyncio.run(send_due(table.service, table.delivery))
    assert len(table.delivery.mails) <= module.MAX_UNRECORDED + 1


def test_mails_that_leave_together_are_noted_together(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction for `MAX_UNRECORDED` mails, and for what is left at the end."""
    table.service = configured(table.service, connections=1)
    for _ in range(4):
        invite(table)
    real, together = module._mark_sent, []

    def mark_sent(service: Service, sent: Sequence[Sent]) -> None:
        together.append(len(sent))
        real(service, sent)

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    monkeypatch.setattr(module, "BATCH_SECONDS", 3600)
    asyncio.run(asyncio.wait_for(send_due(table.service, table.delivery), patience(20)))
    assert together == [module.MAX_UNRECORDED, module.MAX_UNRECORDED, 2]
    assert {mail.status for mail in table.outbox()} == {"sent"}


def test_a_mail_is_noted_though_the_next_one_takes_its_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill while a slow server has the second mail sends only that one again."""
    table.service = configured(table.service, connections=1)
    invite(table)
    noted, is_noted = module._mark_sent, asyncio.Event()

    def mark_sent(service: Service, sent: Sequence[Sent]) -> None:
        noted(service, sent)
        loop.call_soon_threadsafe(is_noted.set)

    class Slow(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            if self.mails:
                await asyncio.wait_for(is_noted.wait(), patience(20))
            await super().send(raw, mail_from, rcpt_to)

    monkeypatch.setattr(module, "_mark_sent", mark_sent)
    monkeypatch.setattr(module, "BATCH_SECONDS", 0.01)
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        assert runner.run(send_due(table.service, Slow())) == 3


def test_what_was_ready_when_the_server_went_away_waits(table: Table) -> None:
    """It is looked at again before it leaves: an attempt at a server that is away is no use."""
    invite(table)
    tried = []

    class Away(Recording):
        async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
            tried.append(rcpt_to)
            raise TransientDeliveryError("no connection to the server")

    asyncio.run(send_due(table.service, Away()))
    assert tried == ["anna@example.org"]
    assert sorted(bool(mail.last_error) for mail in table.outbox()) == [False, False, True]


def test_no_more_mails_leave_than_the_server_takes_in_a_day(table: Table) -> None:
    """The others wait for the next day; a few on their way at the same time may be beyond."""
    table.service = configured(table.service, mails_a_day=2, connections=1)
    invite(table)
    assert asyncio.run(send_due(table.service, table.delivery)) == 2
    assert asyncio.run(send_due(table.service, table.delivery)) == 0
    table.clock.forward(hours=23, minutes=59)
    assert asyncio.run(send_due(table.service, table.delivery)) == 0
    table.clock.forward(minutes=2)
    assert asyncio.run(send_due(table.service, table.delivery)) == 1
    assert [mail.status for mail in table.outbox()] == ["sent"] * 3

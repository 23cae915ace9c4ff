"""Test the service's loops and alarm clock: waking, stopping and errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Self

import pytest
import structlog

from pbem.bots import DirectThinker, Question
from pbem.errors import StoreError
from pbem.scheduler import AlarmClock
from pbem.service import runner as module
from pbem.service.logbook import replays
from pbem.service.runner import Runner
from tests.patience import patience
from tests.service.clock.test_bot_seats import AT_ONCE
from tests.service.conftest import START, Table

PATIENCE = 20


class Watch:
    """Wakes a test whenever a loop of the runner has come to an end of its work."""

    def __init__(self) -> None:
        self.alarms: list[datetime | None] = []
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def set_alarm(self, at: datetime | None) -> None:
        self.alarms.append(at)
        self.ring()

    def ring(self) -> None:
        """Report a change, from any thread."""
        self._loop.call_soon_threadsafe(self._changed.set)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(patience(PATIENCE)):
            while not await asyncio.to_thread(condition):
                await self._changed.wait()
                self._changed.clear()


@asynccontextmanager
async def running(table: Table, watch: Watch) -> AsyncIterator[Runner]:
    runner = Runner(table.service, table.delivery, watch.set_alarm)
    task = asyncio.create_task(runner.run())
    try:
        yield runner
    finally:
        runner.stop()
        async with asyncio.timeout(patience(PATIENCE)):
            await task


async def test_woken_runner_handles_sends_and_sets_the_alarm(table: Table) -> None:
    """Handle the message, send the answer, and set the alarm to the next due time."""
    game = await asyncio.to_thread(table.started, 2)
    seat, order = table.standby(game)
    sent = len(table.delivery.mails)
    watch = Watch()
    async with running(table, watch) as runner:
        await asyncio.to_thread(lambda: table.answer(seat, order, run=False))
        runner.wake()
        await watch.until(lambda: len(table.delivery.mails) >= sent + 2)
        await watch.until(lambda: watch.alarms[-1] == START + timedelta(hours=36))


async def test_a_running_service_notes_in_which_database_it_works(table: Table) -> None:
    """Only before the first run is an admin warned that no player reads of a reveal."""
    game = await asyncio.to_thread(table.started, 2)
    told: list[str] = []
    service = replace(table.service, notice=told.append)

    def look() -> int:
        replays.record_reveal(service, game.id, [0], game.version, reason="a test")
        return len(told)

    assert await asyncio.to_thread(look) == 1
    watch = Watch()
    async with running(table, watch):
        await watch.until(lambda: len(watch.alarms) >= 2)  # both loops have been through
    assert await asyncio.to_thread(look) == 1


async def test_much_work_is_done_in_shares_without_another_call(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two shares others get a turn, and signs of life are given."""
    monkeypatch.setattr(module, "MAX_HANDLED", 1)
    monkeypatch.setattr(module, "MAX_SENT", 1)
    game = await asyncio.to_thread(table.new_game, 2)
    for seat in (0, 1):
        await asyncio.to_thread(lambda seat=seat: table.answer(seat, "join", run=False))
    watch = Watch()
    async with running(table, watch) as runner:
        runner.wake()
        await watch.until(lambda: table.game(game.id).status == "running")
        await watch.until(lambda: {mail.status for mail in table.outbox()} == {"sent"})


@pytest.mark.parametrize(
    "troubles", [[StoreError("away"), StoreError("still away")], [IndexError("secret words")]]
)
async def test_no_error_ends_a_loop(
    table: Table, monkeypatch: pytest.MonkeyPatch, troubles: list[Exception]
) -> None:
    """After an error of the database or of the program, the next wake-up does the work."""
    game, seat, order = await asyncio.to_thread(table.start, 2)
    await asyncio.to_thread(lambda: table.answer(seat, order, run=False))
    watch = Watch()
    left, real = [*troubles], module.handle_all

    def handle_all(*args: object, **named: object) -> int:
        if left:
            error = left.pop()
            watch.ring()
            raise error
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "handle_all", handle_all)
    with structlog.testing.capture_logs() as lines:
        async with running(table, watch) as runner:
            for number in reversed(range(len(troubles))):
                await watch.until(lambda number=number: len(left) <= number)  # type: ignore[misc]
                runner.wake()
            await watch.until(lambda: table.game(game.id).version > game.version)
    faults = [line for line in lines if line["action"] == "fault"]
    assert [line["error"] for line in faults] == ["IndexError"] * (len(troubles) == 1)
    assert "secret" not in str(lines)


async def test_ticks_do_not_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A jump of the clock neither stops ticks nor adds any."""
    ahead = [timedelta(0)]

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + ahead[0]

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Shifted)
    rings: list[int] = []
    rung = asyncio.Event()

    def ring() -> None:
        rings.append(1)
        rung.set()

    alarms = AlarmClock(ring, tick_seconds=0.05)
    alarms.start()
    try:
        for jump in (timedelta(hours=-1), timedelta(days=20 * 365)):
            ahead[0] = jump
            rung.clear()
            rings.clear()
            async with asyncio.timeout(patience(PATIENCE)):
                await rung.wait()
            assert len(rings) == 1
    finally:
        alarms.stop()


async def test_alarm_clock_rings_at_the_instant() -> None:
    """A past time rings at once, None removes the alarm, and `stop` ends it."""
    rung = asyncio.Event()
    alarms = AlarmClock(rung.set, tick_seconds=3600)
    alarms.start()
    try:
        alarms.set(None)
        for ahead in (timedelta(days=-1), timedelta(milliseconds=20)):
            rung.clear()
            alarms.set(datetime.now(UTC) + ahead)  # noqa: TID251  (the alarm clock is the machine's)
            async with asyncio.timeout(patience(PATIENCE)):
                await rung.wait()
        alarms.set(datetime(2999, 1, 1, tzinfo=UTC))
        alarms.set(None)
    finally:
        alarms.stop()
        alarms.stop()


async def test_running_service_beats_and_notes_that_it_was_down(table: Table) -> None:
    """Deadlines move before any of them fires. `run_once` records no sign of life."""
    game = await asyncio.to_thread(table.started, 2)
    await Runner(table.service, table.delivery, lambda _: None).run_once()
    assert table.read(lambda uow: uow.outages.last_beat("serve")) is None
    for hours in (0, 96):
        table.clock.forward(hours=hours)
        watch = Watch()
        async with running(table, watch):
            await watch.until(lambda: len(watch.alarms) >= 2)  # noqa: B023
        assert table.read(lambda uow: uow.outages.last_beat("serve")) == table.clock.now()
    now = table.game(game.id)
    assert now.to_act == game.to_act
    assert now.deadline.due_at == START + timedelta(hours=72 + 96)


async def test_bots_stop_thinking_when_the_service_stops(table: Table) -> None:
    """One may take a minute for a move, and systemd waits a minute and a half for all of them."""
    for seed in (1, 2, 3):
        game = await asyncio.to_thread(table.started, 2, seed, timing=AT_ONCE)
    await asyncio.to_thread(lambda: table.miss_deadline(game, run=False))
    runner, loop = Runner(table.service, table.delivery, lambda _: None), asyncio.get_running_loop()
    asked: list[str] = []

    async def stop() -> None:
        runner.stop()

    class Slow(DirectThinker):
        def order(self, question: Question) -> str:
            asked.append(question.table)
            asyncio.run_coroutine_threadsafe(stop(), loop).result()
            return super().order(question)

    runner.service = replace(table.service, thinker=Slow())
    async with asyncio.timeout(patience(PATIENCE)):
        await runner.run()
    assert len(set(asked)) == 1

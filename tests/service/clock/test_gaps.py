"""Test that downtimes cost no player a deadline, and that clock jumps do no harm."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pbem.domain.log.clock_events import ClockCompensated, TurnTimedOut
from pbem.domain.table.game import Game
from pbem.service.clock import downtime
from pbem.service.clock import fire_due as module
from pbem.service.clock.fire_due import fire_due
from pbem.service.core import live_database
from pbem.service.intake.handle_mail import handle_all
from tests.service.conftest import START, Table

MOVE_TIME = timedelta(days=3)
HOUR = timedelta(hours=1)


def record_life(table: Table) -> None:
    """Record a sign of life of the service at the current time."""
    table.write(
        lambda uow: uow.outages.beat(live_database.SERVE, table.clock.now(), timedelta(days=99))
    )


def read_due_at(table: Table, game: Game) -> object:
    return table.deadline(game).due_at


@pytest.mark.parametrize("hours", [7, 72])
def test_running_deadlines_move_by_the_gap_once(table: Table, hours: int) -> None:
    """Record one event per game with a due deadline, and mention the gap in the next message."""
    first, second = table.started(2, seed=1), table.new_game(2, seed=2)
    downtime.beat(table.service)
    table.clock.forward(hours=hours)
    for _ in range(3):
        downtime.beat(table.service)
        table.run()
    assert [event.end - event.begin for event in table.events(first, ClockCompensated)] == [
        hours * HOUR
    ]
    assert table.events(second, ClockCompensated) == []
    assert read_due_at(table, first) == START + MOVE_TIME + hours * HOUR
    assert len(table.events(first, TurnTimedOut)) == 0
    assert "reminder" not in [row.kind for row in table.outbox()]
    seat = int(first.to_act[0])
    mail = next(mail for mail in table.mails_to(seat) if "Your hand" in mail.words)
    table.answer(seat, "board", to=mail.reply_to)
    said = "3 days" if hours == 72 else "7 hours"
    assert f"This service was down for {said}" in table.last_to(seat).words
    table.clock.instant = START + MOVE_TIME + hours * HOUR
    record_life(table)
    fire_due(table.service)
    assert len(table.events(first, TurnTimedOut)) == 0
    table.clock.forward(seconds=1)
    fire_due(table.service)
    assert len(table.events(first, TurnTimedOut)) == 1


def test_game_that_was_not_reached_is_compensated_before_anything_fires(
    table: Table, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process died between noting the gap and moving the deadlines."""
    downtime.beat(table.service)
    table.clock.forward(days=4)
    with monkeypatch.context() as patch:
        patch.setattr(downtime, "_compensate_alone", lambda *_args: None)
        downtime.beat(table.service)
    assert table.events(game, ClockCompensated) == []
    for _ in range(3):
        fire_due(table.service)
    assert len(table.events(game, ClockCompensated)) == 1
    assert len(table.events(game, TurnTimedOut)) == 0
    assert read_due_at(table, game) == START + MOVE_TIME + timedelta(days=4)


@pytest.mark.parametrize("after", [0, 1])
def test_machine_that_sleeps_between_a_sign_of_life_and_the_deadlines(
    table: Table, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """No player is timed out, and the next check compensates the deadlines."""
    games = [table.started(2, seed=number) for number in (1, 2)]
    downtime.beat(table.service)
    table.clock.forward(minutes=10)
    downtime.beat(table.service)
    real, slept = module._fire, []

    def sleep() -> None:
        slept.append(table.clock.now())
        table.clock.forward(days=4)

    def fire(*args: Any) -> bool:
        done = real(*args)
        if not slept:
            sleep()
        return done

    if after:
        monkeypatch.setattr(module, "_fire", fire)
        table.clock.instant = START + MOVE_TIME / 2
        record_life(table)
    else:
        sleep()
    assert fire_due(table.service) == after, "a reminder, before it slept"
    downtime.beat(table.service)
    table.run()
    assert [len(table.events(game, TurnTimedOut)) for game in games] == [0, 0]
    assert [len(table.events(game, ClockCompensated)) for game in games] == [1, 1]


def test_clock_that_jumps_ahead_and_back_fires_nothing_early(table: Table, game: Game) -> None:
    """A jump looks like an outage of two days and is undone. Later deadlines are not affected."""
    downtime.beat(table.service)
    table.clock.forward(days=2)
    downtime.beat(table.service)
    table.run()
    table.clock.instant = START + HOUR / 6
    downtime.beat(table.service)
    table.run()
    assert len(table.events(game, TurnTimedOut)) == 0
    table.move(table.game(game.id))
    assert read_due_at(table, game) == table.clock.now() + MOVE_TIME
    for _ in range(10):
        table.clock.forward(minutes=14)
        downtime.beat(table.service)
        table.run()
    assert read_due_at(table, game) == START + HOUR / 6 + MOVE_TIME
    assert len(table.events(game, ClockCompensated)) == 1


def test_mails_do_not_wait_for_a_clock_that_was_set_back(table: Table, game: Game) -> None:
    """Send messages that were scheduled, delayed or claimed two days ahead, but respect a running lease."""
    downtime.beat(table.service)
    table.clock.forward(days=2)
    downtime.beat(table.service)
    seat, order = table.standby(game)
    table.answer(seat, order, run=False)
    handle_all(table.service)
    with table.service.store.unit_of_work() as uow:
        claimed = uow.outbox.claim_due(table.clock.now(), HOUR, 1)
        put_off = next(mail for mail in uow.outbox.list("pending") if mail.id != claimed[0].id)
        uow.outbox.retry_at(put_off.id, table.clock.now() + HOUR, "later")
    table.clock.instant = START + HOUR
    downtime.beat(table.service)
    table.run()
    pending = [mail.id for mail in table.outbox() if mail.status == "pending"]
    assert pending == [claimed[0].id]
    table.wait(minutes=5)
    assert all(mail.status == "sent" for mail in table.outbox())

"""Test `changing`, through which every change of a game is made."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from pbem.domain.clock import clockwork
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import DeadlineExtended
from pbem.domain.log.events import Recorded
from pbem.errors import VersionConflictError
from pbem.service import change as module
from pbem.service.change import changing, retried
from pbem.service.core import games
from pbem.store.db.uow import UnitOfWork
from tests.service.conftest import Table
from tests.service.core.test_races import run_at_once

ROUNDS = 8


def grant(table: Table, uow: UnitOfWork, game_id: GameId) -> None:
    """Give the players an additional hour, which notifies the player to act."""
    cause = table.service.new_cause()
    with changing(table.service, uow, game_id, actor=games.LOCAL_ADMIN, cause=cause) as change:
        clockwork.grant(change.decision, timedelta(hours=1), "admin")


def list_gifts(table: Table, game_id: GameId) -> list[int]:
    log = table.log(table.game(game_id))
    return [item.version for item in log if isinstance(item.event, DeadlineExtended)]


def test_a_web_hook_is_one_more_step_and_sees_every_event(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets each event once, in the order of the log."""
    told: list[Recorded] = []
    monkeypatch.setattr(module, "AFTER", (*module.AFTER, lambda change: told.extend(change.events)))
    game = table.started(2)
    table.move(game)
    table.wait(days=3, seconds=5)
    game = table.skip(game, 3000)
    assert game.is_over
    assert [item.version for item in told] == [item.version for item in table.log(game)]


def test_writers_at_once_lose_nothing_and_mails_follow_once(both: Table) -> None:
    """Two threads change one game, and each change is logged and mailed once."""
    game = both.started(2)

    def write() -> None:
        for _ in range(ROUNDS):
            retried(both.service, lambda uow: grant(both, uow, game.id), tries=10_000)

    run_at_once(write, write)
    assert len(list_gifts(both, game.id)) == 2 * ROUNDS
    keys = Counter(row.key for row in both.outbox() if row.kind == "notice")
    assert len(keys) == 2 * ROUNDS
    assert set(keys.values()) == {1}
    both.verify(game)


def test_a_step_that_came_second_is_run_again_in_a_new_unit(both: Table) -> None:
    """The first attempt leaves neither an event nor a queued message."""
    game = both.started(2)
    tries: list[UnitOfWork] = []

    def step(uow: UnitOfWork) -> None:
        tries.append(uow)
        grant(both, uow, game.id)
        if len(tries) == 1:
            raise VersionConflictError("somebody else was first")

    retried(both.service, step)
    assert len({id(uow) for uow in tries}) == len(tries) == 2
    assert len(list_gifts(both, game.id)) == 1
    assert len([row for row in both.outbox() if row.kind == "notice"]) == 1

"""Months of deadlines: never early, never twice, never lost; whatever the clock does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.domain.events import TurnTimedOut
from pbem.domain.timing import Timing
from pbem.service import gaps
from pbem.service.fire_due import fire_due
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.service.year import CLOCKS, Year

HOUR = 3600


@pytest.mark.slow
def test_every_deadline_of_some_months(tmp_path: Path) -> None:
    """Autumn, three zones that change their clocks, each kind of clock at one table."""
    with sqlite_store(tmp_path) as store:
        year = Year(store, seed=1, tables=len(CLOCKS), days=45)
        year.run()
        told = year.judge()
    assert len(year.down) >= 3
    assert year.rebuilt >= 1
    for what in ("deadlines", "timeouts", "moves", "bot", "compensated", "extended"):
        assert told[what] >= 2, told


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with sqlite_store(tmp_path_factory.mktemp("jumps")) as store:
        yield make_table(store)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.integers(1, 30 * HOUR)),
        st.tuples(st.just("jump back"), st.integers(1, 40 * HOUR)),
        st.tuples(st.just("down"), st.integers(1, 90 * HOUR)),
        st.tuples(st.sampled_from(["restart", "rebuild", "move", "tick"]), st.just(0)),
    ),
    max_size=12,
)


@given(STEPS, st.integers(0, 2**32))
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_never_early_never_twice_never_lost(
    table: Table, steps: list[tuple[str, int]], seed: int
) -> None:
    """Over any schedule of ticks, restarts, gaps and jumps of the clock."""
    game = table.started(2, seed=seed % 250, timing=Timing(86_400, misses=0))
    for what, seconds in steps:
        if what == "pass":
            for _ in range(min(5, 1 + seconds // (6 * HOUR))):
                table.clock.forward(seconds=seconds / 5)
                with table.service.store.unit_of_work() as uow:  # it ticked all the time
                    uow.outages.beat(gaps.SERVE, table.clock.now(), timedelta(days=99))
                look(table, game.id)
        elif what == "jump back":
            table.clock.forward(seconds=-seconds)
        elif what == "down":
            table.clock.forward(seconds=seconds)
        elif what == "restart":
            clock = table.clock
            table.service = make_table(table.service.store).service
            object.__setattr__(table.service, "clock", clock)
        elif what == "rebuild":
            with table.service.store.unit_of_work() as uow:
                before = uow.projections.dump()
                uow.projections.rebuild()
                assert uow.projections.dump() == before
        elif what == "move" and not table.game(game.id).is_over:
            table.skip(game, 1)
        look(table, game.id)
    game = table.game(game.id)
    if not game.is_over:
        assert game.deadline is not None
        timeouts = count(table, game.id)
        table.clock.instant = max(table.clock.now(), game.deadline.fires_at) + timedelta(seconds=2)
        with table.service.store.unit_of_work() as uow:
            uow.outages.beat(gaps.SERVE, table.clock.now(), timedelta(days=99))
        for _ in range(3):
            look(table, game.id)
        assert count(table, game.id) > timeouts, "lost"


def look(table: Table, game_id: str) -> None:
    """A tick, after which no timeout is early or told twice."""
    before = table.game(game_id)
    fired = count(table, game_id)
    gaps.beat(table.service)
    fire_due(table.service)
    table.run()
    if count(table, game_id) > fired:
        assert count(table, game_id) == fired + 1
        assert before.deadline is not None
        assert table.clock.now() >= before.deadline.fires_at, "early"


def count(table: Table, game_id: str) -> int:
    told = [
        (item.event.deadline, item.event.seat)
        for item in table.log(table.game(game_id))
        if isinstance(item.event, TurnTimedOut)
    ]
    assert len(told) == len(set(told)), "twice"
    return len(told)

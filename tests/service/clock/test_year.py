"""Months of deadlines: never early, never twice, never lost; whatever the clock does."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.domain.log.clock_events import DeadlineSet, TurnTimedOut
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.change import Change
from pbem.service.clock import downtime
from pbem.service.clock.fire_due import INTAKE_SETTLES, fire_due
from pbem.service.core import games, served
from pbem.store.db.uow import Store
from tests.databases import sqlite_store
from tests.service.conftest import START, HandClock, Table, make_table
from tests.service.year import CLOCKS, Year, overdue, quiet_game, quietly_sent

HOUR = 3600
MOVE_TIME = timedelta(days=1)


@pytest.mark.slow
def test_every_deadline_of_some_months(tmp_path: Path) -> None:
    """Autumn, three zones that change their clocks, each kind of clock at one table."""
    with sqlite_store(tmp_path) as store:
        year = Year(store, seed=2, tables=len(CLOCKS), days=45)
        year.run()
        told = year.judge()
    assert len(year.down) >= 3
    assert year.rebuilt >= 1
    for what in ("deadlines", "timeouts", "moves", "bot", "compensated", "extended"):
        assert told[what] >= 2, told


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.integers(1, 30 * HOUR)),
        st.tuples(st.just("jump back"), st.integers(1, 40 * HOUR)),
        st.tuples(st.just("down"), st.integers(1, 90 * HOUR)),
        st.tuples(st.just("to the deadline"), st.integers(-2, 3)),
        st.tuples(st.sampled_from(["restart", "rebuild", "move", "tick"]), st.just(0)),
    ),
    max_size=16,
)


@given(STEPS, st.integers(0, 250))
@settings(max_examples=12, deadline=None)
def test_never_early_never_twice_never_lost(steps: list[tuple[str, int]], seed: int) -> None:
    """Over any schedule of ticks, restarts, gaps and jumps of the clock."""
    with tempfile.TemporaryDirectory() as folder, sqlite_store(Path(folder)) as store:
        world = World(store, seed)
        for what, amount in steps:
            world.step(what, amount)
            world.look()
        world.end()


@dataclass
class World:
    """One game, and beside it what its players really had of time, by a count of its own.

    Attributes:
        served: for how long the service ran, whatever its clock said.
        given: by version of its DeadlineSet, `served` when a deadline began to run.
        fired: the (deadline, seat) of every timeout so far.
    """

    store: Store
    seed: int
    served: timedelta = timedelta()
    given: dict[int, timedelta] = field(default_factory=dict)
    fired: list[tuple[int, int]] = field(default_factory=list)
    read: int = 0

    def __post_init__(self) -> None:
        self.clock = HandClock(START)
        self.start()
        timing = Timing(int(MOVE_TIME.total_seconds()), misses=0)
        self.game_id = quiet_game(self.table, 2, timing, bytes([self.seed]) * 32)
        self.look()

    def start(self) -> None:
        """A process that knows nothing but the database."""
        self.table: Table = make_table(self.store)
        self.table.service = replace(self.table.service, clock=self.clock)
        self.table.clock = self.clock

    def step(self, what: str, amount: int) -> None:
        if what == "pass":
            for _ in range(5):
                self.run_on(timedelta(seconds=amount / 5))
                self.look()
        elif what == "jump back":
            self.clock.forward(seconds=-amount)
        elif what == "down":
            self.clock.forward(seconds=amount)
            if timedelta(seconds=amount) <= self.table.service.config.serve.outage_after:
                self.served += timedelta(seconds=amount)  # too short to be told from a slow tick
        elif what == "to the deadline":
            self.to_the_deadline(timedelta(seconds=amount))
        elif what == "restart":
            self.start()
        elif what == "rebuild":
            with self.store.unit_of_work() as uow:
                before = uow.projections.dump()
                uow.projections.rebuild()
                assert uow.projections.dump() == before
        elif what == "move":
            game = self.table.game(self.game_id)
            if not game.is_over:
                self.move(game)

    def move(self, game: Game) -> None:
        with self.store.unit_of_work() as uow:
            seat, order = self.table.standby(game)
            decision = games.begin(self.table.service, uow, game, actor=f"seat:{seat}", cause=None)
            decide.play(decision, seat, order, source="mail")
            decide.settle(decision)
            Change(self.table.service, uow, None, decision).record()

    def run_on(self, time: timedelta) -> None:
        """Time passes while the service ticks."""
        self.clock.instant += time
        self.served += time
        with self.store.unit_of_work() as uow:
            uow.outages.beat(served.SERVE, self.clock.now(), timedelta(days=99))

    def to_the_deadline(self, beyond: timedelta) -> None:
        deadline = self.table.game(self.game_id).deadline
        if deadline is not None:
            left = deadline.fires_at + beyond - self.clock.now()
            self.run_on(max(left, timedelta()))

    def look(self) -> None:
        """A tick, after which no timeout was early or told twice, and none is left behind."""
        downtime.beat(self.table.service)
        for _ in range(4):  # compensation and reminders come first
            fire_due(self.table.service)
            quietly_sent(self.store, self.clock.now())
        assert overdue(self.store, self.clock.now()) == [], "late or lost"
        log = self.table.log(self.table.game(self.game_id))
        for item in log[self.read :]:
            if isinstance(item.event, DeadlineSet):
                self.given[item.version] = self.served
            elif isinstance(item.event, TurnTimedOut):
                key = (item.event.deadline, item.event.seat)
                assert key not in self.fired, "twice"
                self.fired.append(key)
                assert self.served - self.given[item.event.deadline] >= MOVE_TIME, "early"
        self.read = len(log)

    def end(self) -> None:
        """Silence at last: whatever happened before, the deadline fires."""
        if self.table.game(self.game_id).is_over:
            return
        before = len(self.fired)
        self.to_the_deadline(INTAKE_SETTLES)
        self.look()
        assert len(self.fired) == before + 1, "lost"

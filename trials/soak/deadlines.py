"""Simulate a year of games with a simulated clock, and check every deadline in it.

Players move, miss deadlines and take vacations, and the service goes down for hours and days. The
results are checked from the log and the downtimes by independent computations, not by the tested
code.
"""

from __future__ import annotations

import random  # noqa: TID251  (what happens when in a test)
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from pbem.domain.clock import vacations
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import (
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    TurnTimedOut,
)
from pbem.domain.log.events import MovePlayed
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from pbem.service.change import Change
from pbem.service.clock import downtime
from pbem.service.clock.fire_due import INTAKE_SETTLES, fire_due, next_alarm
from pbem.service.core import games, live_database
from pbem.service.lobby import creation as lobby
from pbem.store.db.uow import Store
from pbem.store.log import codec
from pbem.store.rows.core import OUTBOX
from pbem.store.rows.game_rows import DEADLINE, SEAT
from tests.service.conftest import NAMES, Table, configured, make_table

BEGIN = datetime(2026, 9, 25, 6, 0, tzinfo=UTC)
TICK = timedelta(seconds=15)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Sydney")
OUTAGES = (timedelta(hours=7), timedelta(days=3))
CLOCKS = (
    Timing(2 * 86_400),
    Timing(36 * 3600, weekends_off=True, quiet=(22, 8)),
    Timing(86_400, falls_at=20, on_timeout="bot", max_vacation=40),
    Timing(86_400, bank=86_400, increment=3600, grace=1800, misses=1, max_vacation=60),
    Timing(3 * 86_400, weekends_off=True, falls_at=3, vacation_moves=10, misses=0),
)


def quiet_game(table: Table, players: int, timing: Timing, secret: bytes) -> GameId:
    """Start a game whose players join without mail. They live in the time zones `ZONES`."""
    people = [lobby.Person(n, f"{n.lower()}@example.org") for n in NAMES[:players]]
    game = lobby.create_game(
        table.service, people, lobby.GamePlan("phyliss", timing=timing, server_secret=secret)
    )
    with table.service.store.unit_of_work() as uow:
        for seat, state in enumerate(game.seats):
            uow.players.prefer(state.player, zone=ZONES[seat])
        decision = games.begin(table.service, uow, game, actor="system", cause=None)
        for seat in range(players):
            decide.join(decision, seat, None)
        decide.settle(decision)
        Change(table.service, uow, None, decision).record()
    quietly_sent(table.service.store, table.clock.now())
    return game.id


def quietly_sent(store: Store, now: datetime) -> None:
    """Mark every queued message as sent. No player reads them."""
    with store.unit_of_work() as uow:
        uow.connection.execute(
            OUTBOX.update().where(OUTBOX.c.status == "pending").values(status="sent", sent_at=now)
        )


def overdue(store: Store, now: datetime) -> list[str]:
    """Return the games with a deadline that has passed without being handled."""
    with store.reading() as uow:
        rows = uow.connection.execute(
            select(DEADLINE.c.game_id)
            .join(SEAT, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat))
            .where(DEADLINE.c.due_at < now - INTAKE_SETTLES, ~SEAT.c.is_bot)
        )
        return list(rows.scalars())


@dataclass
class Year:
    """A simulated year of games. `down` contains the downtimes of the service."""

    store: Store
    seed: int
    tables: int
    days: int = 365
    down: list[tuple[datetime, datetime]] = field(default_factory=list)
    played: list[GameId] = field(default_factory=list)
    plans: dict[tuple[str, int], datetime | None] = field(default_factory=dict)
    running: dict[GameId, int] = field(default_factory=dict)
    rebuilt: int = 0
    seen: dict[GameId, int] = field(default_factory=dict)
    """Last version of each running game for which its next moves were planned."""

    def __post_init__(self) -> None:
        self.luck = random.Random(self.seed)  # noqa: S311
        self.drawn = random.Random(self.seed).randbytes  # noqa: S311  (more ids, no other luck)
        self.table = self._start(BEGIN)

    def _start(self, now: datetime) -> Table:
        table = make_table(self.store)
        service = configured(table.service, bot_level="standby")
        table.service = replace(service, random_bytes=self.drawn)
        table.clock.instant = now
        return table

    @property
    def now(self) -> datetime:
        return self.table.clock.instant

    def run(self) -> None:
        """Simulate all days, moving the clock from one event to the next."""
        end = BEGIN + timedelta(days=self.days)
        for number in range(self.tables):
            self._new_game(number)
        outages = sorted(
            BEGIN + timedelta(days=self.days) * self.luck.random()
            for _ in range(max(3, self.days // 30))
        )
        while self.now < end:
            self._look()
            time = min(filter(None, [self._next_plan(), next_alarm(self.table.service), end]))
            time = max(time, self.now + timedelta(seconds=1))
            if outages and outages[0] <= time:
                self._go_down(max(outages.pop(0), self.now))
                continue
            late = TICK * self.luck.random() if time == next_alarm(self.table.service) else TICK * 0
            self.table.clock.instant = time + late
            if self.luck.random() < 0.02:
                self.table = self._start(self.now)
            if self.luck.random() < 0.01:
                self._rebuild()

    def _look(self) -> None:
        """Make the moves that are due, and run the service's periodic work."""
        for key, due_at in list(self.plans.items()):
            if due_at is not None and due_at <= self.now:
                self._move(GameId(key[0]))
        self._was_alive(self.now)
        for _ in range(40):
            fired = fire_due(self.table.service)
            self._deliver()
            if not fired:
                break
        with self.store.reading() as uow:
            assert not uow.projections.due(self.now - INTAKE_SETTLES, 5, bots=True)
        assert not overdue(self.store, self.now), f"{self.now}: a deadline is lost"
        for game_id, clock in self._changed():
            game = self.table.game(game_id)
            if game.is_over:
                del self.running[game_id]
                self._new_game(clock)
            else:
                self._plan(game)

    def _changed(self) -> list[tuple[GameId, int]]:
        """Return running games that changed since the last call, with the numbers of their clocks."""
        with self.store.reading() as uow:
            now = {game_id: uow.projections.game(game_id) for game_id in self.running}
        versions = {game_id: row.version for game_id, row in now.items() if row is not None}
        new = [game_id for game_id in self.running if self.seen.get(game_id) != versions[game_id]]
        self.seen = versions
        return [(game_id, self.running[game_id]) for game_id in new]

    def _plan(self, game: Game) -> None:
        """Decide once per deadline when its player answers. None means never."""
        deadline = game.deadline
        if deadline is None or (game.id, deadline.version) in self.plans:
            return
        self.plans = {key: time for key, time in self.plans.items() if key[0] != game.id}
        share = self.luck.random() * 1.4
        time = deadline.starts_at + (deadline.due_at - deadline.starts_at) * share
        is_bot = game.seats[int(game.to_act[0])].controller == "bot"
        self.plans[game.id, deadline.version] = None if is_bot or share > 1 else max(time, self.now)

    def _next_plan(self) -> datetime | None:
        return min((time for time in self.plans.values() if time is not None), default=None)

    def _move(self, game_id: GameId) -> None:
        with self.store.unit_of_work() as uow:
            game = games.load(uow, game_id)
            self.plans = {key: time for key, time in self.plans.items() if key[0] != game_id}
            if game.is_over:
                return
            seat, order = self.table.standby(game)
            service = self.table.service
            decision = games.begin(service, uow, game, actor=f"seat:{seat}", cause=None)
            if self.luck.random() < 0.2:
                self._vacation(decision, seat)
            decide.play(decision, seat, order, source="mail")
            decide.settle(decision)
            Change(service, uow, game, decision).finish()
        self._deliver()

    def _vacation(self, decision, seat: int) -> None:
        day = self.now.date() + timedelta(days=self.luck.randrange(9))
        try:
            vacations.take(decision, seat, day, day + timedelta(days=self.luck.randrange(9)))
        except Refusal:
            return

    def _deliver(self) -> None:
        quietly_sent(self.store, self.now)

    def _go_down(self, at: datetime) -> None:
        """Stop the service at a time, after a last sign of life, and restart it after the outage."""
        self.table.clock.instant = at
        self._was_alive(at)
        back = at + self.luck.choice(OUTAGES) * (1 + self.luck.random() / 10)
        self.down.append((at, back))
        self.table = self._start(back)
        downtime.beat(self.table.service)

    def _was_alive(self, until: datetime) -> None:
        with self.store.unit_of_work() as uow:
            uow.outages.beat(live_database.SERVE, until, timedelta(days=999))

    def _rebuild(self) -> None:
        with self.store.unit_of_work() as uow:
            before = uow.projections.dump()
            uow.projections.rebuild()
            assert uow.projections.dump() == before
        self.rebuilt += 1

    def _new_game(self, clock: int) -> None:
        timing = CLOCKS[clock % len(CLOCKS)]
        game_id = quiet_game(self.table, 3, timing, self.luck.randbytes(32))
        self.played.append(game_id)
        self.running[game_id] = clock

    # --- what must hold ---------------------------------------------------------------------------

    def judge(self) -> Counter[str]:
        """Check every deadline of every game. Return the number of occurrences by kind."""
        counts: Counter[str] = Counter()
        for game_id in self.played:
            with self.store.reading() as uow:
                log = [codec.decode(event) for event in uow.events.read(game_id)]
                game = games.load(uow, game_id)
            Judge(game, self.down, counts).hear(log)
        return counts


@dataclass
class Judge:
    """Checks one log independently of the tested code."""

    game: Game
    down: list[tuple[datetime, datetime]]
    told: Counter[str]

    def hear(self, log: list) -> None:
        deadline: DeadlineSet | None = None
        version, fires_at, moved, fired = 0, BEGIN, timedelta(), set()
        gaps_counted: set[datetime] = set()
        for item in log:
            event = item.event
            match event:
                case DeadlineSet():
                    deadline, version = event, item.version
                    fires_at, moved = event.fires_at, timedelta()
                    self._place(event)
                case DeadlineExtended():
                    fires_at = event.fires_at
                    self.told["extended"] += 1
                case ClockCompensated():
                    assert (event.begin, event.end) in self.down
                    assert event.begin not in gaps_counted, "one gap, counted twice"
                    gaps_counted.add(event.begin)
                    assert event.fires_at > fires_at
                    fires_at = event.fires_at
                    moved += event.end - max(event.begin, deadline.starts_at)  # type: ignore[union-attr]
                    self.told["compensated"] += 1
                case TurnTimedOut():
                    assert event.deadline == version
                    assert (event.deadline, event.seat) not in fired, "twice"
                    fired.add((event.deadline, event.seat))
                    self._timeout(item.recorded_at, deadline, fires_at)
                case MovePlayed(source="mail"):
                    self.told["moves"] += 1
                case MovePlayed(source="bot"):
                    self.told["bot"] += 1
                case GamePaused():
                    raise AssertionError("nobody paused")
            if deadline is not None:
                assert fires_at >= deadline.fires_at + moved, "less was given than the gap took"

    def _timeout(self, at: datetime, deadline: DeadlineSet | None, fires_at: datetime) -> None:
        assert deadline is not None
        assert at >= fires_at, "early"
        assert not any(begin < at < end for begin, end in self.down), "while nobody was there"
        lost = self._down_between(fires_at, at)
        assert at - fires_at - lost <= TICK + INTAKE_SETTLES * 2, "late"
        served = at - deadline.starts_at - self._down_between(deadline.starts_at, at)
        assert served >= timedelta(seconds=self.game.time_per_move), "less than was agreed on"
        self.told["timeouts"] += 1

    def _down_between(self, begin: datetime, end: datetime) -> timedelta:
        return sum(
            (max(timedelta(), min(end, b) - max(begin, a)) for a, b in self.down), timedelta()
        )

    def _place(self, event: DeadlineSet) -> None:
        """Check that a new deadline is at a time that the timing of the game allows."""
        timing = self.game.timing
        if not event.seats or event.due_at == event.starts_at:
            return  # a bot's
        (seat,) = event.seats
        local = event.due_at.astimezone(ZoneInfo(ZONES[seat]))
        # The end of a day that counts is the first moment of the next day.
        day = (local - timedelta(microseconds=1)).date()
        if timing.weekends_off:
            assert day.weekday() < 5 or local.date().weekday() < 5
        if timing.falls_at >= 0:
            assert local.hour == timing.falls_at or _is_skipped(local, timing.falls_at)
        if timing.quiet:
            assert timing.quiet[1] <= local.hour < timing.quiet[0] or local.minute == 0
        assert event.due_at - event.starts_at >= timedelta(seconds=timing.time_per_move)
        self.told["deadlines"] += 1


def _is_skipped(local: datetime, hour: int) -> bool:
    """True if the hour does not exist on that local day, because clocks were set forward."""
    day = date(local.year, local.month, local.day)
    wanted = datetime(day.year, day.month, day.day, hour, tzinfo=local.tzinfo)
    return wanted.astimezone(UTC).astimezone(local.tzinfo).hour != hour

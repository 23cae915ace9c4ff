"""Measure clock ticks of the service with few and with many open deadlines.

A hundred real games wait for a silent player. A missed deadline has no other effect than a reminder
(`wait`), so that the same deadlines become due repeatedly. All other deadlines are rows that are due
in centuries.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import resources
from pbem.config import Config
from pbem.domain.play import decide
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import TokenCodec
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.mail_out.render import Renderer
from pbem.sections import ServiceSection, Smtp
from pbem.service.change import changing
from pbem.service.clock.fire_due import fire_due, next_alarm
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.store.db import migrating
from pbem.store.db.uow import Store
from pbem.store.rows.core import OUTBOX
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT

DUE = 100
BEGIN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FAR = datetime(2900, 1, 1, tzinfo=UTC)
MOVE = timedelta(hours=1)
FINDINGS = 20
"""Number of queries in a batch of `find`."""


class _HandClock:
    """A clock that moves only by assignment."""

    def __init__(self) -> None:
        self.instant = BEGIN

    def now(self) -> datetime:
        return self.instant


class Deadlines:
    """A database with `count` open deadlines, of which a hundred are due at every tick.

    Args:
        count: number of open deadlines.
        url: URL of an empty database, or None for a new SQLite file.
    """

    def __init__(self, count: int, url: str | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pbem-bench-")
        self._clock = _HandClock()
        self._store = Store(url or f"sqlite:///{Path(self._folder.name) / 'bench.sqlite3'}")
        migrating.upgrade(self._store)
        self._service = Service(
            store=self._store,
            clock=self._clock,
            tokens=TokenCodec((b"k" * 32,), "game", "play.example.org"),
            renderer=Renderer([resources.templates_dir() / "email"]),
            reader=DirectReader(),
            config=Config(
                service=ServiceSection(address="game@play.example.org"),
                smtp=Smtp(host="mail.example.org"),
            ),
            timing=Timing(int(MOVE.total_seconds()), on_timeout="wait", reminders=()),
        )
        for number in range(DUE):
            self._start_game(number)
        self._add_rows(count - DUE)
        self._all_sent()

    def _start_game(self, number: int) -> None:
        people = [lobby.Person(name, f"{name}{number}@example.org") for name in ("Anna", "Bob")]
        game = lobby.create_game(
            self._service,
            people,
            lobby.GamePlan("phyliss", server_secret=number.to_bytes(32, "big")),
        )
        with (
            self._store.unit_of_work() as uow,
            changing(self._service, uow, game.id, actor="system", cause=None) as change,
        ):
            for seat in range(2):
                decide.join(change.decision, seat, None)
            decide.settle(change.decision)

    def _add_rows(self, count: int) -> None:
        """Insert deadlines of other games in the form that the projection writes."""
        ids = [f"far{number:07d}" for number in range(count)]
        with self._store.unit_of_work() as uow:
            uow.connection.execute(GAME.insert(), [_game(game_id) for game_id in ids])
            uow.connection.execute(SEAT.insert(), [_seat(game_id) for game_id in ids])
            uow.connection.execute(
                DEADLINE.insert(), [_deadline(game_id, n) for n, game_id in enumerate(ids)]
            )

    def _all_sent(self) -> None:
        with self._store.unit_of_work() as uow:
            uow.connection.execute(OUTBOX.delete())

    def tick(self) -> int:
        """Fire due deadlines and compute the next tick. Return the number of fired deadlines."""
        self._clock.instant += MOVE + timedelta(minutes=1)
        fired = fire_due(self._service)
        next_alarm(self._service)
        self._all_sent()
        if fired != DUE:
            raise AssertionError(f"{fired} deadlines fired, not {DUE}")
        return fired

    def find(self) -> int:
        """Find due deadlines without firing them. Return their number."""
        count = 0
        for _ in range(FINDINGS):
            with self._store.reading() as uow:
                count += len(uow.projections.due(FAR - MOVE, DUE))
                uow.projections.due(FAR - MOVE, DUE, bots=True)
            next_alarm(self._service)
        return count


def _game(game_id: str) -> dict[str, object]:
    return {
        "id": game_id,
        "ruleset": "phyliss",
        "ruleset_version": 1,
        "status": "running",
        "version": 9,
        "head": "0" * 64,
        "created_at": BEGIN,
    }


def _seat(game_id: str) -> dict[str, object]:
    return {
        "game_id": game_id,
        "seat": 0,
        "player_id": game_id,
        "status": "joined",
        "is_unreachable": False,
        "is_bot": False,
    }


def _deadline(game_id: str, number: int) -> dict[str, object]:
    due_at = FAR + timedelta(minutes=number)
    return {
        "game_id": game_id,
        "version": 9,
        "seat": 0,
        "set_at": BEGIN,
        "due_at": due_at,
        "reminders": "[]",
        "next_at": due_at,
    }

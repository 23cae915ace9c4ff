"""Test two writers on one game, duplicated messages, and faults at every step."""

from __future__ import annotations

import asyncio
import random  # noqa: TID251  (what happens when in a test)
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.errors import StoreError, TransientDeliveryError, VersionConflictError
from pbem.mail_in.mime.message import Envelope
from pbem.service.clock.fire_due import fire_due
from pbem.service.delivery.send_due import send_due
from pbem.service.intake import accepting as intake
from pbem.service.intake.handle_mail import handle_all
from pbem.store.db.uow import Store, UnitOfWork
from tests.databases import ring, sqlite_file, sqlite_store
from tests.patience import patience
from tests.service.conftest import NAMES, Recording, Table, make_table, raw_mail


def run_at_once(*work: Callable[[], Any]) -> None:
    """Run these functions in threads that start together, and raise their first error."""
    start = threading.Barrier(len(work))
    errors: list[BaseException] = []

    def run(one: Callable[[], Any]) -> None:
        start.wait()
        try:
            one()
        except BaseException as error:  # noqa: BLE001  (raised below)
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]


def test_two_workers_handle_the_same_inbox(both: Table) -> None:
    """Every message is handled once, and none is quarantined because of a conflict."""
    game = both.started(2)
    for _ in range(4):
        game = both.game(game.id)
        seat, order = both.standby(game)
        before = len(both.events(game, MovePlayed))
        both.answer(seat, order, run=False)
        both.answer(seat, order, run=False)
        both.answer(1 - seat, "board", run=False)
        run_at_once(*[lambda: handle_all(both.service)] * 3)
        handle_all(both.service)
        both.run()
        assert sum(m.source == "mail" for m in both.events(game, MovePlayed)[before:]) <= 2
    assert {row.status for row in both.inbox()} == {"done"}
    answers = Counter(
        row.key for row in both.outbox() if row.key.startswith(("answer:", "idle:", "refused:"))
    )
    assert set(answers.values()) == {1}
    assert len(answers) == len(both.inbox())
    both.verify(game)


WORKER = """
import sys
from datetime import datetime
from pbem.service.clock.fire_due import fire_due
from pbem.service.intake.handle_mail import handle_all
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.service.conftest import make_table

table = make_table(Store(sys.argv[1], keys=ring))
table.clock.instant = datetime.fromisoformat(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(5):
    handle_all(table.service)
    fire_due(table.service)
table.service.store.close()
"""
"""A service process of its own, which waits for a line before it begins."""


def test_two_processes_on_one_sqlite_file(tmp_path: Path) -> None:
    """Two processes with the same inbox and deadlines make one move and one timeout."""
    url = f"sqlite:///{sqlite_file(tmp_path)}"
    table = make_table(Store(url, keys=ring))
    first, second = table.started(2, seed=1), table.new_game(2, seed=2)
    for seat in (0, 1):
        mail = next(m for m in table.mails_to(seat)[::-1] if "invites you" in m.words)
        table.answer(seat, "join", to=mail.reply_to)
    second = table.game(second.id)
    seat, order = table.standby(second)
    (turn,) = (m for m in table.mails_to(seat) if f"[{second.id}]" in m.message["Subject"]
               and "Your turn: " in m.words)  # fmt: skip
    table.answer(seat, order, to=turn.reply_to, run=False)
    table.clock.forward(days=3, seconds=5)
    instant = table.clock.instant.isoformat()
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, url, instant],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "ready\n"
        other.stdin.write("\n")
        other.stdin.flush()
        for _ in range(5):
            handle_all(table.service)
            fire_due(table.service)
        other.communicate(timeout=patience(60))
        assert other.returncode == 0
    assert [m.source for m in table.events(first, MovePlayed) if m.source != "forced"] == [
        "standby"
    ]
    assert [m.source for m in table.events(second, MovePlayed) if m.source != "forced"][:1] == [
        "mail"
    ]
    for game in (first, second):
        table.verify(game)
    table.service.store.close()


# --- faults at every step -------------------------------------------------------------------------


class Crash(BaseException):
    """The process died here (kill -9): no handler of the program may go on after it."""


@dataclass
class Faults:
    """Decides, by chance, where the next step fails, before or after its effect."""

    chance: random.Random
    rate: float
    happened: int = 0
    off: bool = False

    def strike(self) -> bool:
        if self.off or self.chance.random() >= self.rate:
            return False
        self.happened += 1
        return True

    def kind(self) -> BaseException:
        return self.chance.choice(
            [Crash("killed"), StoreError("database away"), VersionConflictError("late")]
        )


@dataclass
class Unsure(Recording):
    """A delivery that can fail before or after it sends a message."""

    faults: Faults = field(default_factory=lambda: Faults(random.Random(0), 0))  # noqa: S311

    async def send(self, raw: bytes, mail_from: str, rcpt_to: str) -> None:
        if self.faults.strike():
            raise self.faults.chance.choice([Crash("killed"), TransientDeliveryError("later")])
        await super().send(raw, mail_from, rcpt_to)
        if self.faults.strike():
            raise self.faults.chance.choice([Crash("killed"), TransientDeliveryError("later")])


@contextmanager
def break_units(faults: Faults) -> Iterator[None]:
    """Every unit of work may fail at its beginning, at its end, or just after its commit."""
    real = Store.unit_of_work

    @contextmanager
    def unit_of_work(self: Store) -> Iterator[UnitOfWork]:
        if faults.strike():
            raise faults.kind()
        with real(self) as uow:
            yield uow
            if faults.strike():
                raise faults.kind()
        if faults.strike():
            raise Crash("killed just after the commit")

    patch = pytest.MonkeyPatch()
    patch.setattr(Store, "unit_of_work", unit_of_work)
    try:
        yield
    finally:
        patch.undo()


def persist(step: Callable[[], Any]) -> Any:
    """Do a step until it works, as a service that is started again and again does."""
    for _ in range(200):
        try:
            return step()
        except (Crash, StoreError, VersionConflictError):
            continue
    raise AssertionError("no progress")


def play_game(table: Table, faults: Faults) -> Game:
    """Play a short game by mail. Retry each step until it works, and deliver each message twice."""
    game = table.new_game(2, seed=9, max_plies=14)
    faults.off = False

    def settle() -> None:
        for _ in range(300):
            persist(lambda: handle_all(table.service))
            persist(lambda: fire_due(table.service))
            persist(lambda: asyncio.run(send_due(table.service, table.delivery)))
            waiting = [row for row in table.outbox() if row.status == "pending"]
            new = [row for row in table.inbox() if row.status in ("new", "shunted")]
            if not waiting and not new:
                return
            for row in new:
                if row.status == "shunted":  # what an admin does
                    persist(
                        partial(table.write, lambda uow, row=row: uow.inbox.mark(row.id, "new"))
                    )
            table.clock.forward(seconds=table.service.lease.total_seconds() + 1)
        raise AssertionError("the outbox does not get empty")

    def write(seat: int, text: str, number: int) -> None:
        """Send a message, retry until it gets a 250 reply, and then deliver it once again."""
        to = table.last_to(seat).reply_to
        raw = raw_mail(
            f"{NAMES[seat].lower()}@example.org", to, text, message_id=f"<{number}@example.org>"
        )
        envelope = Envelope("somebody@example.org", to, "smtp", table.clock.now())
        for _ in range(2):
            persist(lambda: intake.receive(table.service, raw, envelope))
        settle()

    settle()
    for number, seat in enumerate((0, 1)):
        write(seat, "join", number)
    for number in range(2, 60):
        game = table.game(game.id)
        if game.is_over:
            break
        seat = int(game.to_act[0])
        move = game.ruleset.standby_move(game.state, Seat(seat))
        order = game.ruleset.format_move(game.state, Seat(seat), move)
        write(seat, f"{order}\nhello" if number % 3 else f"{order}\nplay 2c 2d 2h 2s", number)
    return table.game(game.id)


def read_public_log(table: Table, game: Game) -> list[Any]:
    """Return the public part of the log, without ids and times of this installation."""
    players = {seat.player: number for number, seat in enumerate(game.seats)}
    told = []
    for item in table.log(game):
        event = item.event
        if type(event).__name__.startswith("Deadline") or type(event).__name__ == "GameCreated":
            continue  # instants, ids
        text = repr(event)
        for player, number in players.items():
            text = text.replace(player, f"player {number}")
        told.append((item.actor, text))
    return told


def test_crashes_everywhere_leave_the_same_game_and_every_mail(tmp_path: Path) -> None:
    """The events are those of an undisturbed game, and each message exists once."""
    (tmp_path / "calm").mkdir()
    with sqlite_store(tmp_path / "calm") as store:
        calm = make_table(store)
        expected_game = play_game(calm, Faults(random.Random(0), 0))  # noqa: S311
        assert expected_game.status == "finished"
        expected = read_public_log(calm, expected_game)
        kept = Counter((row.kind, row.seat) for row in calm.outbox() if row.kind != "turn")
    (tmp_path / "stormy").mkdir()
    faults = Faults(random.Random(0), 0.12, off=True)  # noqa: S311
    with sqlite_store(tmp_path / "stormy") as store, break_units(faults):
        table = make_table(store)
        table.delivery = Unsure(faults=faults)
        game = play_game(table, faults)
        faults.off = True
        assert read_public_log(table, game) == expected
        rows = table.outbox()
        assert Counter((row.kind, row.seat) for row in rows if row.kind != "turn") == kept
        assert {row.status for row in rows} <= {"sent", "superseded"}
        assert all(row.kind == "turn" for row in rows if row.status == "superseded")
        told = table.service.tokens.message_id
        sent = {told(row.message_id) for row in rows if row.status == "sent"}
        arrived: dict[str, set[bytes]] = {}
        for mail in table.delivery.mails:
            arrived.setdefault(mail.message["Message-ID"].strip("<>"), set()).add(mail.raw)
        assert sent <= set(arrived)
        assert all(len(copies) == 1 for copies in arrived.values())
        answers = Counter(
            row.key for row in rows if row.key.startswith(("answer:", "idle:", "refused:"))
        )
        assert set(answers.values()) == {1}
        assert {row.status for row in table.inbox()} == {"done"}
        table.verify(game)
    assert faults.happened > 20

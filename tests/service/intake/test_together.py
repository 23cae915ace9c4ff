"""Test group commits of messages of several games: each is handled exactly once or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.errors import StoreAwayError, VersionConflictError
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from pbem.service.logbook.verify import verify_game
from pbem.store.db.uow import READS
from tests.patience import patience
from tests.service.conftest import Table

GAMES = 3


@pytest.fixture
def waiting(both: Table, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Create games in which an answer of the player to move is waiting in the inbox."""
    monkeypatch.setattr(handle_mail, "GROUP_SECONDS", 600.0)
    games = [both.started(2, seed=seed) for seed in range(1, GAMES + 1)]
    for game in games:
        seat, order = both.standby(game)
        turn = next(
            mail
            for mail in reversed(both.mails_to(seat))
            if f"[{game.id}]" in mail.message["Subject"] and "Your turn: " in mail.words
        )
        both.answer(seat, order, to=turn.reply_to, run=False)
    return games


def count_moves(table: Table, games: list[Game]) -> list[int]:
    """Return how many moves were made by mail in each game since."""
    return [
        sum(
            isinstance(item.event, MovePlayed) and item.event.source == "mail"
            for item in table.log(game)[game.version :]
        )
        for game in games
    ]


def check_all_done_once(table: Table, games: list[Game]) -> None:
    """Check that every game has one move, every message one answer, and every log verifies."""
    handle_all(table.service)
    rows = table.inbox()[-GAMES:]
    assert [(row.status, row.attempts) for row in rows] == [("done", 1)] * GAMES
    assert count_moves(table, games) == [1] * GAMES
    answers = Counter(row.key for row in table.outbox() if row.key.startswith("answer:"))
    assert [answers[f"answer:{row.id}"] for row in rows] == [1] * GAMES
    with table.service.store.reading() as uow:
        for game in games:
            verify_game(uow, game.id)


@contextmanager
def record_commits(table: Table) -> Iterator[list[bool]]:
    """Record each commit of a writing transaction in a list."""
    found: list[bool] = []

    def note(connection: Connection) -> None:
        reads = connection.get_execution_options().get("postgresql_readonly")
        if not reads and not connection.info.get(READS):
            found.append(True)

    event.listen(table.service.store.db_engine, "commit", note)
    try:
        yield found
    finally:
        event.remove(table.service.store.db_engine, "commit", note)


def test_what_waits_together_is_made_durable_together(both: Table, waiting: list[Game]) -> None:
    with record_commits(both) as found:
        assert handle_all(both.service) == GAMES

    assert len(found) == 1
    check_all_done_once(both, waiting)


def test_a_mail_that_fails_is_undone_and_set_aside_alone(
    both: Table, waiting: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = waiting[1]
    _make_fail(monkeypatch, bad, lambda: RuntimeError("a fault of ours"))
    handle_all(both.service)

    assert [row.status for row in both.inbox()[-GAMES:]] == ["done", "shunted", "done"]
    assert count_moves(both, waiting) == [1, 0, 1]
    assert both.game(bad.id).version == bad.version


def test_a_conflict_is_decided_again_and_the_others_stand(
    both: Table, waiting: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [VersionConflictError("late")]
    _make_fail(monkeypatch, waiting[2], lambda: failures.pop() if failures else None)
    with record_commits(both) as found:
        handle_all(both.service)

    assert len(found) == 2
    check_all_done_once(both, waiting)


def test_a_game_that_another_worker_changes_is_left_to_them(
    both: Table, waiting: list[Game]
) -> None:
    """On PostgreSQL; a writer on SQLite is alone."""
    if both.service.store.is_sqlite:
        pytest.skip("one writer at a time")
    with both.service.store.unit_of_work() as other:
        assert other.lock_game(waiting[0].id)
        handle_all(both.service)
        assert count_moves(both, waiting) == [0, 1, 1]

    check_all_done_once(both, waiting)


def test_where_the_database_fails_none_of_it_happened_and_each_is_done_alone(
    both: Table, waiting: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StoreAwayError("the disk is full")]
    _make_fail(monkeypatch, waiting[2], lambda: failures.pop() if failures else None)
    with record_commits(both) as found:
        handle_all(both.service)

    assert len(found) == GAMES
    check_all_done_once(both, waiting)


def test_who_is_told_to_stop_keeps_what_is_done(both: Table, waiting: list[Game]) -> None:
    asked = iter([False, False, False])
    handle_all(both.service, should_stop=lambda: next(asked, True))

    assert sorted(count_moves(both, waiting)) == [0, 1, 1]
    check_all_done_once(both, waiting)


WORKER = """
import os, signal, sys
from datetime import datetime
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.service.conftest import make_table

table = make_table(Store(sys.argv[1], keys=ring))
table.clock.instant = datetime.fromisoformat(sys.argv[2])
left = [int(sys.argv[3])]
handle_mail.GROUP_SECONDS = 600.0

def kill():
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return False

handle_all(table.service, should_stop=kill)
"""
"""A service that is killed in the middle of its group, when all its mails but one are handled."""


def test_a_service_killed_within_the_group_has_done_nothing(
    both: Table, waiting: list[Game]
) -> None:
    """The next service handles each message once."""
    url = both.service.store.db_engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", WORKER, url.replace("+psycopg", "")]
    killed = subprocess.run(
        [*command, both.clock.instant.isoformat(), str(GAMES)],
        cwd=Path(__file__).parents[3],
        timeout=patience(60),
        check=False,
    )

    assert killed.returncode == -9
    assert {row.status for row in both.inbox()[-GAMES:]} == {"new"}
    assert count_moves(both, waiting) == [0] * GAMES
    check_all_done_once(both, waiting)


def _make_fail(
    monkeypatch: pytest.MonkeyPatch, game: Game, fault: Callable[[], Exception | None]
) -> None:
    """Let the mails of a game fail once they are carried out."""
    route = handle_mail.Route.SEAT
    real = handle_mail.ROUTES[route]

    def handle(incoming: Any) -> Any:
        verdict = real(incoming)
        error = fault() if incoming.token.game_id == game.id else None
        if error is not None:
            raise error
        return verdict

    monkeypatch.setitem(handle_mail.ROUTES, route, handle)  # type: ignore[arg-type]

"""Test `tempo fast`: minutes per move until a set hour, without receipts and reminders."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.cli.game import clock_words
from pbem.domain.log.motion_events import MotionOpened
from pbem.domain.table.game import Game, OpenDeadline
from pbem.domain.terms.timing import Timing
from pbem.service.logbook.event_words import WORDS
from tests.service.conftest import START, Table

DAYS = Timing(3 * 86400, bank=86400, grace=3600)
MINUTES = timedelta(minutes=5)


def agree(table: Table, words: str = "tempo fast until 23", timing: Timing = DAYS) -> Game:
    """Return a game of two in which all are for a fast evening."""
    game = table.started(2, timing=timing)
    table.answer(0, words)
    table.answer(1, "yes")
    return table.game(game.id)


def move_once(table: Table, game: Game) -> tuple[OpenDeadline, int]:
    """Let the seat to act move. Return the next deadline and the seat."""
    seat = table.move(table.game(game.id))
    return table.deadline(game), seat


def test_all_agree_and_the_next_deadline_is_in_minutes(table: Table) -> None:
    """Without the bank and the grace of the usual clock."""
    game = agree(table)
    mail = table.last_to(0)
    assert "Saturday, 21 November, 23:00" in mail.words
    assert "you have 5 minutes for each move" in mail.words
    deadline, _ = move_once(table, game)
    assert deadline.due_at - deadline.starts_at == MINUTES
    assert deadline.fires_at == deadline.due_at
    assert table.check() == []


def test_one_no_keeps_the_usual_time(table: Table) -> None:
    game = table.started(3, timing=DAYS)
    table.answer(0, "tempo fast")
    assert "Anna asks for a fast evening: 5 minutes for each move until" in table.last_to(1).words
    table.answer(1, "yes")
    table.answer(2, "no")
    assert not table.game(game.id).timing.fast
    assert move_once(table, game)[0].due_at > START + timedelta(days=2)


def test_moves_are_not_confirmed_but_told_with_the_next_turn(table: Table) -> None:
    game = agree(table)
    move_once(table, game)
    _, seat = move_once(table, game)
    assert table.last_to(seat).message["Subject"].startswith("Your turn:")
    move_once(table, game)
    assert "- You played" in table.last_to(seat).words


def test_reminders_come_only_as_pings(table: Table) -> None:
    move_once(table, agree(table))
    before = len(table.delivery.mails)
    table.wait(minutes=3)
    (kind,) = [(mail.kind, mail.status) for mail in table.outbox() if mail.kind == "reminder"]
    assert kind == ("reminder", "superseded")
    assert len(table.delivery.mails) == before


def test_a_missed_deadline_plays_a_safe_move(table: Table) -> None:
    game = agree(table)
    move_once(table, game)
    position = table.game(game.id).position
    table.wait(minutes=5, seconds=2)
    assert table.game(game.id).position > position


def test_at_the_set_hour_the_usual_time_is_back(table: Table) -> None:
    """Already for a turn that would last longer than the evening."""
    game = agree(table)
    table.clock.forward(hours=9, minutes=50)  # 22:50 in Berlin
    deadline, _ = move_once(table, game)
    assert deadline.due_at - deadline.starts_at == MINUTES
    table.clock.forward(minutes=4)
    assert move_once(table, game)[0].base_at - table.clock.now() == MINUTES
    table.clock.forward(minutes=4)
    assert move_once(table, game)[0].base_at - table.clock.now() == timedelta(days=3)


def test_another_tempo_ends_it(table: Table) -> None:
    game = agree(table)
    move_once(table, game)
    table.answer(0, "tempo 3d")
    table.answer(1, "yes")
    assert move_once(table, game)[0].base_at - table.clock.now() == timedelta(days=3)


@pytest.mark.parametrize("words", ["tempo fast until 11", "tempo fast until 25"])
def test_it_ends_within_twelve_hours(table: Table, words: str) -> None:
    game = table.started(2, timing=DAYS)
    assert "within the next 12 hours" in table.ask(0, words).words
    assert not table.game(game.id).motions


@pytest.mark.parametrize("words", ["tempo schnell bis 23", "tempo schnell bis 23 Uhr"])
def test_german(table: Table, words: str) -> None:
    game = table.started(2, timing=DAYS)
    for seat in (0, 1):
        table.answer(seat, "language de")
    table.answer(0, words)
    assert "schnellen Abend" in table.last_to(1).words
    table.answer(1, "ja schnell")
    assert table.game(game.id).timing.is_fast(table.clock.now())


@pytest.mark.usefixtures("game")
def test_a_new_game_can_begin_with_a_fast_evening(table: Table) -> None:
    table.answer(0, "new cathedral with bob, tempo fast until 23")
    assert "until Saturday, 21 November, 23:00 you have 5 minutes" in table.last_to(1).words
    table.answer(1, "join")
    table.answer(0, "join")
    games = map(table.game, table.read(lambda uow: [*uow.events.games()]))
    created = next(one for one in games if one.ruleset.id.name == "cathedral")
    assert created.timing.is_fast(table.clock.now())
    assert created.time_per_move == table.service.timing.time_per_move


def test_the_log_tells_an_admin_in_words_how_fast_it_is(table: Table) -> None:
    game = agree(table)
    recorded = table.read(lambda uow: uow.events.recorded(game.id))
    (asked,) = [item for item in recorded if isinstance(item.event, MotionOpened)]
    words = WORDS["MotionOpened"]
    assert callable(words)
    said = words(asked, "Anna", ())
    assert said == "Anna asked for a fast evening: 5 minutes per move until 2026-11-21 22:00 UTC."
    assert "During a fast evening, until 2026-11-21 22:00 UTC, it has 5 minutes." in [
        *clock_words(table.game(game.id).timing)
    ]

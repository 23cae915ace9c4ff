"""Test the rows of games, seats and deadlines, on both databases."""

from __future__ import annotations

import random  # noqa: TID251  (which moves a test makes, never what the game deals)
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from pbem.domain.log.clock_events import GamePaused
from pbem.domain.play import decide
from pbem.domain.table.game import Game, with_seat
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.rows.game_rows import Deadline
from tests.domain.samples import Story, legal_orders, played, started
from tests.store.samples import (
    DAY,
    NOW,
    a_game,
    new_game_id,
    told,
    with_deadline,
)

HOUR = timedelta(hours=1)


class Rows:
    """A game whose rows follow its changes."""

    def __init__(self, uow: UnitOfWork, game: Game) -> None:
        self.uow, self.game = uow, game
        uow.projections.apply(None, game, NOW)

    def change(self, change: Callable[[Game], Game], at: datetime = NOW) -> None:
        after = change(self.game)
        after = replace(after, version=max(after.version, self.game.version + 1))
        self.uow.projections.apply(self.game, after, at)
        self.game = after

    def set(self, *seats: int, start: datetime = NOW, at: datetime = NOW) -> None:
        self.change(lambda game: with_deadline(game, *seats, start=start), at)

    @property
    def with_deadline(self) -> list[int]:
        return [one.seat for one in self.uow.projections.open_deadlines(self.game.id)]

    @property
    def deadlines(self) -> Sequence[Deadline]:
        return self.uow.projections.open_deadlines(self.game.id)


def test_a_deadline_replaces_all_before_it(store: Store) -> None:
    """Its key is the version of its event."""
    with store.unit_of_work() as uow:
        rows = Rows(uow, with_deadline(a_game(new_game_id(), "a", "b", "c"), 0, 1))
        rows.set(2, start=NOW + DAY)
        assert rows.deadlines == [
            Deadline(
                game_id=rows.game.id,
                version=rows.game.version,
                seat=2,
                set_at=NOW + DAY,
                due_at=NOW + 2 * DAY,
                reminders=(NOW + 1.5 * DAY,),
                next_at=NOW + 1.5 * DAY,
            )
        ]


def test_no_deadline_runs_for_who_has_left_or_while_the_clock_stands_still(store: Store) -> None:
    with store.unit_of_work() as uow:
        rows = Rows(uow, with_deadline(a_game(new_game_id(), "a", "b", "c"), 0, 1, 2))
        rows.change(lambda game: with_seat(game, 1, status="resigned"))
        assert rows.with_deadline == [0, 2]
        rows.change(lambda game: replace(game, paused_at=NOW))
        assert rows.with_deadline == []


def test_what_is_due(store: Store) -> None:
    """Reminders and deadlines, oldest first. The reader moves the time of the next check."""
    with store.unit_of_work() as uow:
        assert uow.projections.next_due() is None
        first = Rows(uow, with_deadline(a_game(new_game_id()), 0, 1, start=NOW + HOUR)).game.id
        second = Rows(uow, with_deadline(a_game(new_game_id()), 0)).game.id
        assert uow.projections.next_due() == NOW + DAY / 2
        assert uow.projections.due(NOW, 9) == []
        due = uow.projections.due(NOW + DAY, 9)
        assert [(one.game_id, one.seat) for one in due] == [(second, 0), (first, 0), (first, 1)]
        assert uow.projections.due(NOW + DAY, 1) == due[:1]
        assert (uow.projections.count_late(NOW), uow.projections.count_late(NOW + DAY)) == (0, 3)
        uow.projections.move_next_at(due[0], due[0].due_at)
        assert [one.game_id for one in uow.projections.due(NOW + DAY - HOUR, 9)] == [first, first]
        assert uow.projections.next_due() == NOW + DAY / 2 + HOUR


def test_deadline_of_a_bot_is_looked_at_now_and_apart(store: Store) -> None:
    """From the moment a bot sits there, for every deadline, until the player is back."""
    later = NOW + HOUR / 2
    with store.unit_of_work() as uow:
        rows = Rows(uow, with_deadline(a_game(new_game_id()), 0, 1))
        rows.change(lambda game: with_seat(game, 1, controller="bot"), later)
        assert [one.seat for one in uow.projections.due(later, 10, bots=True)] == [1]
        assert uow.projections.due(later, 10) == []
        rows.set(0, 1, at=later)
        assert [one.seat for one in uow.projections.due(later, 10, bots=True)] == [1]
        assert [seat.is_bot for seat in uow.projections.seats(rows.game.id)] == [False, True]
        rows.change(lambda game: with_seat(game, 1, controller="person"), later)
        assert uow.projections.due(later, 10, bots=True) == []
        assert len({one.next_at for one in rows.deadlines}) == 1


# -- the log ---------------------------------------------------------------------------------------


def test_rebuilding_forgets_what_is_not_in_the_log(store: Store) -> None:
    """Progress is reported."""
    with store.unit_of_work() as uow:
        told(uow, played(1, 2, plies=4))
        truth = uow.projections.dump()
        Rows(uow, with_deadline(a_game(new_game_id()), 0))
        assert uow.projections.dump() != truth
        assert uow.projections.has_strays()
        done: list[int] = []
        assert uow.projections.rebuild(done.append) == 1
        assert done == [1]
        assert uow.projections.dump() == truth
        assert not uow.projections.has_strays()


@pytest.mark.parametrize("table", ["game", "seat", "deadline", "turns"])
def test_a_row_that_is_not_as_the_log_says_is_found_and_put_right(store: Store, table: str) -> None:
    with store.unit_of_work() as uow:
        game = told(uow, played(1, 2, plies=4))
        assert not uow.projections.unsound(game)
        truth = uow.projections.dump()
        uow.connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608
        assert uow.projections.unsound(game) == [table]
        uow.projections.rebuild()
        assert uow.projections.dump() == truth


def test_the_rows_of_a_game_that_cannot_be_replayed_stay(store: Store) -> None:
    """Its secrets were deleted, so that it cannot be played, but it is still listed."""
    with store.unit_of_work() as uow:
        told(uow, played(1, 2, plies=4))
        truth = uow.projections.dump()
        uow.connection.exec_driver_sql("DELETE FROM event_secret")
        assert uow.projections.rebuild() == 1
        assert uow.projections.dump() == truth


def _anything(story: Story, chance: random.Random) -> None:
    """Play, take back, pause, stop or leave."""
    game = story.game
    match chance.randrange(12):
        case 0 if game.paused_at is None:
            story.do(lambda decision: decision.emit(GamePaused("admin", "x")), actor="admin:root")
        case 1 if len(game.to_act) > 1 or len(game.seats) > 2:
            story.do(_leave, int(game.to_act[0]))
        case _:
            seat = int(chance.choice(game.to_act))
            story.play(seat, chance.choice(legal_orders(game, seat)))


def _leave(decision: decide.Decision, seat: int) -> None:
    decide.resign(decision, seat)
    decide.settle(decision)


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phase10"])
@pytest.mark.parametrize("seed", range(3))
def test_incremental_is_rebuilt(store: Store, ruleset: str, seed: int) -> None:
    """After every change the tables are what a replay of the log gives."""
    chance = random.Random(f"{ruleset} {seed}")  # noqa: S311
    story = started(3, ruleset=ruleset, secret=bytes([seed + 1]) * 32)
    with store.unit_of_work() as uow:
        uow.projections.apply(None, story.game, NOW)
        for _ in range(40):
            before = story.game
            if before.is_over:
                break
            _anything(story, chance)
            uow.projections.apply(before, story.game, NOW)
            assert not uow.projections.unsound(story.game)

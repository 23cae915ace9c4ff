"""Games, seats and deadlines, computed from the log. On both databases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import DeadlineExtended, DeadlineSet, TurnTimedOut
from pbem.domain.log.events import ENDS, Event, GameFinished, GameStarted, GameStopped
from pbem.domain.log.seat_events import (
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    SeatControllerChanged,
    SeatResigned,
)
from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.log.codec import decode
from pbem.store.tables.projections import Deadline, GameStatus, SeatStatus
from tests.store.samples import (
    DAY,
    NOW,
    SMALL_EVENTS,
    created,
    deadline,
    events_of,
    move,
    new,
    new_game_id,
    removed,
)

HOUR = timedelta(hours=1)
STARTED = GameStarted(phrases=("", ""), digest="d", digest_version=1)
FINISHED = GameFinished(ranking=((0,), (1,)), reason="finished", scores=None, server_secret="5")
STOPPED = GameStopped(code="admin", server_secret="5", reason="geheim")


def _record(uow: UnitOfWork, game: GameId, *events: Event, at: datetime = NOW) -> str:
    """Append and project as the service does; gives the hash of the head."""
    head = uow.events.head(game) or (0, "")
    stored = uow.events.append(game, head[0], new(*events), at)
    uow.projections.apply(game, [decode(event) for event in stored])
    return stored[-1].hash


def _seats_with_deadline(uow: UnitOfWork, game: GameId) -> list[int]:
    return [one.seat for one in uow.projections.open_deadlines(game)]


def test_the_life_of_a_game(store: Store) -> None:
    """Inviting, running, finished; its version and head follow the log."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        head = _record(uow, game, created())
        row = GameStatus(game, "phyliss", 1, "inviting", 1, head, NOW, None)
        assert uow.projections.game(game) == row
        _record(uow, game, STARTED)
        assert [one.id for one in uow.projections.games("running")] == [game]
        head = _record(uow, game, move(0), FINISHED, at=NOW + DAY)
        row = GameStatus(game, "phyliss", 1, "finished", 4, head, NOW, NOW + DAY)
        assert uow.projections.game(game) == row
        assert uow.projections.games("running") == []
        assert uow.projections.games() == [row]
        assert uow.projections.game(new_game_id()) is None


def test_a_game_that_was_stopped(store: Store) -> None:
    """Has its own status, and an end."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created(), deadline(0, 1), STOPPED)
        row = uow.projections.game(game)
        assert uow.projections.open_deadlines(game) == []
    assert row is not None
    assert (row.status, row.finished_at) == ("stopped", NOW)


def test_seats(store: Store) -> None:
    """Who was asked, came, declined, left."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b", "c", "d", "e"), PlayerInvited(seat=1, player="x"))
        _record(uow, game, PlayerJoined(seat=0, player="a"), PlayerDeclined(seat=1, player="x"))
        _record(uow, game, SeatResigned(seat=2), removed(3))
        assert uow.projections.seats(game) == [
            SeatStatus(game, 0, "a", "joined"),
            SeatStatus(game, 1, "x", "declined"),
            SeatStatus(game, 2, "c", "resigned"),
            SeatStatus(game, 3, "d", "removed"),
            SeatStatus(game, 4, "e", "invited"),
        ]
        assert [one.id for one in uow.projections.games_of("x")] == [game]
        assert uow.projections.games_of("nobody") == []


def test_a_deadline_replaces_all_before_it(store: Store) -> None:
    """Its key is the version of its event."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b", "c"), deadline(0, 1))
        _record(uow, game, deadline(2, start=NOW + DAY))
        assert uow.projections.open_deadlines(game) == [
            Deadline(
                game_id=game,
                version=3,
                seat=2,
                set_at=NOW + DAY,
                due_at=NOW + 2 * DAY,
                reminders=(NOW + 1.5 * DAY,),
                next_at=NOW + 1.5 * DAY,
            )
        ]


def test_who_has_moved_has_no_deadline(store: Store) -> None:
    """Nor who resigned or was removed; who was silent has it until something is played for them."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b", "c", "d", "e"), deadline(0, 1, 2, 3, 4))
        _record(uow, game, move(1))
        assert _seats_with_deadline(uow, game) == [0, 2, 3, 4]
        _record(uow, game, TurnTimedOut(seat=3, deadline=2))
        assert _seats_with_deadline(uow, game) == [0, 2, 3, 4]
        _record(uow, game, move(3))
        assert _seats_with_deadline(uow, game) == [0, 2, 4]
        _record(uow, game, SeatResigned(seat=4))
        assert _seats_with_deadline(uow, game) == [0, 2]
        _record(uow, game, removed(0))
        assert _seats_with_deadline(uow, game) == [2]
        _record(uow, game, FINISHED)
        assert _seats_with_deadline(uow, game) == []


def test_a_deadline_becomes_later(store: Store) -> None:
    """Due and reminders move; reminders that have passed are not looked at again."""
    game = new_game_id()
    later = DeadlineExtended(
        deadline=2,
        base_at=NOW + DAY,
        due_at=NOW + DAY,
        fires_at=NOW + 2 * DAY,
        reminders=(NOW + HOUR, NOW + DAY),
        reason="delivery",
    )
    with store.unit_of_work() as uow:
        _record(uow, game, created(), deadline(0, 1))
        _record(uow, game, later, at=NOW + 2 * HOUR)
        for one in uow.projections.open_deadlines(game):
            assert one.due_at == NOW + 2 * DAY
            assert one.reminders == (NOW + HOUR, NOW + DAY)
            assert one.next_at == NOW + DAY
        stale = DeadlineExtended(1, NOW, NOW, NOW, (), "delivery")
        _record(uow, game, stale)
        assert uow.projections.open_deadlines(game)[0].due_at == NOW + 2 * DAY


def test_what_is_due(store: Store) -> None:
    """Reminders and deadlines, longest ago first; when to look next is moved by who looked."""
    first, second = new_game_id(), new_game_id()
    with store.unit_of_work() as uow:
        assert uow.projections.next_due() is None
        _record(uow, first, created(), deadline(0, 1, start=NOW + HOUR))
        _record(uow, second, created(), deadline(0))
        assert uow.projections.next_due() == NOW + DAY / 2
        assert uow.projections.due(NOW, 9) == []
        due = uow.projections.due(NOW + DAY, 9)
        assert [(one.game_id, one.seat) for one in due] == [(second, 0), (first, 0), (first, 1)]
        assert uow.projections.due(NOW + DAY, 1) == due[:1]
        assert (uow.projections.count_late(NOW), uow.projections.count_late(NOW + DAY)) == (0, 3)
        uow.projections.move_next_at(due[0], due[0].due_at)
        assert [one.game_id for one in uow.projections.due(NOW + DAY - HOUR, 9)] == [first, first]
        assert uow.projections.next_due() == NOW + DAY / 2 + HOUR


def test_rebuilding_forgets_what_is_not_in_the_log(store: Store) -> None:
    """Rows of games that are not there go; progress is told."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created(), deadline(0))
        truth = uow.projections.dump()
        uow.projections.apply(
            GameId("notthere00"), [decode(e) for e in uow.events.read(game, up_to=1)]
        )
        assert uow.projections.dump() != truth
        told: list[int] = []
        assert uow.projections.rebuild(told.append) == 1
        assert told == [1]
        assert uow.projections.dump() == truth


def test_rebuilding_asks_once_for_each_game(store: Store) -> None:
    """A long game takes no more statements than a short one."""
    counts = [_statements_to_rebuild(store, length) for length in (1, 30)]
    assert counts[1] <= counts[0] + 1  # there are two games then


def _statements_to_rebuild(store: Store, length: int) -> int:
    game = new_game_id()
    said: list[str] = []
    turns: list[Event] = [deadline(0), move(0)]
    with store.unit_of_work() as uow:
        _record(uow, game, created(), *turns * length)
        event.listen(uow.connection, "before_cursor_execute", lambda *given: said.append(given[2]))
        uow.projections.rebuild()
    return len(said)


def test_the_deadline_of_the_next_seat_takes_the_row_of_the_last(store: Store) -> None:
    """A turn takes one statement there; what is over or new beside it goes or comes by itself."""
    game, said = new_game_id(), list[str]()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b", "c"), deadline(0))
        event.listen(uow.connection, "before_cursor_execute", lambda *given: said.append(given[2]))
        _record(uow, game, deadline(1))
        assert sum("deadline" in one for one in said if not one.startswith("SELECT")) == 1
        assert _seats_with_deadline(uow, game) == [1]
        for seats in ((0, 1, 2), (1, 2), (2,), (0, 1)):
            _record(uow, game, deadline(*seats))
            assert _seats_with_deadline(uow, game) == [*seats]
        truth = uow.projections.dump()
        uow.projections.rebuild()
        assert uow.projections.dump() == truth


def test_rebuilding_needs_no_secrets(store: Store) -> None:
    """A log whose secrets are gone gives the same tables."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created(), STARTED, deadline(0, 1), move(0), removed(1))
        truth = uow.projections.dump()
        uow.connection.exec_driver_sql("DELETE FROM event_secret")
        uow.projections.rebuild()
        assert uow.projections.dump() == truth


def test_what_is_operational_is_not_compared(store: Store) -> None:
    """When to look next is no fact."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created(), deadline(0))
        truth = uow.projections.dump()
        (one,) = uow.projections.open_deadlines(game)
        uow.projections.move_next_at(one, NOW + 9 * DAY)
        assert uow.projections.dump() == truth
    assert set(truth) == {"game", "seat", "deadline", "turns", "result", "rating"}


def test_a_stream_from_afar_may_hold_strange_ids(store: Store) -> None:
    """Whatever the log holds can be listed, NUL too, which PostgreSQL does not take."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, replace(created("a\x00", "b"), ruleset="\x00"))
        assert uow.projections.seats(game)[0].player_id == "a\ufffd"


PORTIONS = st.lists(
    st.lists(SMALL_EVENTS | events_of(DeadlineSet, st.integers(0, 3)), min_size=1, max_size=5),
    max_size=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(portions=PORTIONS)
def test_incremental_is_rebuilt(store: Store, portions: Sequence[Sequence[Event]]) -> None:
    """Whatever happens in whatever portions: the same tables as from the log at once."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b", "c"))
        for portion in portions:
            _record(uow, game, *portion)
        incremental = uow.projections.dump()
        uow.projections.rebuild()
        assert uow.projections.dump() == incremental
        ended = any(isinstance(e, ENDS) for p in portions for e in p)
        row = uow.projections.game(game)
        assert row is not None
        assert (row.version, row.head) == uow.events.head(game)
        assert (row.finished_at is not None) == ended


def test_deadline_of_a_bot_is_looked_at_now_and_apart(store: Store) -> None:
    """From the moment a bot sits there, for every deadline, until the player is back."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        _record(uow, game, created("a", "b"), deadline(0, 1))
        later = NOW + HOUR / 2
        _record(uow, game, SeatControllerChanged(1, "bot", "admin"), at=later)
        assert [one.seat for one in uow.projections.due(later, 10, bots=True)] == [1]
        assert uow.projections.due(later, 10) == []
        _record(uow, game, deadline(0, 1), at=later)
        assert [one.seat for one in uow.projections.due(later, 10, bots=True)] == [1]
        (running, _) = uow.projections.open_deadlines(game)
        moved = DAY + later
        gift = DeadlineExtended(running.version, moved, moved, moved, (), "courtesy")
        _record(uow, game, gift, at=later)
        assert [one.due_at for one in uow.projections.open_deadlines(game)] == [moved, moved]
        assert [one.seat for one in uow.projections.due(later, 10, bots=True)] == [1]
        assert [seat.is_bot for seat in uow.projections.seats(game)] == [False, True]
        _record(uow, game, SeatControllerChanged(1, "person", "back"), at=later)
        assert uow.projections.due(later, 10, bots=True) == []
        assert len({one.next_at for one in uow.projections.open_deadlines(game)}) == 1
        before = uow.projections.dump()
        uow.projections.rebuild()
        assert uow.projections.dump() == before

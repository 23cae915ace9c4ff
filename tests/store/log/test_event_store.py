"""Test the event log on both databases: append, read, conflicts, and the hash chain."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from pbem.domain.log.chain import GENESIS, GameId, LogError, StoredEvent, check_chain, format_time
from pbem.errors import StoreError, UnknownStreamError, UpcastError, VersionConflictError
from pbem.store.db.uow import Store
from pbem.store.log.codec import decode, encode
from pbem.store.rows.core import EVENT, EVENT_SECRET
from tests.store.old_rows import write_secrets_as_1_0
from tests.store.samples import (
    DECIDED,
    NOW,
    a_stream,
    created,
    deadline,
    is_redacted,
    move,
    new,
    new_game_id,
    removed,
)

EACH_EXAMPLE_HAS_ITS_OWN_GAME = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25
)


def test_what_is_appended_is_read(store: Store) -> None:
    """The same events, numbered from 1, chained, with their secrets."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        appended = uow.events.append(game, 0, a_stream(), NOW)
    with store.reading() as uow:
        events = uow.events.read(game)
        assert uow.events.head(game) == (5, events[-1].hash)
    assert events == appended
    assert [event.version for event in events] == [1, 2, 3, 4, 5]
    assert events[0].prev_hash == GENESIS
    assert {event.recorded_at for event in events} == {format_time(NOW)}
    check_chain(events, events[0].game_id)


def test_an_unknown_game_is_no_empty_game(store: Store) -> None:
    """Reading it is an error; asking for its head is not."""
    with store.reading() as uow:
        assert uow.events.head(GameId("nosuchgame")) is None
        assert list(uow.events.games()) == []
        with pytest.raises(UnknownStreamError, match="nosuchgame"):
            uow.events.read(GameId("nosuchgame"))
        with pytest.raises(UnknownStreamError, match="nosuchgame"):
            uow.events.read_public(GameId("nosuchgame"))


def test_the_expected_version_counts(store: Store) -> None:
    """Too low, too high, a new game that exists: refused, nothing appended."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, new(created(), move(0)), NOW)
    for expected in (0, 1, 3):
        with (
            pytest.raises(VersionConflictError, match="is at version 2"),
            store.unit_of_work() as uow,
        ):
            uow.events.append(game, expected, new(move(1)), NOW)
    with pytest.raises(VersionConflictError), store.unit_of_work() as uow:
        uow.events.append(new_game_id(), 1, new(move(1)), NOW)
    with store.unit_of_work() as uow:
        assert uow.events.append(game, 2, [], NOW) == []
        assert len(uow.events.read(game)) == 2


def test_the_second_of_two_writers_gets_a_conflict(store: Store) -> None:
    """Also if it looked at the head before the first one committed."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, new(created()), NOW)
    outcome: list[object] = []

    def second() -> None:
        try:
            with store.unit_of_work() as uow:
                uow.events.append(game, 1, new(move(1, text="second")), NOW)
            outcome.append("appended")
        except VersionConflictError as error:
            outcome.append(error)

    thread = threading.Thread(target=second)
    with store.unit_of_work() as uow:
        uow.events.append(game, 1, new(move(0, text="first")), NOW)
        thread.start()
        thread.join(0.2)  # it waits for us, or for the database
    thread.join()
    assert isinstance(outcome[0], VersionConflictError)
    with store.reading() as uow:
        assert [event.public.get("move") for event in uow.events.read(game)] == [None, "first"]


@EACH_EXAMPLE_HAS_ITS_OWN_GAME
@given(batches=st.lists(st.lists(DECIDED, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_log_verifies_and_comes_back(store: Store, batches: list[list[object]]) -> None:
    """Events appended in any batches, with and without their secrets."""
    game = new_game_id()
    version = 0
    with store.unit_of_work() as uow:
        for batch in batches:
            uow.events.append(game, version, [encode(decided) for decided in batch], NOW)
            version += len(batch)
    with store.reading() as uow:
        events, redacted = uow.events.read(game), uow.events.read_public(game)
    check_chain(events, events[0].game_id)
    check_chain(redacted, redacted[0].game_id)
    decided = [one for batch in batches for one in batch]
    assert [decode(event).event for event in events] == [one.event for one in decided]
    assert [is_redacted(event) for event in redacted] == [
        event.secret is not None for event in events
    ]


def test_a_secret_that_opens_never_can_be_erased(store: Store) -> None:
    """The chain stays valid, the event readable; a secret that the game needs is kept."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, new(created(), removed(reason="geheim"), move(0)), NOW)
        assert uow.events.erase_secret(game, 2)
        assert not uow.events.erase_secret(game, 2)
        assert not uow.events.erase_secret(game, 9)
        with pytest.raises(StoreError, match="opens at the end of the game"):
            uow.events.erase_secret(game, 1)
    with store.reading() as uow:
        events = uow.events.read(game)
    check_chain(events, events[0].game_id)
    assert is_redacted(events[1])
    assert decode(events[1]).event == removed(reason="")
    assert decode(events[2]).event == move(0)


def _drop_guards(store: Store) -> None:
    """Drop the triggers, as a user with full rights on the database can."""
    with store.db_engine.begin() as connection:
        if store.db_engine.dialect.name == "postgresql":
            connection.execute(text("DROP TRIGGER event_append_only ON event"))
        else:
            for name in ("event_no_update", "event_no_delete", "event_no_replace"):
                connection.execute(text(f"DROP TRIGGER {name}"))


# `position` is no part of the log; when a secret opens follows from the type of its event
TAMPERED = [
    *(column.name for column in EVENT.c if column.name not in {"position", "game_id"}),
    "salt",
    "payload",
]


@pytest.mark.parametrize(
    ("column", "is_of_1_0"),
    [*((column, False) for column in TAMPERED), ("salt", True), ("payload", True)],
)
def test_tampering_is_found(store: Store, column: str, *, is_of_1_0: bool) -> None:
    """One character of one column of one row changed behind our back: found, and its place named."""
    game, version = new_game_id(), 3
    with store.unit_of_work() as uow:
        original = uow.events.append(game, 0, a_stream(), NOW)
        if is_of_1_0:
            write_secrets_as_1_0(uow)
    assert _what_is_found(store, game, original) is None
    _drop_guards(store)
    table = EVENT_SECRET if column in {"salt", "payload"} else EVENT
    row = (table.c.game_id == game) & (table.c.version == version)
    with store.unit_of_work() as uow:
        (value,) = uow.connection.execute(
            table.select().with_only_columns(table.c[column]).where(row)
        ).one()
    is_number = isinstance(value, int)
    changes = [value + 7] if is_number else _changed(str(value))
    for changed in changes:
        with store.unit_of_work() as uow:
            if column == "version":  # the secret points at it
                uow.connection.execute(EVENT_SECRET.delete().where(EVENT_SECRET.c.game_id == game))
            uow.connection.execute(table.update().where(row).values({column: changed}))
        found = _what_is_found(store, game, original)
        assert found in (None, version), changed


def _what_is_found(store: Store, game: GameId, original: list[StoredEvent]) -> int | None:
    """The version that reading or checking names; None if the log reads exactly as before."""
    with store.reading() as uow:
        try:
            recorded = uow.events.recorded(game)
        except (UpcastError, LogError):
            pass
        else:
            assert recorded == [decode(event) for event in original]
        try:
            events = uow.events.read(game)
            check_chain(events, events[0].game_id)
        except UpcastError as error:
            return int(str(error).split()[1])
        except LogError as error:
            return error.version
    assert events == original  # another way to write the same, e.g. a blank in the JSON
    return None


def _changed(value: str) -> list[str]:
    """Every tenth character, and the last one, replaced; one dropped; one more."""
    places = {*range(0, len(value), 10), len(value) - 1} if value else ()
    flipped = [f"{value[:i]}{'0' if value[i] != '0' else '1'}{value[i + 1 :]}" for i in places]
    return [*flipped, value[1:], value + "0", "", "[" * 5000]


def test_an_event_that_is_gone_is_missed(store: Store) -> None:
    """In the middle; the end is what the head in every mail is for."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, new(created(), deadline(0), deadline(1), move(0)), NOW)
    _drop_guards(store)
    with store.unit_of_work() as uow:
        uow.connection.execute(
            EVENT.delete().where((EVENT.c.game_id == game) & (EVENT.c.version == 2))
        )
    with store.reading() as uow, pytest.raises(LogError, match="event 2 is missing"):
        check_chain(uow.events.read(game), game)

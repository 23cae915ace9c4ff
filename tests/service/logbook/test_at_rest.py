"""Test that the stored database reveals no card, seed, token or message of a running game."""

from __future__ import annotations

import base64
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path

from pbem.domain.log.events import GameCreated
from pbem.errors import StoreError
from pbem.service.logbook import keys
from pbem.service.logbook.verify import verify_game
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import KeyRing
from pbem.store.seal.packing import unpack
from tests.databases import ring, sqlite_file
from tests.service.conftest import Table, make_table
from tests.store.old_rows import drop_data_keys

PHRASE = "a phrase of my very own"
TALK = "the cat sat upon my cards"
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")


def play(folder: Path, *, sealed: bool) -> tuple[Table, dict[str, bytes]]:
    """Play some moves by mail. Return the table and its secrets by name."""
    url = f"sqlite:///{sqlite_file(folder)}"
    store = Store(url, keys=ring if sealed else KeyRing)
    if not sealed:
        drop_data_keys(store)
    table = make_table(store)
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


def texts(table: Table) -> Iterator[bytes]:
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


def files(table: Table) -> bytes:
    """Return the bytes of the database file, its write-ahead log and other files of it."""
    file = table.file
    found = sorted(file.parent.glob(f"{file.name}*"))
    assert f"{file.name}-wal" in {path.name for path in found}
    return b"".join(path.read_bytes() for path in found)


def test_no_secret_is_in_the_file(tmp_path: Path) -> None:
    """Search the tables and the bytes of all files."""
    table, needles = play(tmp_path, sealed=True)
    everything = b"\n".join(texts(table)) + files(table)
    assert [what for what, needle in needles.items() if needle in everything] == []
    assert b"anna@example.org" in everything, "the table of addresses: mails are sent to them"
    with table.service.store.reading() as uow:
        assert verify_game(uow, next(uow.events.games())).events > 3
    table.service.store.close()


def test_the_search_finds_it_where_nothing_is_sealed(tmp_path: Path) -> None:
    """`reseal` then removes everything, also from free pages."""
    table, needles = play(tmp_path, sealed=False)
    everything = b"\n".join(texts(table))
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
    everything = b"\n".join(texts(table)) + files(table)
    assert [what for what, needle in needles.items() if needle in everything] == []
    with store.reading() as uow:
        assert uow.events.read(game_id) == before, "the log is as it was, hashes and all"
    seat, order = table.standby(table.game(game_id))
    turn = next(mail for mail in table.mails_to(seat)[::-1] if "Your moves" in mail.words)
    table.answer(seat, order, to=turn.reply_to)
    assert table.game(game_id).version > before[-1].version, "the game goes on"
    store.close()

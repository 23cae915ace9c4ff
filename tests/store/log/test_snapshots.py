"""Snapshots: a cache that may go at any time. On both databases."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select

from pbem.domain.log.chain import GameId
from pbem.store.db.uow import Store
from pbem.store.log.snapshots import Snapshot
from pbem.store.rows.core import SNAPSHOT
from pbem.store.seal.keyring import KeyRing
from tests.databases import MAC_KEYS, ring, sqlite_file
from tests.store.samples import NOW, a_stream, new_game_id


def _game_with_snapshots(store: Store, *versions: int) -> tuple[GameId, list[Snapshot]]:
    game = new_game_id()
    with store.unit_of_work() as uow:
        events = uow.events.append(game, 0, a_stream(), NOW)
        snapshots = [
            Snapshot(game, version, events[version - 1].hash, b"\x00state %d" % version)
            for version in versions
        ]
        for snapshot in snapshots:
            uow.snapshots.put(snapshot)
    return game, snapshots


def test_the_newest_that_is_not_too_new_is_given(store: Store) -> None:
    """`up_to` is inclusive; without it the newest."""
    game, (at_2, at_4) = _game_with_snapshots(store, 2, 4)
    with store.reading() as uow:
        assert uow.snapshots.latest(game) == at_4
        assert uow.snapshots.latest(game, 4) == at_4
        assert uow.snapshots.latest(game, 3) == at_2
        assert uow.snapshots.latest(game, 1) is None
        assert uow.snapshots.latest(new_game_id()) is None
    assert "state" not in repr(at_2)


def test_two_of_each_game_are_kept(store: Store) -> None:
    """The newest two; other games keep theirs."""
    other, _ = _game_with_snapshots(store, 1)
    game, snapshots = _game_with_snapshots(store, 1, 3, 4)
    with store.reading() as uow:
        assert uow.snapshots.latest(game, 2) is None
        assert uow.snapshots.latest(game, 3) == snapshots[1]
        assert uow.snapshots.latest(other) is not None


def test_a_snapshot_is_replaced_by_one_at_the_same_version(store: Store) -> None:
    """Two workers may fold the same game."""
    game, (old,) = _game_with_snapshots(store, 2)
    new = Snapshot(game, 2, old.hash, b"new")
    with store.unit_of_work() as uow:
        uow.snapshots.put(new)
        assert uow.snapshots.latest(game) == new


def test_a_snapshot_of_another_history_is_not_given(store: Store) -> None:
    """Its hash must be the log's at that version."""
    game, (good, _) = _game_with_snapshots(store, 2, 3)
    with store.unit_of_work() as uow:
        uow.snapshots.put(Snapshot(game, 3, "0" * 64, b"x"))
        assert uow.snapshots.latest(game) == good
        uow.snapshots.put(Snapshot(game, 99, "0" * 64, b"x"))
        assert uow.snapshots.latest(game) is None  # the good one had to go for it


def _beside(store: Store, *mac_keys: bytes, keys: Callable[[], KeyRing] = ring) -> Store:
    """The same database, opened with other keys."""
    url = store.db_engine.url.render_as_string(hide_password=False)
    return Store(url, keys=keys, mac_keys=mac_keys)


def test_any_byte_is_proven(tmp_path: Path) -> None:
    """Also in a database that is not sealed: what was changed anywhere, or cut off, is not given."""
    store = Store(f"sqlite:///{sqlite_file(tmp_path)}", mac_keys=MAC_KEYS)
    game, (kept,) = _game_with_snapshots(store, 2)
    with store.reading() as uow:
        (text,) = uow.connection.execute(select(SNAPSHOT.c.payload)).scalars()
    envelope = json.loads(text)
    data = base64.b64decode(envelope["data"])
    assert data.endswith(kept.payload)
    flipped = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(len(data))]
    for other in (*flipped, data[:-1], data[:31], b"", data + b"x"):
        with store.unit_of_work() as uow:
            changed = {**envelope, "data": base64.b64encode(other).decode()}
            payload = json.dumps(changed, separators=(",", ":"))
            uow.connection.execute(SNAPSHOT.update().values(payload=payload))
            assert uow.snapshots.latest(game) is None
    assert len(store.refused) == len(flipped) + 4
    store.close()


def test_which_keys_prove_one(store: Store) -> None:
    """An earlier key of the reply addresses does; another one does not, nor none, nor another place."""
    game, (kept,) = _game_with_snapshots(store, 2)
    rotated, theirs, none = _beside(store, b"new", *MAC_KEYS), _beside(store, b"x"), _beside(store)
    with rotated.reading() as uow:
        assert uow.snapshots.latest(game) == kept
    with theirs.reading() as uow:
        assert uow.snapshots.latest(game) is None
    with none.reading() as uow:
        assert uow.snapshots.latest(game) is None
    assert (len(rotated.refused), len(theirs.refused), len(none.refused)) == (0, 1, 0)
    for opened in (rotated, theirs, none):
        opened.close()


def test_one_whose_key_is_missing_is_nobodys_fault(store: Store) -> None:
    """It is not given, and not refused: the key may be put back."""
    game, _ = _game_with_snapshots(store, 2)
    keyless = _beside(store, *MAC_KEYS, keys=KeyRing)
    with keyless.reading() as uow:
        assert uow.snapshots.latest(game) is None
    assert keyless.refused == set()
    keyless.close()


def test_one_that_was_replaced_meanwhile_is_not_dropped(store: Store) -> None:
    """What is dropped is the row that was refused."""
    game, (kept,) = _game_with_snapshots(store, 2)
    with store.unit_of_work() as uow:
        uow.connection.execute(SNAPSHOT.update().values(payload="garbage"))
        assert uow.snapshots.latest(game) is None
        uow.snapshots.put(kept)
        (refused,) = store.refused
        assert not uow.snapshots.drop(refused)
        assert uow.snapshots.latest(game) == kept
        uow.connection.execute(SNAPSHOT.update().values(payload="garbage"))
        assert uow.snapshots.drop(refused)
        assert not uow.snapshots.drop(refused)


def test_all_can_be_deleted(store: Store) -> None:
    """Nothing else changes."""
    game, _ = _game_with_snapshots(store, 2)
    with store.unit_of_work() as uow:
        uow.snapshots.delete_all()
        assert uow.snapshots.latest(game) is None
        assert len(uow.events.read(game)) == 5

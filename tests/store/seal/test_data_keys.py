"""Test data keys: wrapped by the key file, renewed by a rotation, missing without it."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.errors import KeyMissingError, StoreError
from pbem.store.db.uow import Store
from pbem.store.rows.core import DATA_KEY
from pbem.store.seal import data_keys
from pbem.store.seal.keyring import Key, KeyRing
from tests.store.old_rows import drop_data_keys

FIRST, SECOND = (Key.made(date(2026, 1, n), bytes([n]) * 32) for n in (1, 2))


@pytest.fixture
def begun(store: Store) -> Store:
    """A store whose data key is wrapped with `FIRST`."""
    drop_data_keys(store)
    store.keys = lambda: KeyRing((FIRST,))
    renew(store)
    return store


def renew(store: Store) -> int:
    with store.unit_of_work() as uow:
        return data_keys.renew(uow.connection, uow.envelopes.ring)


def ring(store: Store) -> KeyRing:
    with store.reading() as uow:
        return uow.envelopes.ring


def test_a_data_key_seals(begun: Store) -> None:
    """Values are encrypted with it, not with the key of the file, and its secret is not stored."""
    (data,) = ring(begun).data
    with begun.reading() as uow:
        assert uow.envelopes.seal(b"hand", "inbox.raw", "1")[1:17] == data.kid
        ((_, _, wrapped),) = data_keys.read(uow.connection)
    assert wrapped[1:17] == FIRST.kid
    assert data.secret.hex() not in wrapped


def test_a_rotation_wraps_all_and_begins_one(begun: Store) -> None:
    """The new key of the file alone opens everything. The old key opens nothing any more."""
    (before,) = ring(begun).data
    assert renew(begun) == 0, "nothing to do"
    begun.keys = lambda: KeyRing((FIRST, SECOND))
    assert renew(begun) == 3
    begun.keys = lambda: KeyRing((SECOND,))
    after = ring(begun)
    assert [key.kid for key in after.data[:2]] == [before.kid, FIRST.kid]
    assert after.current == after.data[2]
    begun.keys = lambda: KeyRing((FIRST,))
    assert ring(begun).data == ()


def test_a_process_with_an_old_file_writes_nothing(begun: Store) -> None:
    """Other processes could not open what it seals with the key of its file."""
    begun.keys = lambda: KeyRing((FIRST, SECOND))
    renew(begun)
    begun.keys = lambda: KeyRing((FIRST,))
    with begun.reading() as uow, pytest.raises(KeyMissingError, match="copy the newest one"):
        uow.envelopes.seal(b"hand", "inbox.raw", "1")


def test_a_rotation_beside_a_running_service(begun: Store) -> None:
    """A row under a data key that began during the transaction is opened with it."""
    begun.keys = lambda: KeyRing((FIRST, SECOND))
    if begun.is_sqlite:
        pytest.skip("SQLite has one writer")
    with begun.unit_of_work() as uow:
        renew(begun)
        with begun.unit_of_work() as other:
            envelope = other.envelopes.seal(b"hand", "inbox.raw", "1")
        assert uow.envelopes.open(envelope, "inbox.raw", "1") == b"hand"


def test_data_keys_are_read_when_the_file_changes(begun: Store) -> None:
    """A running service uses the new data key after the second write of the file by a rotation."""
    first = KeyRing((FIRST, SECOND))
    begun.keys = lambda: first
    before = ring(begun)
    with begun.db_engine.begin() as connection:
        data_keys.renew(connection, before)
    assert ring(begun) == before
    second = KeyRing((FIRST, SECOND))
    begun.keys = lambda: second
    assert ring(begun).current == ring(begun).data[-1] != before.current


def test_what_is_missing_without_the_key_of_the_file(begun: Store) -> None:
    """The key of the file is named, unless its data keys were given up."""
    (data,) = ring(begun).data
    begun.keys = lambda: KeyRing((SECOND,))
    with begun.reading() as uow:
        rows, found = data_keys.read(uow.connection), uow.envelopes.ring
    assert data_keys.missing(rows, found) == [FIRST.kid]
    begun.keys = lambda: KeyRing((SECOND,), lost=frozenset({data.kid}))
    assert data_keys.missing(rows, ring(begun)) == []
    begun.keys = lambda: KeyRing((FIRST, SECOND), lost=frozenset({data.kid}))
    assert ring(begun).lost == frozenset(), "it was restored"


@pytest.mark.parametrize(("column", "value"), [("kid", SECOND.kid), ("number", 99)])
def test_a_moved_data_key_is_refused(begun: Store, column: str, value: object) -> None:
    """An envelope opens only under the name and number of its key, so an old one cannot become the newest."""
    with begun.unit_of_work() as uow:
        uow.connection.execute(DATA_KEY.update().values({column: value}))
    begun.keys = lambda: KeyRing((FIRST,))
    with pytest.raises(StoreError, match="belongs to another place"):
        ring(begun)

"""Data keys: they encrypt the values of the database, and the key file encrypts them.

The table `data_key` stores each one in an envelope of a key in the file (key wrapping). A rotation
therefore only rewrites this table: it wraps all data keys with the new key of the file and begins
a data key for what is written from then on. Databases of 1.0 were encrypted with the keys of the
file directly. The first rotation stores these as data keys too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from pbem.store.rows.core import DATA_KEY
from pbem.store.seal.envelope import Envelopes, kid_of
from pbem.store.seal.keyring import Key, KeyRing

_COLUMN = "data_key.wrapped"
_ALL = select(DATA_KEY.c.number, DATA_KEY.c.kid, DATA_KEY.c.wrapped).order_by(DATA_KEY.c.number)

Rows = Sequence[tuple[int, str, str]]
"""Numbers, names and envelopes of the stored data keys, oldest first.

The envelope's context includes number and name, so that the order cannot be changed.
"""


def read(connection: Connection) -> Rows:
    """Read all stored data keys, still encrypted."""
    return [(number, kid, wrapped) for number, kid, wrapped in connection.execute(_ALL)]


def unwrap(rows: Rows, ring: KeyRing) -> KeyRing:
    """Return the key ring with those data keys that a key of its file decrypts.

    Raises: StoreError if an envelope is damaged.
    """
    envelopes = Envelopes(ring)
    data = tuple(
        Key.made(None, envelopes.open(wrapped, _COLUMN, number, kid))
        for number, kid, wrapped in rows
        if ring.get(kid_of(wrapped)) is not None
    )
    ring = replace(ring, data=data, lost=ring.lost - {key.kid for key in data})
    return replace(ring, is_stale=bool(missing(rows, ring)))


def renew(connection: Connection, ring: KeyRing) -> int:
    """Wrap all data keys with the newest key of the file and begin a data key.

    Do nothing if all of them are wrapped with it already. Data keys whose key is missing stay as
    they are.

    Returns: the number of data keys that are wrapped with the newest key now, 0 if nothing changed.
    """
    newest = ring.keys[-1]
    rows = read(connection)
    numbers = {
        kid: number for number, kid, wrapped in rows if ring.get(kid_of(wrapped)) is not None
    }
    if numbers and all(kid_of(wrapped) == newest.kid for _, kid, wrapped in rows if kid in numbers):
        return 0
    known = unwrap(rows, ring).data
    stored = {kid for _, kid, _ in rows}
    begun = [*(key for key in ring.keys[:-1] if key.kid not in stored), Key.made(None)]
    last = rows[-1][0] if rows else 0
    numbers |= {key.kid: number for number, key in enumerate(begun, last + 1)}
    envelopes = Envelopes(KeyRing((newest,)))
    for key in (*known, *begun):
        number = numbers[key.kid]
        wrapped = envelopes.seal(key.secret, _COLUMN, number, key.kid)
        connection.execute(DATA_KEY.delete().where(DATA_KEY.c.kid == key.kid))
        values = {"number": number, "kid": key.kid, "wrapped": wrapped}
        connection.execute(DATA_KEY.insert().values(values))
    return len(known) + len(begun)


def unneeded(rows: Rows, ring: KeyRing, used: Iterable[str]) -> tuple[str, ...]:
    """Return the names of keys of the file, except the newest, without which everything opens.

    Args:
        used: names of keys that encrypt a value.
    """
    needed = {kid_of(wrapped) for *_, wrapped in rows} | ({*used} - {kid for _, kid, _ in rows})
    return tuple(key.kid for key in ring.keys[:-1] if key.kid not in needed)


def missing(rows: Rows, ring: KeyRing) -> list[str]:
    """Return the names of keys that are not in the file, though data keys are wrapped with them.

    Data keys that were given up do not count.

    Args:
        ring: with its data keys.
    """
    absent = (
        kid_of(wrapped)
        for _, kid, wrapped in rows
        if ring.get(kid) is None and kid not in ring.lost
    )
    return list(dict.fromkeys(absent))

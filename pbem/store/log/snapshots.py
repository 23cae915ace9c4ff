"""Saved folds of streams: a cache that can be deleted at any time.

Each has a MAC over its place and its contents, with the key of the reply addresses. That key is not
in the database, and is not one of the keys that seal. So neither an unsealed database nor a key
file of one kind is enough to forge a snapshot. Without such a key no snapshots are stored.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog
from sqlalchemy import Connection, bindparam, select

from pbem.domain.log.chain import GameId
from pbem.errors import KeyMissingError, StoreError
from pbem.store.rows.core import EVENT, SNAPSHOT
from pbem.store.rows.texts import insert_for
from pbem.store.seal.envelope import Envelopes

log = structlog.get_logger(__name__)

KEPT_PER_GAME = 2
PAYLOAD = "snapshot.payload"
_MAC_PREFIX = b"pbem-snapshot-v1\n"
_MAC_BYTES = hashlib.sha256().digest_size
_NEWEST = (
    select(SNAPSHOT.c.version, SNAPSHOT.c.hash, SNAPSHOT.c.payload, EVENT.c.hash)
    .join(
        EVENT,
        (EVENT.c.game_id == SNAPSHOT.c.game_id) & (EVENT.c.version == SNAPSHOT.c.version),
        isouter=True,
    )
    .where(SNAPSHOT.c.game_id == bindparam("game_id"))
    .order_by(SNAPSHOT.c.version.desc())
)
_NEWEST_THEN = _NEWEST.where(SNAPSHOT.c.version <= bindparam("up_to"))


class Refused(NamedTuple):
    """A snapshot in the database that differs from the one that was stored."""

    game_id: GameId
    version: int
    stored: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The fold of a stream up to `version`, whose event has `hash`.

    Attributes:
        stored: its form in the database; empty if it was not read from there.
    """

    game_id: GameId
    version: int
    hash: str
    payload: bytes = field(repr=False)
    stored: str = field(default="", repr=False, compare=False)


class Snapshots:
    """The snapshots, on the connection of one unit of work.

    Args:
        mac_keys: newest first; the first one makes a MAC, each proves one.
        refused: the list for untrusted snapshots, for a unit that can drop them.
    """

    def __init__(
        self,
        connection: Connection,
        envelopes: Envelopes,
        mac_keys: Sequence[bytes],
        refused: set[Refused],
    ) -> None:
        self._connection = connection
        self._envelopes = envelopes
        self._mac_keys = mac_keys
        self._refused = refused

    def put(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing one at its version; keep only the newest few."""
        if not self._mac_keys:
            return
        place = (snapshot.game_id, snapshot.version, snapshot.hash)
        mac = _mac(self._mac_keys[0], *place, snapshot.payload)
        payload = self._envelopes.seal(mac + snapshot.payload, PAYLOAD, *place)
        self._connection.execute(
            insert_for(self._connection, SNAPSHOT)
            .values(
                game_id=snapshot.game_id,
                version=snapshot.version,
                hash=snapshot.hash,
                payload=payload,
            )
            .on_conflict_do_update(
                index_elements=[SNAPSHOT.c.game_id, SNAPSHOT.c.version],
                set_={"hash": snapshot.hash, "payload": payload},
            )
        )
        kept = (
            select(SNAPSHOT.c.version)
            .where(SNAPSHOT.c.game_id == snapshot.game_id)
            .order_by(SNAPSHOT.c.version.desc())
            .limit(KEPT_PER_GAME)
        )
        self._connection.execute(
            SNAPSHOT.delete().where(
                SNAPSHOT.c.game_id == snapshot.game_id,
                SNAPSHOT.c.version.not_in(kept.scalar_subquery()),
            )
        )

    def latest(self, game_id: GameId, up_to: int | None = None) -> Snapshot | None:
        """Return the newest trusted snapshot at or before version `up_to`, if any."""
        return next(self.newest_first(game_id, up_to), None)

    def newest_first(self, game_id: GameId, up_to: int | None = None) -> Iterator[Snapshot]:
        """Return the snapshots at or before version `up_to`.

        A snapshot of another history, one that does not open and one with a wrong MAC are refused
        instead. One with a missing key is only skipped.
        """
        if not self._mac_keys:
            return
        query = _NEWEST if up_to is None else _NEWEST_THEN
        for version, of_hash, stored, log_hash in self._connection.execute(
            query, {"game_id": game_id, "up_to": up_to}
        ).all():
            payload = None
            try:
                if of_hash == log_hash:
                    payload = self._proven(stored, game_id, version, of_hash)
            except KeyMissingError:
                continue
            except StoreError:
                pass
            snapshot = Snapshot(game_id, version, of_hash, payload or b"", stored)
            if payload is None:
                self.refuse(snapshot)
            else:
                yield snapshot

    def _proven(self, stored: str, game_id: GameId, version: int, event_hash: str) -> bytes | None:
        place = (game_id, version, event_hash)
        opened = self._envelopes.open(stored, PAYLOAD, *place)
        mac, payload = opened[:_MAC_BYTES], opened[_MAC_BYTES:]
        if any(hmac.compare_digest(mac, _mac(key, *place, payload)) for key in self._mac_keys):
            return payload
        return None

    def refuse(self, snapshot: Snapshot) -> None:
        """Note that a snapshot in the database must not be trusted."""
        found = Refused(snapshot.game_id, snapshot.version, snapshot.stored)
        if found in self._refused:
            return
        self._refused.add(found)
        log.warning(
            "a snapshot is not what was kept; the log is read instead",
            action="snapshot_refused",
            game=snapshot.game_id,
            version=snapshot.version,
        )

    def drop(self, refused: Refused) -> bool:
        """Delete a snapshot that has not been replaced; False if it was gone."""
        dropped = self._connection.execute(
            SNAPSHOT.delete().where(
                SNAPSHOT.c.game_id == refused.game_id,
                SNAPSHOT.c.version == refused.version,
                SNAPSHOT.c.payload == refused.stored,
            )
        )
        return bool(dropped.rowcount)

    def delete(self, games: Collection[str]) -> None:
        """Drop the snapshots of games."""
        self._connection.execute(SNAPSHOT.delete().where(SNAPSHOT.c.game_id.in_(games)))

    def delete_all(self) -> None:
        """Drop the whole cache."""
        self._connection.execute(SNAPSHOT.delete())


def _mac(key: bytes, game_id: GameId, version: int, event_hash: str, payload: bytes) -> bytes:
    place = f"{game_id}\n{version}\n{event_hash}\n".encode()
    return hmac.digest(key, _MAC_PREFIX + place + payload, "sha256")

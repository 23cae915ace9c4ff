"""Saved folds of streams: a cache. Deleting all of them changes nothing but the time it takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, select

from pbem.domain.log import GameId
from pbem.errors import StoreError
from pbem.store.envelope import Envelopes
from pbem.store.rows import EVENT, SNAPSHOT
from pbem.store.texts import insert_for

KEPT_PER_GAME = 2
PAYLOAD = "snapshot.payload"
_LATEST = (
    select(SNAPSHOT.c.version, SNAPSHOT.c.hash, SNAPSHOT.c.payload)
    .join(
        EVENT,
        (EVENT.c.game_id == SNAPSHOT.c.game_id)
        & (EVENT.c.version == SNAPSHOT.c.version)
        & (EVENT.c.hash == SNAPSHOT.c.hash),
    )
    .where(SNAPSHOT.c.game_id == bindparam("game_id"))
    .order_by(SNAPSHOT.c.version.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The fold of a stream up to `version`, whose event has `hash`; `payload` is the owner's."""

    game_id: GameId
    version: int
    hash: str
    payload: bytes = field(repr=False)


class Snapshots:
    """The snapshots, on the connection of one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        self._connection = connection
        self._envelopes = envelopes

    def put(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, instead of one at the same version; drop all but the newest few."""
        payload = self._envelopes.seal(
            snapshot.payload, PAYLOAD, snapshot.game_id, snapshot.version, snapshot.hash
        )
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
        """Give the newest snapshot at or before version `up_to`.

        One whose hash is not that of the log's event at its version is of another history and is
        not given; nor is one that does not open.
        """
        query = _LATEST if up_to is None else _LATEST.where(SNAPSHOT.c.version <= up_to)
        row = self._connection.execute(query, {"game_id": game_id}).one_or_none()
        if row is None:
            return None
        version, event_hash, sealed = row
        try:
            payload = self._envelopes.open(sealed, PAYLOAD, game_id, version, event_hash)
        except StoreError:
            return None  # a cache: the log is the truth
        return Snapshot(game_id, version, event_hash, payload)

    def delete_all(self) -> None:
        """Drop the whole cache."""
        self._connection.execute(SNAPSHOT.delete())

"""The event log: append to and read streams, with optimistic locking.

`EventRow` and `EventSecretRow` declare the rows. `recorded`, which loads games, reads plain tuples
instead, because creating a row instance for each event would take half as long again.
`pbem.domain.log.chain` computes and checks hashes and commitments. `codec` converts typed events.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Insert, bindparam, select
from sqlalchemy.exc import IntegrityError

from engine.canonical import canonical_json
from pbem.domain.log.chain import (
    GENESIS,
    HIDDEN,
    NOTHING,
    GameId,
    NewEvent,
    Secret,
    StoredEvent,
    Written,
    chain,
    check_event,
    format_time,
    parse_time,
    written_commitment,
    written_hash,
)
from pbem.domain.log.events import MAY_NEVER_OPEN, Recorded, opens
from pbem.domain.log.league_events import LEAGUE
from pbem.errors import (
    LogError,
    StoreError,
    UnknownStreamError,
    UpcastError,
    VersionConflictError,
)
from pbem.store.log import codec
from pbem.store.rows.core import EVENT, EVENT_SECRET, HEAD, IMPORTED, EventRow, EventSecretRow
from pbem.store.rows.texts import dump, insert_for, insert_in, load_object
from pbem.store.seal.binding import is_authentic, sign_row
from pbem.store.seal.envelope import Envelopes, SealedTables

_SHARED = tuple(column.name for column in EVENT.c if column.name not in ("position", "public"))
"""Columns that `EventRow` and `StoredEvent` have in common."""
_OF_GAME = EVENT.c.game_id == bindparam("game")
_PART = (_OF_GAME, EVENT.c.version > bindparam("after"), EVENT.c.version <= bindparam("up_to"))
OF_A_LEAGUE = EVENT.c.game_id.startswith(LEAGUE)
_LAST = 2**31 - 1
"""A version higher than that of any event."""

_HEAD = (
    select(EVENT.c.version, EVENT.c.hash)
    .where(_OF_GAME, EVENT.c.version <= bindparam("up_to"))
    .order_by(EVENT.c.version.desc())
    .limit(1)
)
_PUBLIC_HEAD = _HEAD.where(EVENT.c.type != HIDDEN)
_SEALED_HEAD = (
    select(
        EVENT.c.game_id,
        EVENT.c.version.label("last_version"),
        EVENT.c.hash.label("last_hash"),
        EVENT.c.recorded_at,
        EVENT.c.type,
        HEAD.c.version,
        HEAD.c.hash,
        HEAD.c.bound,
        HEAD.c.erased,
    )
    .select_from(EVENT.outerjoin(HEAD, HEAD.c.game_id == EVENT.c.game_id))
    .where(_OF_GAME)
    .order_by(EVENT.c.version.desc())
    .limit(1)
)
_OF_CAUSE = select(EVENT.c.version).where(*_PART, EVENT.c.cause == bindparam("cause")).limit(1)
_LATEST = (
    select(EVENT.c.recorded_at, EVENT.c.type)
    .where(_OF_GAME)
    .order_by(EVENT.c.version.desc())
    .limit(1)
)
_LATEST_EXACT = _LATEST.where(EVENT.c.type != HIDDEN)
_PUBLIC = select(EventRow).where(*_PART).order_by(EVENT.c.version)
_OF_EVENT = (EVENT_SECRET.c.game_id == EVENT.c.game_id) & (
    EVENT_SECRET.c.version == EVENT.c.version
)
_FULL = (
    select(EVENT, EVENT_SECRET.c.salt, EVENT_SECRET.c.payload)
    .select_from(EVENT.outerjoin(EVENT_SECRET, _OF_EVENT))
    .where(*_PART)
    .order_by(EVENT.c.version)
)
_FOLLOWED = (
    select(
        EVENT.c.version,
        EVENT.c.type,
        EVENT.c.schema_version,
        EVENT.c.recorded_at,
        EVENT.c.actor,
        EVENT.c.cause,
        EVENT.c.public,
        EVENT.c.secret_commitment,
        EVENT.c.hash,
        EVENT_SECRET.c.salt,
        EVENT_SECRET.c.payload,
    )
    .select_from(EVENT.outerjoin(EVENT_SECRET, _OF_EVENT))
    .where(*_PART)
    .order_by(EVENT.c.version)
)
"""The query of `recorded`. It omits columns that can be derived from the preceding event."""
_TYPES = (
    select(EVENT.c.type)
    .where(*_PART, EVENT.c.type.in_(bindparam("types", expanding=True)))
    .distinct()
)
_OF_TYPES = _FULL.where(EVENT.c.type.in_(bindparam("types", expanding=True)))


SALT_BYTES = 32
SALT = "event_secret.salt"
"""Encryption context of salts. With the salt, a short secret could be guessed from its commitment.

Salt and payload share one envelope, salt first. Rows without a payload and rows written by 1.0 keep
the salt in a separate envelope.
"""
PAYLOAD = "event_secret.payload"
PADDED_TO = 512
"""Pad the payloads of `Hidden` events to a multiple of this number of bytes.

Otherwise their length would reveal whether an event is a choice, a standing order or a short
message.
"""


@cache
def _end(dialect: str) -> Insert:
    insert = insert_in(dialect, HEAD)
    new = {name: insert.excluded[name] for name in ("version", "hash", "bound")}
    return insert.on_conflict_do_update(index_elements=[HEAD.c.game_id], set_=new)


class _End(NamedTuple):
    """The last event of a stream, as read or written by this unit of work.

    If another process has appended to the stream (PostgreSQL only), the database rejects our next
    event.
    """

    version: int
    hash: str
    recorded_at: str
    type: str


class EventStore(SealedTables):
    """Access to the event streams within one unit of work."""

    def __init__(self, connection: Connection, envelopes: Envelopes) -> None:
        super().__init__(connection, envelopes)
        self._ends: dict[GameId, _End] = {}
        self._erased: dict[GameId, int] = {}

    def append(
        self,
        game_id: GameId,
        expected_version: int,
        events: Sequence[NewEvent],
        recorded_at: datetime,
    ) -> list[StoredEvent]:
        """Append events to a stream that is at `expected_version` (0 for a new stream).

        Times in a log never decrease: if the clock was set back, an event gets the time of its
        predecessor. On PostgreSQL a conflict aborts the transaction, so the caller must load and
        decide again in a new unit of work.

        Raises:
            VersionConflictError: another worker appended first.
        """
        end = self._ends.get(game_id)
        head = (self.head(game_id) or (0, GENESIS)) if end is None else (end.version, end.hash)
        if head[0] != expected_version:
            raise VersionConflictError(
                f"game {game_id} is at version {head[0]}, not {expected_version}"
            )
        if not events:
            return []
        time = format_time(self.instant(game_id, recorded_at))
        stored = chain(game_id, head, events, time)
        self._insert(stored)
        return stored

    def instant(self, game_id: GameId, now: datetime) -> datetime:
        """Return the time to record with new events: `now`, but not before the last event."""
        return max([now, *map(parse_time, self._latest(game_id))])

    def _latest(self, game_id: GameId) -> list[str]:
        """Return the time of the last event and, if it is `Hidden`, also of the last public event.

        The time of a `Hidden` event is recorded as a date only.
        """
        end = self._ends.get(game_id)
        if end is not None and end.type != HIDDEN:
            return [end.recorded_at]
        rows = [*self._connection.execute(_LATEST, {"game": game_id})]
        if rows and rows[0].type == HIDDEN:
            rows += self._connection.execute(_LATEST_EXACT, {"game": game_id})
        return [row.recorded_at for row in rows]

    def adopt(self, events: Sequence[StoredEvent]) -> None:
        """Append verified events that already have hashes, such as those of an imported log.

        Raises:
            VersionConflictError: the first event does not follow the stored ones.
        """
        first = events[0]
        head = self.head(first.game_id) or (0, GENESIS)
        if head != (first.version - 1, first.prev_hash):
            raise VersionConflictError(f"game {first.game_id}: a different log of it exists here")
        self._insert(events)

    def _insert(self, events: Sequence[StoredEvent]) -> None:
        first = events[0]
        try:
            self._connection.execute(EVENT.insert(), [_columns(event) for event in events])
        except IntegrityError as error:
            raise VersionConflictError(
                f"game {first.game_id}: version {first.version} was appended by another process"
            ) from error
        secrets = [
            self._secret_row(event, event.secret).columns()
            for event in events
            if event.secret is not None
        ]
        if secrets:
            self._connection.execute(EVENT_SECRET.insert(), secrets)
        last = events[-1]
        row = {"game_id": last.game_id, "version": last.version, "hash": last.hash}
        row["bound"] = sign_row(self._envelopes, HEAD, row)
        self._connection.execute(_end(self._connection.dialect.name), row)
        self._ends[last.game_id] = _End(last.version, last.hash, last.recorded_at, last.type)

    def read_types(
        self, game_id: GameId, types: Collection[str], after: int = 0, up_to: int | None = None
    ) -> list[StoredEvent]:
        """Read the events of the given types. Return an empty list if there are none."""
        given = _part_params(game_id, after, up_to) | {"types": list(types)}
        rows = self._connection.execute(_OF_TYPES, given)
        return [self._written_event(row._asdict())[0] for row in rows]

    def types_of(self, game_id: GameId, types: Collection[str], up_to: int) -> set[str]:
        """Return which of the given event types occur in a stream up to a version."""
        given = _part_params(game_id, 0, up_to) | {"types": list(types)}
        return {*self._connection.execute(_TYPES, given).scalars()}

    def read(self, game_id: GameId, after: int = 0, up_to: int | None = None) -> list[StoredEvent]:
        """Read the events with `after` < version <= `up_to` (None: to the end), with secrets.

        Raises:
            UnknownStreamError: the stream has no events.
            UpcastError: an event cannot be read. The message names its version.
        """
        return [event for event, _ in self.read_written(game_id, after, up_to)]

    def read_written(
        self, game_id: GameId, after: int = 0, up_to: int | None = None
    ) -> Iterator[tuple[StoredEvent, Written]]:
        """Iterate over events and their stored bytes, like `read`, decoding one event at a time."""
        rows = self._connection.execute(_FULL, _part_params(game_id, after, up_to)).all()
        if not rows and self.head(game_id) is None:
            raise UnknownStreamError(f"there is no game {game_id}")
        return (self._written_event(row._asdict()) for row in rows)

    def recorded(
        self, game_id: GameId, head: tuple[int, str] = NOTHING, up_to: int | None = None
    ) -> list[Recorded]:
        """Read the typed events that follow `head`, verifying version, chain, hash and commitment.

        Raises: LogError if the log was altered, and the same errors as `read`.
        """
        rows = self._connection.execute(_FOLLOWED, _part_params(game_id, head[0], up_to)).all()
        if not rows and self.head(game_id) is None:
            raise UnknownStreamError(f"there is no game {game_id}")
        secrets = self._envelopes.opener(PAYLOAD, game_id)
        result = []
        for row in rows:
            item = _at_once(game_id, row, head, secrets)
            if item is None:
                columns = row._asdict() | {"game_id": game_id, "prev_hash": head[1]}
                event, written = self._written_event(columns)
                check_event(event, game_id, head, written)
                item = codec.decode(event)
            head = (item.version, item.hash)
            result.append(item)
        return result

    def read_public(self, game_id: GameId) -> list[StoredEvent]:
        """Read a stream without its secrets, as in a redacted log.

        Raises the same errors as `read`.
        """
        rows = self._read(_PUBLIC, _part_params(game_id, 0, None))
        events = [_public_event(row, None) for row in rows]
        if not events:
            raise UnknownStreamError(f"there is no game {game_id}")
        return events

    def head(self, game_id: GameId, up_to: int = _LAST) -> tuple[int, str] | None:
        """Return version and hash of the last event up to `up_to`, or None."""
        row = self._connection.execute(_HEAD, {"game": game_id, "up_to": up_to}).one_or_none()
        return None if row is None else (row[0], row[1])

    def public_head(self, game_id: GameId, up_to: int) -> tuple[int, str]:
        """Return version and hash of the last event up to `up_to` that is not `Hidden`."""
        given = {"game": game_id, "up_to": up_to}
        version, event_hash = self._connection.execute(_PUBLIC_HEAD, given).one()
        return version, event_hash

    def has_cause(self, game_id: GameId, cause: str, after: int) -> bool:
        """True if a cause, such as a message ID, led to events after a version."""
        end = self._ends.get(game_id)
        if end is not None and end.version <= after:
            return False
        given = {"game": game_id, "cause": cause, "after": after, "up_to": _LAST}
        row = self._connection.execute(_OF_CAUSE, given)
        return row.first() is not None

    def sealed_head(self, game_id: GameId) -> tuple[int, str]:
        """Return version and hash of the last event after verifying the signed head.

        Public events have no secret, so anyone with write access to the database could add one with
        a valid hash. The head of each log is therefore signed with a key (docs/keys.md).

        Raises:
            UnknownStreamError: there is no such stream.
            LogError: another program added or removed the last event.
        """
        end = self._ends.get(game_id)
        if end is not None and game_id in self._erased:
            return end.version, end.hash
        row = self._connection.execute(_SEALED_HEAD, {"game": game_id}).mappings().one_or_none()
        if row is None:
            raise UnknownStreamError(f"there is no game {game_id}")
        version, newest = row["last_version"], row["last_hash"]
        if (row["version"], row["hash"]) != (version, newest) or not is_authentic(
            self._envelopes, HEAD, row
        ):
            raise LogError(
                f"the log does not end where it ended: event {version} is not the last one that this"
                " program wrote",
                version=version,
            )
        self._ends[game_id] = _End(version, newest, row["recorded_at"], row["type"])
        self._erased[game_id] = row["erased"]
        return version, newest

    def erased(self, game_id: GameId) -> int:
        """Return the number of erased texts in a log. Requires an earlier call of `sealed_head`."""
        return self._erased[game_id]

    def leagues(self) -> list[GameId]:
        """Return the IDs of all league streams, in ascending order."""
        query = select(EVENT.c.game_id).where(EVENT.c.version == 1, OF_A_LEAGUE)
        return [GameId(scalar) for scalar in sorted(self._connection.execute(query).scalars())]

    def games(self) -> Iterator[GameId]:
        """Iterate over the IDs of all game streams in ascending order, reading them in pages."""
        last = ""
        while True:
            page = (
                self._connection.execute(
                    select(EVENT.c.game_id)
                    .where(EVENT.c.version == 1, EVENT.c.game_id > last, ~OF_A_LEAGUE)
                    .order_by(EVENT.c.game_id)
                    .limit(500)
                )
                .scalars()
                .all()
            )
            if not page:
                return
            yield from (GameId(game_id) for game_id in page)
            last = page[-1]

    def committed_to(self, commitment: str) -> GameId | None:
        """Return the game whose first event contains this commitment. Scans all first events."""
        query = select(EVENT.c.game_id).where(
            EVENT.c.version == 1, EVENT.c.public.contains(dump(commitment), autoescape=True)
        )
        version: str | None = self._connection.execute(query.limit(1)).scalar_one_or_none()
        return None if version is None else GameId(version)

    def note_import(self, game_id: GameId, at: datetime, *, is_rated: bool) -> None:
        """Record that a game was imported, and whether it counts in our standings."""
        row = {"game_id": game_id, "imported_at": at, "is_rated": is_rated}
        insert = insert_for(self._connection, IMPORTED).values(row)
        self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[IMPORTED.c.game_id], set_={"is_rated": is_rated}
            )
        )

    def is_rated(self, game_id: GameId) -> bool:
        """True if a game counts in standings: it was played here, or an admin allowed it."""
        stated = self._connection.execute(
            select(IMPORTED.c.is_rated).where(IMPORTED.c.game_id == game_id)
        ).scalar_one_or_none()
        return stated is not False

    def unrated(self) -> frozenset[str]:
        """Return the IDs of imported games that do not count in standings."""
        query = select(IMPORTED.c.game_id).where(~IMPORTED.c.is_rated)
        return frozenset(self._connection.execute(query).scalars())

    def games_with(self, event_type: str) -> list[GameId]:
        """Return the IDs of the streams that contain an event of this type. Scans all events."""
        query = select(EVENT.c.game_id).where(EVENT.c.type == event_type).distinct()
        return [GameId(game_id) for game_id in sorted(self._connection.execute(query).scalars())]

    def erase_secret(self, game_id: GameId, version: int) -> bool:
        """Erase a hidden payload that never opens. The hash chain stays valid.

        Returns:
            True if erased. False if there is no secret or it was already erased.

        Raises:
            StoreError: the secret opens at the end of the game, so replaying needs it.
        """
        events = self.read(game_id, version - 1, version)
        if not events or events[0].secret is None or events[0].secret.payload is None:
            return False
        if opens(events[0]) != "never":
            raise StoreError(
                f"the secret of event {version} of game {game_id} opens at the end of the game:"
                " it cannot be erased"
            )
        self._erase(game_id, version)
        return True

    def erase_unreadable(self, game_id: GameId) -> int:
        """Erase the payloads that never open in a game whose key is lost. Return their number.

        Without the key, secret choices cannot be distinguished from private messages, so both are
        erased.
        """
        versions = (
            select(EVENT.c.version)
            .join(
                EVENT_SECRET,
                (EVENT_SECRET.c.game_id == EVENT.c.game_id)
                & (EVENT_SECRET.c.version == EVENT.c.version),
            )
            .where(
                EVENT.c.game_id == game_id,
                EVENT.c.type.in_(MAY_NEVER_OPEN),
                EVENT_SECRET.c.payload.is_not(None),
            )
        )
        versions_found = self._connection.execute(versions).scalars().all()
        for version in versions_found:
            self._erase(game_id, version)
        return len(versions_found)

    def _erase(self, game_id: GameId, version: int) -> None:
        counted = HEAD.update().where(HEAD.c.game_id == game_id).values(erased=HEAD.c.erased + 1)
        self._connection.execute(counted)
        self._erased.pop(game_id, None)
        self._connection.execute(
            EVENT_SECRET.update()
            .where(EVENT_SECRET.c.game_id == game_id, EVENT_SECRET.c.version == version)
            .values(
                # overwrite the salt too, or short texts could be guessed from the commitment
                payload=None,
                salt=self._envelopes.seal_text("00" * SALT_BYTES, SALT, game_id, version),
            )
        )

    def _secret_row(self, event: StoredEvent, secret: Secret) -> EventSecretRow:
        key = (event.game_id, event.version)
        row = EventSecretRow(game_id=event.game_id, version=event.version, salt="")
        if secret.payload is None:
            row.salt = self._envelopes.seal_text(secret.salt.hex(), SALT, *key)
        else:
            data = secret.salt + _padded(event.type, canonical_json(secret.payload))
            row.payload = self._envelopes.seal(data, PAYLOAD, *key)
        return row

    def _written_event(self, columns: dict[str, Any]) -> tuple[StoredEvent, Written]:
        """Parse an event and decrypt its secret. Return the event and the bytes of its payloads.

        Args:
            columns: those of `event`, with `salt` and `payload` of `event_secret`. Salt is None if
                the event has no secret.
        """
        sealed_salt, sealed = columns.pop("salt"), columns.pop("payload")
        line = EventRow(**columns)
        secret = data = None
        if sealed_salt is not None:
            key = (line.game_id, line.version)
            try:
                payload = None
                salt = b""
                if sealed_salt:
                    salt = bytes.fromhex(self._envelopes.open_text(sealed_salt, SALT, *key))
                if sealed is not None:
                    data = self._envelopes.open(sealed, PAYLOAD, *key)
                    if not salt:
                        salt, data = data[:SALT_BYTES], data[SALT_BYTES:]
                    payload = load_object(data)
                    data = data.rstrip(b" ")  # remove the padding of `_padded`
                secret = Secret(salt=salt, payload=payload)
            except ValueError:
                raise UpcastError(_damaged(line, "secret")) from None
            except StoreError as error:
                raise UpcastError(f"{_damaged(line, 'secret')}: {error}") from error
        return _public_event(line, secret), Written(line.public.encode(), data)


_new_tuple = tuple.__new__
_Opener: TypeAlias = Callable[[str, int], bytes | None]


def _at_once(
    game_id: GameId, row: Sequence[Any], head: tuple[int, str], secrets: _Opener
) -> Recorded | None:
    """Decode and verify an event from its bytes. None means an uncommon format or a failed check."""
    version, kind, schema, time, actor, cause, text, commitment, own, salt, sealed = row
    before, prev = head
    if version != before + 1:
        return None
    payload = None
    try:
        if sealed is not None:
            opened = None if salt else secrets(sealed, version)
            if opened is None:
                return None
            payload = opened[SALT_BYTES:]
            if written_commitment(opened[:SALT_BYTES], payload) != commitment:
                return None
        event = codec.decode_written(kind, schema, text.encode(), payload)
        if event is None:
            return None
        frame = (game_id, version, kind, schema, time, actor, cause, commitment, prev)
        if written_hash(frame, text) != own:
            return None
        recorded: Recorded = _new_tuple(
            Recorded, (version, parse_time(time), actor, cause, own, event)
        )
        return recorded
    except ValueError:
        return None


def _padded(event_type: str, data: bytes) -> bytes:
    return data + b" " * (-len(data) % PADDED_TO) if event_type == HIDDEN else data


def _part_params(game_id: GameId, after: int, up_to: int | None) -> dict[str, object]:
    """Return the parameters of `_PART`: after < version <= up_to (None: to the end)."""
    return {"game": game_id, "after": after, "up_to": _LAST if up_to is None else up_to}


def _columns(event: StoredEvent) -> dict[str, object]:
    """Return an event's column values, without creating a row instance, which would be slower."""
    return {name: getattr(event, name) for name in _SHARED} | {"public": dump(event.public)}


def _public_event(line: EventRow, secret: Secret | None) -> StoredEvent:
    try:
        public = load_object(line.public)
    except ValueError:
        raise UpcastError(_damaged(line, "public payload")) from None
    columns = {name: getattr(line, name) for name in _SHARED}
    return StoredEvent(**columns, public=public, secret=secret)


def _damaged(line: EventRow, what: str) -> str:
    return f"event {line.version} of game {line.game_id}: its {what} cannot be read"

"""The log format to the byte: hash chain and commitments (docs/dev/log-format.md).

The hashed bytes must never change, because existing logs must verify. Salts and times come from the
caller.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple, NewType, TypeAlias

from engine.api import JsonObject
from engine.canonical import canonical_json, quoted
from pbem.errors import LogError

GameId = NewType("GameId", str)
"""Random, 10 base32 characters in lower case. A stream may be moved to another installation."""

EVENT_PREFIX = b"pbem-event-v1\n"
SECRET_PREFIX = b"pbem-secret-v1\n"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
HIDDEN = "Hidden"
"""Type of events whose occurrence is private. In the log they have a date, but no time."""
GENESIS = "0" * 64
"""`prev_hash` of version 1."""


class Head(NamedTuple):
    """The end of a log: version and hash of the last event. Version 0 if there is none."""

    version: int = 0
    hash: str = GENESIS


NOTHING = Head()

HASHED_FIELDS = (
    "game_id",
    "version",
    "type",
    "schema_version",
    "recorded_at",
    "actor",
    "cause",
    "public",
    "secret_commitment",
    "prev_hash",
)


def hidden(opens: str) -> Any:  # noqa: ANN401  (stands for a dataclass field, as `field` does)
    """Declare a dataclass field as part of the event's secret. `opens` is `game_end` or `never`."""
    return field(repr=False, metadata={"opens": opens})


@dataclass(frozen=True, slots=True)
class OneOf:
    """Constraint of a text field to some words, as in `Annotated[str, OneOf(("a", "b"))]`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Secret:
    """The hidden part of an event.

    Attributes:
        salt: 32 random bytes.
        payload: JSON object, or None once it is erased, or redacted in an export.
    """

    salt: bytes = field(repr=False)
    payload: JsonObject | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event in the log.

    Attributes:
        recorded_at: text, as hashed: RFC 3339, UTC, six decimals, `Z`. For a `Hidden` event it is
            the start of the day. Its secret contains the time as `at`.
    """

    game_id: GameId
    version: int
    type: str
    schema_version: int
    recorded_at: str
    actor: str
    cause: str | None
    public: JsonObject
    secret_commitment: str | None
    prev_hash: str
    hash: str
    secret: Secret | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that has not been added to the log. Its payload is split but not hashed yet."""

    type: str
    schema_version: int
    actor: str
    cause: str | None
    public: JsonObject
    secret: Secret | None = None


def format_time(moment: datetime) -> str:
    """Format an aware datetime as in the log: `2026-11-21T06:33:49.000000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


@lru_cache(maxsize=4096)  # events that were recorded together have the same time
def parse_time(text: str) -> datetime:
    """Parse the output of `format_time`. Raises: ValueError."""
    if _TIME.fullmatch(text) is None:
        raise ValueError("no instant of the log's form")
    return datetime.fromisoformat(text)


def day_of(recorded_at: str) -> str:
    """Return the start of the day of a timestamp, as recorded for `Hidden` events."""
    return f"{recorded_at[:10]}T00:00:00.000000Z"


class Written(NamedTuple):
    """The stored bytes of an event's payloads. If they are not canonical, the hash check fails."""

    public: bytes
    payload: bytes | None


def secret_commitment(secret: Secret, payload: bytes | None = None) -> str:
    """Return the commitment of a secret: the hex SHA-256 of prefix, salt and canonical payload."""
    if secret.payload is None:
        raise LogError("a secret without payload has no commitment to compute")
    payload = canonical_json(secret.payload) if payload is None else payload
    return written_commitment(secret.salt, payload)


def written_commitment(salt: bytes, payload: bytes) -> str:
    """Compute `secret_commitment` for a payload that is already serialized."""
    return hashlib.sha256(SECRET_PREFIX + salt + payload).hexdigest()


Frame: TypeAlias = tuple[str, int, str, int, str, str, str | None, str | None, str]
"""The hashed fields of an event besides its public payload: `HASHED_FIELDS` in order."""


def event_hash(event: StoredEvent) -> str:
    """Return the hash of an event: the hex SHA-256 of prefix and canonical JSON of `HASHED_FIELDS`."""
    return written_hash(_frame(event), canonical_json(event.public).decode())


def _frame(event: StoredEvent) -> Frame:
    return (
        event.game_id,
        event.version,
        event.type,
        event.schema_version,
        event.recorded_at,
        event.actor,
        event.cause,
        event.secret_commitment,
        event.prev_hash,
    )


def written_hash(frame: Frame, public: str) -> str:
    """Compute `event_hash` for a public payload that is already serialized."""
    game_id, version, kind, schema_version, at, actor, cause, commitment, prev_hash = frame
    # The canonical JSON, assembled from its parts. Twice as fast.
    body = (
        f'{{"actor":{quoted(actor)},"cause":{"null" if cause is None else quoted(cause)}'
        f',"game_id":{quoted(game_id)},"prev_hash":{quoted(prev_hash)},"public":{public}'
        f',"recorded_at":{quoted(at)},"schema_version":{schema_version}'
        f',"secret_commitment":{"null" if commitment is None else quoted(commitment)}'
        f',"type":{quoted(kind)},"version":{version}}}'
    )
    return hashlib.sha256(EVENT_PREFIX + body.encode()).hexdigest()


def chain(
    game_id: GameId,
    head: tuple[int, str],
    events: Iterable[NewEvent],
    recorded_at: str,
) -> list[StoredEvent]:
    """Assign versions and hashes to new events that follow `head`.

    `head` is the version and hash of the last event, or (0, GENESIS) for a new stream.
    """
    version, prev_hash = head
    chained = []
    for event in events:
        version += 1
        linked = StoredEvent(
            game_id=game_id,
            version=version,
            type=event.type,
            schema_version=event.schema_version,
            recorded_at=day_of(recorded_at) if event.type == HIDDEN else recorded_at,
            actor=event.actor,
            cause=event.cause,
            public=event.public,
            secret_commitment=None if event.secret is None else secret_commitment(event.secret),
            prev_hash=prev_hash,
            hash="",
            secret=event.secret,
        )
        linked = replace(linked, hash=event_hash(linked))
        chained.append(linked)
        prev_hash = linked.hash
    return chained


def check_chain(
    events: Iterable[StoredEvent], game_id: GameId, head: tuple[int, str] = (0, GENESIS)
) -> None:
    """Verify number, chain, hash and commitment of events that follow `head`.

    Raises: LogError.
    """
    version, prev_hash = head
    for event in events:
        check_event(event, game_id, Head(version, prev_hash))
        version, prev_hash = event.version, event.hash


def checked(
    events: Iterable[tuple[StoredEvent, Written]],
    game_id: GameId,
    head: tuple[int, str] = (0, GENESIS),
) -> Iterator[StoredEvent]:
    """Yield the events of a store, each verified like `check_chain`, using the stored bytes.

    Raises: LogError.
    """
    version, prev_hash = head
    for event, written in events:
        check_event(event, game_id, Head(version, prev_hash), written)
        yield event
        version, prev_hash = event.version, event.hash


def check_event(
    event: StoredEvent, game_id: GameId, head: tuple[int, str], written: Written | None = None
) -> None:
    """Verify one event that follows `head`, using its bytes if given. Raises: LogError."""
    version, prev_hash = head
    public, payload = (canonical_json(event.public), None) if written is None else written
    expected_version = version + 1
    if event.version != expected_version:
        raise LogError(
            f"event {expected_version} is missing: {event.version} stands in its place",
            version=expected_version,
        )
    if event.game_id != game_id:
        raise LogError(f"event {event.version} belongs to another game", version=event.version)
    if event.prev_hash != prev_hash:
        raise LogError(
            f"event {event.version} does not follow event {event.version - 1}: prev_hash differs",
            version=event.version,
        )
    if written_hash(_frame(event), public.decode()) != event.hash:
        raise LogError(
            f"event {event.version} was changed: its hash differs", version=event.version
        )
    if event.secret is None or event.secret.payload is None:
        return  # redacted or erased: only the commitment is left
    if secret_commitment(event.secret, payload) != event.secret_commitment:
        raise LogError(
            f"the secret of event {event.version} is not the one that was committed to",
            version=event.version,
        )

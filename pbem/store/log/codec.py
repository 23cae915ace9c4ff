"""Convert typed events to log payloads and back, validating in both directions.

Encoding splits the fields of an event: public fields go into `public`, and fields marked `hidden`
into the secret. Tuples become lists, and datetimes use the log's text form. Decoding upgrades old
payloads step by step with the upcasters. Then msgspec builds the event and rejects data that does
not match its fields exactly. The hash chain proves that the log is unchanged, but not that its
payloads match our schema.

Errors name the game, version, type and field, but never a value, because payloads contain hidden
cards.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from engine.api import JsonObject, JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import NewEvent, Secret, StoredEvent, day_of, format_time, parse_time
from pbem.domain.log.events import (
    EVENT_TYPES,
    SCHEMA_VERSIONS,
    Event,
    Hidden,
    Recorded,
    closed_words,
    secret_fields,
)
from pbem.errors import NewerLogError, UpcastError

Upcaster: TypeAlias = Callable[
    [JsonObject, JsonObject | None], tuple[JsonObject, JsonObject | None]
]
"""Convert `(public, secret)` to the next schema version.

The secret is None if it was erased, redacted or never existed. The arguments are copies and may be
changed.
"""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""Upcasters by event type and source schema version. Stored rows are never rewritten."""

SALT_BYTES = 32
_INVALID_WORD = re.compile(r"Invalid enum value '.*'", re.DOTALL)
"""Start of msgspec's message about an invalid enum value. The message could quote a forged log."""


class _Part(NamedTuple):
    """The public or the hidden fields of an event type as a msgspec struct.

    Attributes:
        type: the struct. Datetimes are strings in it.
        read: parses JSON into the struct.
    """

    type: type[msgspec.Struct]
    read: Callable[[bytes], msgspec.Struct]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Rules for serializing one event type.

    Attributes:
        names: names of the public fields, then of the hidden fields. Field values are listed in
            this order.
        hidden: names of the hidden fields.
        opens: when the secret is revealed, or None without hidden fields.
        instants: indexes of the datetime fields.
        lists: indexes of the fields that contain a tuple of datetimes.
        blanks: placeholder for each hidden field that cannot be read.
        unwritten: defaults of fields that were added later, by index. Logs omit a field with its
            default value.
        is_in_order: True if the event type declares its fields in the order of `names`.
    """

    event_type: type[Event]
    public: _Part
    secret: _Part
    names: tuple[str, ...]
    hidden: frozenset[str]
    opens: str | None
    instants: tuple[int, ...]
    lists: tuple[int, ...]
    blanks: JsonObject
    unwritten: Mapping[int, JsonValue]
    is_in_order: bool


def encode(decided: Recorded) -> NewEvent:
    """Serialize an event that was decided, with its actor and cause, for the log.

    Raises:
        UpcastError: a field has a value that the log cannot store, which is a bug in the caller.
    """
    event = decided.event
    type_name = type(event).__name__
    shape = _shape(type(event))
    public: JsonObject = {}
    hidden: JsonObject = {}
    for f in fields(event):
        if getattr(event, f.name) == f.default:
            continue  # added in a later version and left at its default: omitted, so that old logs stay valid
        value = _to_json(getattr(event, f.name))
        (hidden if f.name in shape.hidden else public)[f.name] = value
    try:
        canonical_json([public, hidden])
    except (TypeError, ValueError) as error:
        raise UpcastError(
            f"a new {type_name}: no canonical JSON ({type(error).__name__})"
        ) from None
    try:
        _build_event(shape, public, hidden)
    except ValueError as error:
        raise UpcastError(f"a new {type_name} does not fit: {error}") from None
    secret = None
    if shape.hidden:
        secret = Secret(salt=secrets.token_bytes(SALT_BYTES), payload=hidden)
    return NewEvent(
        type=type_name,
        schema_version=SCHEMA_VERSIONS.get(type_name, 1),
        actor=decided.actor,
        cause=decided.cause,
        public=public,
        secret=secret,
    )


def decode(
    event: StoredEvent,
    *,
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
    redacted: bool = False,
    types: Mapping[str, type[Any]] = EVENT_TYPES,
) -> Recorded:
    """Convert a stored event into a typed one.

    The hidden fields are blank if a secret that never opens was erased, and likewise if the secret
    of a `Hidden` event is missing. Any other missing `game_end` secret is an error unless
    `redacted` is set.

    Args:
        event: the event as stored.
        upcasters: conversions from older payloads to the current schema.
        redacted: True to fill missing hidden fields with blanks (empty text, 0, empty list).
        types: the event classes by name, of games or of leagues.

    Raises:
        UpcastError: the payload is damaged or redacted.
        NewerLogError: the type is unknown, or the schema newer than this program.
    """
    known = types.get(event.type)
    if known is None:
        raise NewerLogError(
            f"{_where(event)}: this program knows no such type; a newer pbem wrote it"
        )
    typed = _read(event, _shape(known), upcasters, redacted=redacted)
    hidden_at = typed.at if isinstance(typed, Hidden) else ""
    try:
        recorded_at = parse_time(hidden_at or event.recorded_at)
    except ValueError:
        raise UpcastError(f"{_where(event)}: recorded_at is no instant of the log's form") from None
    if hidden_at and event.recorded_at != day_of(hidden_at):
        raise UpcastError(f"{_where(event)}: recorded_at is not the day of its instant")
    return Recorded(event.version, recorded_at, event.actor, event.cause, event.hash, typed)


def decode_written(
    kind: str, schema_version: int, public: bytes, payload: bytes | None
) -> Event | None:
    """Build an event directly from its stored bytes, or return None to fall back to `decode`.

    `Hidden` events always need `decode`, because their time is part of the secret.
    """
    event_type = EVENT_TYPES.get(kind)
    if event_type in (None, Hidden) or schema_version != SCHEMA_VERSIONS[kind]:
        return None
    shape = _shape(event_type)
    if (payload is None) is not (shape.opens is None):
        return None
    try:
        values = [*astuple(shape.public.read(public))]
        if payload is not None:
            values += astuple(shape.secret.read(payload))
        return _filled(shape, values)
    except (msgspec.DecodeError, ValueError):
        return None


def _where(event: StoredEvent) -> str:
    """Describe an event for an error message without quoting text of a forged log."""
    kind = f" ({event.type})" if event.type in SCHEMA_VERSIONS else ""
    return f"event {event.version} of game {event.game_id}{kind}"


def _read(
    event: StoredEvent,
    shape: _Shape,
    upcasters: Mapping[tuple[str, int], Upcaster],
    *,
    redacted: bool,
) -> Event:
    public = event.public
    hidden = None if event.secret is None else event.secret.payload
    if event.schema_version != SCHEMA_VERSIONS.get(event.type, 1):
        public, hidden = _upcast(event, upcasters)
    if hidden is None:
        if shape.opens == "game_end" and shape.event_type is not Hidden and not redacted:
            raise UpcastError(f"{_where(event)}: its hidden part is not here, the log is redacted")
        hidden = shape.blanks
    try:
        return _build_event(shape, public, hidden)
    except ValueError as error:
        raise UpcastError(f"{_where(event)}: invalid payload: {error}") from None


def _upcast(
    event: StoredEvent, upcasters: Mapping[tuple[str, int], Upcaster]
) -> tuple[JsonObject, JsonObject | None]:
    newest = SCHEMA_VERSIONS.get(event.type, 1)
    if event.schema_version > newest:
        raise NewerLogError(
            f"{_where(event)}: schema version {event.schema_version} is newer than this program's"
            f" {newest}; a newer pbem wrote it"
        )
    public, payload = dict(event.public), None if event.secret is None else event.secret.payload
    hidden = None if payload is None else dict(payload)
    for version in range(event.schema_version, newest):
        step = upcasters.get((event.type, version))
        if step is None:
            raise UpcastError(f"{_where(event)}: no upcaster from schema version {version}")
        try:
            public, hidden = step(public, hidden)
        except (LookupError, TypeError, ValueError) as error:
            raise UpcastError(
                f"{_where(event)}: the upcaster from schema version {version} failed"
                f" ({type(error).__name__})"
            ) from None
    return public, hidden


def _build_event(shape: _Shape, public: JsonObject, hidden: JsonObject) -> Event:
    """Build an event from its public and hidden fields. Raises: ValueError, which names the field."""
    parts = (shape.public, public), (shape.secret, hidden)
    values: list[Any] = []
    for part, payload in parts:
        if not payload.keys() <= set(part.type.__struct_fields__):
            # msgspec's error would quote a field name from a forged log
            raise ValueError("a field that the type does not have")
        try:
            values += astuple(msgspec.convert(payload, part.type))
        except msgspec.ValidationError as error:
            raise ValueError(_INVALID_WORD.sub("invalid value", str(error))) from None
    return _filled(shape, values)


def _filled(shape: _Shape, values: list[Any]) -> Event:
    """Build an event from its field values. Raises: ValueError, which names the field."""
    index = 0
    try:
        for index in shape.instants:
            values[index] = parse_time(values[index])
        for index in shape.lists:
            values[index] = tuple([parse_time(text) for text in values[index]])
    except ValueError as error:
        raise ValueError(f"{shape.names[index]}: {error}") from None
    for index, default in shape.unwritten.items():
        if values[index] is UNSET:
            values[index] = default
        elif values[index] == default:
            raise ValueError(f"{shape.names[index]} has its default value and must be omitted")
    if shape.is_in_order:  # twice as fast as keywords, and possible for most events
        return shape.event_type(*values)
    return shape.event_type(**dict(zip(shape.names, values, strict=True)))


def _to_json(value: object) -> JsonValue:
    """Convert a field value to JSON types. Validation later rejects unsupported values."""
    if isinstance(value, datetime):
        return None if value.utcoffset() is None else format_time(value)
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _to_json(item) for key, item in value.items()}
    return value  # type: ignore[return-value]  # validated by the caller


_SHAPES: dict[type[Any], _Shape] = {}


def _shape(event_type: type[Any]) -> _Shape:
    if event_type not in _SHAPES:
        _SHAPES[event_type] = _shape_of(event_type)
    return _SHAPES[event_type]


def _shape_of(event_type: type[Any]) -> _Shape:
    hidden = secret_fields(event_type)
    if len(set(hidden.values())) > 1:  # pragma: no cover  (a mistake in pbem.domain.log.events)
        raise UpcastError(f"{event_type.__name__}: hidden fields that open at different times")
    hints = get_type_hints(event_type, include_extras=True)
    unwritten = {f.name: f.default for f in fields(event_type) if f.default is not MISSING}
    names = (*(name for name in hints if name not in hidden), *hidden)
    words = closed_words(event_type)

    def part(*names: str) -> _Part:
        columns: list[Any] = []
        for name in names:
            hint = _INSTANTS.get(hints[name], hints[name])
            if name in words:
                hint = Literal[words[name]]
            is_later = name in unwritten
            columns.append((name, hint | UnsetType, UNSET) if is_later else (name, hint))
        struct = msgspec.defstruct("_Part", columns, forbid_unknown_fields=True, kw_only=True)
        return _Part(struct, msgspec.json.Decoder(struct).decode)

    return _Shape(
        event_type=event_type,
        public=part(*names[: len(names) - len(hidden)]),
        secret=part(*hidden),
        names=names,
        hidden=frozenset(hidden),
        opens=next(iter(hidden.values()), None),
        instants=tuple(i for i, name in enumerate(names) if hints[name] is datetime),
        lists=tuple(i for i, name in enumerate(names) if hints[name] == tuple[datetime, ...]),
        blanks={name: _blank(hints[name]) for name in hidden},
        unwritten={i: unwritten[name] for i, name in enumerate(names) if name in unwritten},
        is_in_order=(*hints,) == names,
    )


_INSTANTS: Mapping[Any, Any] = {datetime: str, tuple[datetime, ...]: tuple[str, ...]}
"""Map the types of datetime fields to those of their log form. msgspec alone would accept several
text forms.
"""


def _blank(hint: Any) -> JsonValue:  # noqa: ANN401  (a type annotation)
    blanks: dict[Any, JsonValue] = {str: "", int: 0, Any: None}
    return [] if get_origin(hint) is tuple else blanks[hint]

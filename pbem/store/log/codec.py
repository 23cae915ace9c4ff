"""Typed events to log payloads and back, validated in both directions.

Encoding splits the fields of an event by their `hidden` mark: public fields into `public`, hidden
ones into the secret. Tuples become lists, instants the log's text. Decoding takes old payloads
through the upcasters, step by step; msgspec then makes the event and refuses data that does not fit
its fields exactly. The chain proves that the log is unchanged, not that it is of our version.

Errors name game, version, type and field, never a value: payloads contain hidden cards.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeAlias, get_origin, get_type_hints

import msgspec

from engine.api import JsonObject, JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import NewEvent, Secret, StoredEvent, day_of, format_time, parse_time
from pbem.domain.log.events import (
    EVENT_TYPES,
    SCHEMA_VERSIONS,
    Decided,
    Event,
    Hidden,
    Recorded,
    secret_fields,
)
from pbem.errors import NewerLogError, UpcastError

Upcaster: TypeAlias = Callable[
    [JsonObject, JsonObject | None], tuple[JsonObject, JsonObject | None]
]
"""`(public, secret) -> (public, secret)`, one schema version up; secret None = erased, redacted or
none. It gets copies and may change them."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""By (type, version it starts from). Stored rows are never rewritten."""

SALT_BYTES = 32
_AS_JSON = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class _Shape:
    """The format of one event type.

    Attributes:
        names: the names of all fields.
        hidden: names of the hidden fields.
        opens: when the secret opens; None without hidden fields.
        instants: names of the fields with one or more instants.
        blanks: a value for each hidden field that cannot be read here.
        unwritten: of fields that came later, what no log says of them.
    """

    event_type: type[Event]
    names: frozenset[str]
    hidden: frozenset[str]
    opens: str | None
    instants: tuple[str, ...]
    blanks: JsonObject
    unwritten: JsonObject


def encode(
    decided: Decided, *, draw_salt: Callable[[int], bytes] = secrets.token_bytes
) -> NewEvent:
    """Prepare a decided event for the log.

    Args:
        decided: the event with actor and cause.
        draw_salt: returns that many random bytes.

    Raises:
        UpcastError: a field has a value that the log cannot store; a bug in the caller.
    """
    event = decided.event
    type_name = type(event).__name__
    shape = _shape(type(event))
    public: JsonObject = {}
    hidden: JsonObject = {}
    for f in fields(event):
        if getattr(event, f.name) == f.default:
            continue  # a field that came later: logs without it stay as they are
        value = _to_json(getattr(event, f.name))
        (hidden if f.name in shape.hidden else public)[f.name] = value
    try:
        canonical_json([public, hidden])
    except (TypeError, ValueError) as error:
        raise UpcastError(
            f"a new {type_name}: no canonical JSON ({type(error).__name__})"
        ) from None
    try:
        _made(shape, public | hidden)
    except ValueError as error:
        raise UpcastError(f"a new {type_name} does not fit: {error}") from None
    secret = None
    if shape.hidden:
        secret = Secret(salt=draw_salt(SALT_BYTES), payload=hidden)
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
    """Turn a line of the log into a typed event.

    An erased `never` secret reads as empty texts, and so does a `Hidden` event that is closed,
    since it may be one of those. Any other missing `game_end` secret is an error, unless the caller
    wants public fields only.

    Args:
        event: the event as stored.
        upcasters: steps from older payloads to today's.
        redacted: True to fill missing hidden fields with blanks (empty text, 0, empty list).
        types: those of the stream, by name: of a game, or of a league.

    Raises:
        UpcastError: damaged or redacted payload; NewerLogError: unknown type, newer schema.
    """
    known = types.get(event.type)
    if known is None:
        raise NewerLogError(
            f"{_where(event)}: this program knows no such type; a newer pbem wrote it"
        )
    typed = _read(event, _shape(known), upcasters, redacted=redacted)
    at = typed.at if isinstance(typed, Hidden) else ""
    try:
        recorded_at = parse_time(at or event.recorded_at)
    except ValueError:
        raise UpcastError(f"{_where(event)}: recorded_at is no instant of the log's form") from None
    if at and event.recorded_at != day_of(at):
        raise UpcastError(f"{_where(event)}: recorded_at is not the day of its instant")
    return Recorded(event.version, recorded_at, event.actor, event.cause, event.hash, typed)


class _Plain(NamedTuple):
    """A type whose events can be made from their bytes: all fields needed, none holds JSON of any kind.

    Attributes:
        decode: makes an event from the JSON of all its fields.
        public: how many fields are public; `hidden`: how many are not.
        begins: how the canonical secret begins.
        secrets: the names of the hidden fields, as they stand in JSON.
        instants: how many fields are instants; `lists` names those that are several.
    """

    decode: Callable[[bytes], Event]
    public: int
    hidden: int
    begins: bytes
    secrets: tuple[bytes, ...]
    instants: int
    lists: tuple[str, ...]


_encode = msgspec.json.Encoder(order="sorted").encode
_INSTANT = re.compile(rb'"\d[^"]{9}T[^"]{15}Z"')
"""The log's form among those that msgspec takes for an instant; before a digit a quote only opens a text."""


def decode_written(
    kind: str, schema_version: int, public: bytes, payload: bytes | None
) -> Event | None:
    """Make an event from the bytes that are stored; None if it takes `decode` to read or to refuse it.

    An event without secrets mostly gives the same bytes when it is written again. Otherwise it is counted that each
    field stands in its part, and nothing else does: every name ends in `":`, which may stand in a text, too, but then
    there is one too many. No name is escaped, or it would not be recognised.
    """
    plain = _plain(kind)
    if plain is None or schema_version != SCHEMA_VERSIONS[kind]:
        return None
    if not plain.hidden and payload is None:
        try:
            event = plain.decode(public)
        except (msgspec.DecodeError, ValueError):
            return None
        if _encode(event) == public:
            return event
    if public.count(b'":') != plain.public or not public.endswith(b"}") or public.find(b"\\") >= 0:
        return None
    whole = public
    if plain.hidden:
        if payload is None or payload.count(b'":') != plain.hidden:
            return None
        if not payload.startswith(plain.begins):
            return None
        for name in plain.secrets:
            if public.find(name) >= 0:  # `in` first takes bytes for a number
                return None
        whole = payload if public == b"{}" else b"%b,%b" % (public[:-1], payload[1:])
    elif payload is not None:
        return None
    try:
        event = plain.decode(whole)
    except (msgspec.DecodeError, ValueError):
        return None
    if plain.instants:
        several: list[tuple[datetime, ...]] = [getattr(event, name) for name in plain.lists]
        if len(_INSTANT.findall(public)) != plain.instants + sum(map(len, several)):
            return None
    return event


@cache
def _plain(kind: str) -> _Plain | None:
    if kind not in EVENT_TYPES:
        return None
    shape, hints = _shape(EVENT_TYPES[kind]), get_type_hints(EVENT_TYPES[kind])
    has_defaults = any(one.default is not MISSING for one in fields(shape.event_type))
    if has_defaults or any("Any" in str(hint) or "dict" in str(hint) for hint in hints.values()):
        return None
    if shape.instants and str in hints.values():  # a text could look like an instant
        return None
    lists = tuple(name for name in shape.instants if get_origin(hints[name]) is tuple)
    return _Plain(
        decode=msgspec.json.Decoder(shape.event_type).decode,
        public=len(shape.names) - len(shape.hidden),
        hidden=len(shape.hidden),
        begins=b'{"%b":' % min(shape.hidden).encode() if shape.hidden else b"",
        secrets=tuple(b'"%b":' % name.encode() for name in shape.hidden),
        instants=len(shape.instants) - len(lists),
        lists=lists,
    )


def _where(event: StoredEvent) -> str:
    """Name an event, but repeat no text of a forged log."""
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
    if not (shape.hidden.isdisjoint(public) and shape.hidden.issuperset(hidden)):
        raise UpcastError(
            f"{_where(event)}: a public field stands in the secret, or a hidden one in public"
        )
    for name, value in shape.unwritten.items():
        if name in public and public[name] == value:
            raise UpcastError(f"{_where(event)}: its {name} says nothing, and should not be there")
    try:
        return _made(shape, public | hidden)
    except ValueError as error:
        raise UpcastError(f"{_where(event)}: the payload does not fit: {error}") from None


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


def _made(shape: _Shape, merged: JsonObject) -> Event:
    """Make an event from the JSON of all its fields.

    Raises: ValueError, which names the field.
    """
    if not merged.keys() <= shape.names:  # msgspec would ignore unknown fields
        raise ValueError("a field that the type does not have")
    try:
        _AS_JSON.encode(merged)  # no lone surrogates, no infinite numbers
    except (OverflowError, RecursionError, TypeError, UnicodeError) as error:
        raise ValueError(f"no JSON of the log ({type(error).__name__})") from None
    event: Event = msgspec.convert(merged, shape.event_type)
    for name in shape.instants:
        value = merged[name]
        try:
            for text in value if isinstance(value, list) else [value]:
                parse_time(str(text))  # msgspec takes many forms, the log only one
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return event


def _to_json(value: object) -> JsonValue:
    """Turn field values into JSON values; validation refuses the rest."""
    if isinstance(value, datetime):
        return None if value.utcoffset() is None else format_time(value)
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _to_json(item) for key, item in value.items()}
    return value  # type: ignore[return-value]  # validated next


_SHAPES: dict[type[Any], _Shape] = {}


def _shape(event_type: type[Any]) -> _Shape:
    if event_type not in _SHAPES:
        _SHAPES[event_type] = _shape_of(event_type)
    return _SHAPES[event_type]


def _shape_of(event_type: type[Any]) -> _Shape:
    hidden = secret_fields(event_type)
    if len(set(hidden.values())) > 1:  # pragma: no cover  (a mistake in pbem.domain.log.events)
        raise UpcastError(f"{event_type.__name__}: hidden fields that open at different times")
    hints = get_type_hints(event_type)
    return _Shape(
        event_type=event_type,
        names=frozenset(hints),
        hidden=frozenset(hidden),
        opens=next(iter(hidden.values()), None),
        instants=tuple(name for name, hint in hints.items() if "datetime" in str(hint)),
        blanks={name: _blank(hints[name]) for name in hidden},
        unwritten={f.name: f.default for f in fields(event_type) if f.default is not MISSING},
    )


def _blank(hint: Any) -> JsonValue:  # noqa: ANN401  (a type, as an annotation)
    blanks: dict[Any, JsonValue] = {str: "", int: 0, Any: None}
    return [] if get_origin(hint) is tuple else blanks[hint]

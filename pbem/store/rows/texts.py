"""Helpers shared by all tables: base class, JSON and text columns, upserts."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Dialect,
    Select,
    Table,
    Text,
    TypeDecorator,
    literal,
    literal_column,
)
from sqlmodel import SQLModel

from engine.api import JsonObject, JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import format_time, parse_time

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

R = TypeVar("R", bound=SQLModel)
T = TypeVar("T")
Upsert: TypeAlias = "sqlite.Insert | postgresql.Insert"
"""An INSERT that supports ON CONFLICT."""

ID_BYTES = 10
"""Number of random bytes, which give 16 base32 characters. `random_id` keeps 10 (50 bits)."""


def random_id() -> str:
    """Create a random ID for a player or a game: 10 base32 characters in lower case."""
    return base64.b32encode(secrets.token_bytes(ID_BYTES)).decode("ascii").lower()[:10]


def storable(text: str) -> str:
    """Replace characters that databases reject: NUL and lone surrogates.

    Envelope addresses and keys come from untrusted messages, which must be stored whatever they
    contain.
    """
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def storable_or_none(text: str | None) -> str | None:
    """Apply `storable` to the value of a nullable column."""
    return None if text is None else storable(text)


@cache
def spelt(word: str) -> ColumnElement[str]:
    """Return a word as a literal SQL string, or as a parameter if it contains other than letters.

    The database can use a partial index only if the statement contains the literal. A list of
    literals for `in_` also spares SQLAlchemy from expanding parameters at every execution.
    """
    return literal_column(f"'{word}'") if word.isalpha() else literal(word)


def dump(value: JsonValue) -> str:
    """Serialize a value as canonical JSON text."""
    return canonical_json(value).decode("utf-8")


def _refuse(number: str) -> JsonValue:
    raise ValueError("a number that canonical JSON has not")


_DECODER = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse)
_scan = _DECODER.scan_once  # type: ignore[attr-defined]  # not in the stubs


def load(text: str | bytes) -> JsonValue:
    """Parse JSON, rejecting floats and NaN like canonical JSON. Raises: ValueError."""
    json_text = text if isinstance(text, str) else text.decode()
    value: JsonValue
    try:
        value, end = _scan(json_text, 0)
        if end != len(json_text):  # trailing white space or invalid JSON
            value = _DECODER.decode(json_text)
    except StopIteration:
        value = _DECODER.decode(json_text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value


def load_object(text: str | bytes) -> JsonObject:
    """Parse a JSON object. Raises: ValueError."""
    value = load(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


class Times(TypeDecorator[tuple[datetime, ...]]):
    """Column type for a JSON list of times in the format of the log."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Sequence[datetime] | None, dialect: Dialect) -> str | None:  # noqa: D102
        return None if value is None else dump([format_time(time) for time in value])

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[datetime, ...]:  # noqa: D102
        times = load(value or "[]")
        return tuple(parse_time(str(time)) for time in times) if isinstance(times, list) else ()


def insert_for(connection: Connection, table: Table) -> Upsert:
    """Return an INSERT construct for the connection's dialect, which supports ON CONFLICT."""
    return insert_in(connection.dialect.name, table)


def insert_in(dialect: str, table: Table) -> Upsert:
    """Return an INSERT construct for a named dialect, for statements that are built only once."""
    # import only the dialect that is in use
    statement: Upsert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return statement


class Tables:
    """Base class for access to some of the tables on the connection of a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _read(self, query: Select[R], given: Mapping[str, object] | None = None) -> Sequence[R]:
        """Execute a query and return instances of its table class.

        A session of SQLAlchemy would take twice as long, and its identity map is not needed.
        """
        table = query.column_descriptions[0]["entity"]
        result = self._connection.execute(query, given)
        names = tuple(result.keys())
        return [table(**dict(zip(names, row, strict=True))) for row in result]

    def _read_one(self, query: Select[R], given: Mapping[str, object] | None = None) -> R | None:
        """Return the first row of a query, or None."""
        return next(iter(self._read(query, given)), None)

    def _scalar(
        self, query: Select[Any], given: Mapping[str, object] | None = None, *, default: T
    ) -> T:
        """Return the value of a query for one value, or `default` if there is no row or it is NULL."""
        value: T | None = self._connection.execute(query, given).scalar_one_or_none()
        return default if value is None else value

"""Payloads of texts, numbers, instants and lists of these, read without a model.

Nearly all events of a game are moves and deadlines. What is sound in every respect is read here, in a
third of the time; whatever is not, `pbem.store.log.codec` validates, and says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from pbem.domain.log.chain import parse_time

Reader: TypeAlias = Callable[[Any], Any]
"""Gives the value of a field. Raises: ValueError where only validation can tell."""


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads the fields of one type, public ones first, as its constructor takes them."""

    public: tuple[tuple[str, Reader], ...]
    hidden: tuple[tuple[str, Reader], ...]


def readers(hints: Mapping[str, Any], hidden: Collection[str]) -> Readers | None:
    """Make the readers of a type from its fields; None if one of them is not plain."""
    made = [(name, _READERS.get(hint)) for name, hint in hints.items()]
    public = tuple((name, reader) for name, reader in made if reader and name not in hidden)
    secret = tuple((name, reader) for name, reader in made if reader and name in hidden)
    is_plain = [name for name, _ in (*public, *secret)] == list(hints)
    return Readers(public, secret) if is_plain else None


def read(wanted: Readers, public: Mapping[str, Any], hidden: Mapping[str, Any]) -> list[Any] | None:
    """Read all fields of an event; None if one is missing, too many, or not quite sound."""
    if len(public) != len(wanted.public) or len(hidden) != len(wanted.hidden):
        return None
    try:
        values = [reader(public[name]) for name, reader in wanted.public]
        values += [reader(hidden[name]) for name, reader in wanted.hidden]
    except (KeyError, ValueError):
        return None
    return values


def _text(value: object) -> str:
    if type(value) is not str or not value.isascii():  # halves of characters are no text
        raise ValueError
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _truth(value: object) -> bool:
    if type(value) is not bool:
        raise ValueError
    return value


def _instant(value: object) -> datetime:
    if type(value) is not str:
        raise ValueError
    return parse_time(value)


def _several(reader: Reader) -> Reader:
    def read_list(value: object) -> tuple[Any, ...]:
        if type(value) is not list:
            raise ValueError
        return tuple([reader(item) for item in value])

    return read_list


_READERS: Mapping[Any, Reader] = {
    str: _text,
    int: _number,
    bool: _truth,
    datetime: _instant,
    tuple[str, ...]: _several(_text),
    tuple[int, ...]: _several(_number),
    tuple[datetime, ...]: _several(_instant),
}

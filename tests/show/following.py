"""Apply instructions of `pbem.show.delta` in Python, like `templates/replay/page.js`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.api import JsonValue
from pbem.show.delta import Change


def applied(value: JsonValue, instructions: Iterable[Change]) -> JsonValue:
    """Apply instructions to a value. Return the result, which shares unchanged parts with `value`."""
    for instruction in instructions:
        value = _applied(value, instruction[0], instruction[1:])
    return value


def _applied(value: Any, path: list[str | int], what: list[Any]) -> Any:
    if not path:
        return what[0] if len(what) == 1 else [*value[: what[0]], *what[1]]
    key, rest = path[0], path[1:]
    if isinstance(value, list):
        return [_applied(item, rest, what) if n == key else item for n, item in enumerate(value)]
    if not rest and not what:
        return {name: item for name, item in value.items() if name != key}
    return {**value, key: _applied(value.get(key), rest, what)}

"""Differences between two JSON values, as short instructions.

They keep the page of a long game small. An instruction is a list. Its first element is a path of
keys and indices:

- `[path, value]` sets the value at the path.
- `[path, kept, tail]` keeps the first `kept` elements of the list at the path and appends `tail`.
- `[path]` removes the key.

`templates/replay/page.js` interprets the instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from engine.api import JsonValue

Path: TypeAlias = tuple[str | int, ...]
Change: TypeAlias = list[Any]


def changes(before: JsonValue, after: JsonValue) -> list[Change]:
    """List the instructions that convert one value into another, in key order."""
    return list(_changes(before, after, ()))


def _changes(before: JsonValue, after: JsonValue, path: Path) -> Iterator[Change]:
    if _is_same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if key not in after:
                yield [[*path, key]]
        for key, value in after.items():
            if key in before:
                yield from _changes(before[key], value, (*path, key))
            else:
                yield [[*path, key], value]
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_changes(before, after, path)
    else:
        yield [[*path], after]


def _is_same(value: JsonValue, other: JsonValue) -> bool:
    """True if two values are the same JSON. In Python, 0 equals False."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(
            _is_same(value[key], other[key]) for key in value
        )
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_is_same, value, other))
    return type(value) is type(other) and value == other


def _list_changes(before: list[JsonValue], after: list[JsonValue], path: Path) -> Iterator[Change]:
    is_nested = any(isinstance(item, dict | list) for item in (*before, *after))
    if is_nested and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(old, new, (*path, index))
        return
    kept = 0
    while kept < min(len(before), len(after)) and _is_same(before[kept], after[kept]):
        kept += 1
    yield [[*path], kept, after[kept:]] if kept else [[*path], after]

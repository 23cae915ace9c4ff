"""Frozen values and their successors: what every event of every replay makes several of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:  # noqa: ANN401  (as `dataclasses.replace`)
    """Give a dataclass with some fields changed, as `dataclasses.replace` does, in a third of its time.

    All its fields are arguments of its constructor. Raises: KeyError for a field that it has not.
    """
    kind: Any = type(value)
    read, places = _shape(kind)
    values = list(read(value))
    for name, new in changes.items():
        values[places[name]] = new
    changed: T = kind(*values)
    return changed


@cache
def _shape(kind: Any) -> tuple[Callable[[object], tuple[Any, ...]], Mapping[str, int]]:  # noqa: ANN401
    """Give what reads all fields of a class with at least two, and the place of each."""
    names = [one.name for one in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}

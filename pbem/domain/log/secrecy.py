"""Which fields of an event are secret, and when each is opened."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def hidden(opens: str) -> Any:  # noqa: ANN401  (stands for a dataclass field, as `field` does)
    """Mark a field as part of the event's secret; `opens` is `game_end` or `never`."""
    return field(repr=False, metadata={"opens": opens})

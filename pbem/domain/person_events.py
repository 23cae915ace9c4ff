"""Events about who people are, beside the game that they play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayerMerged:
    """Two players turned out to be one person: what the log says of `player` is `into`'s.

    It may stand anywhere, also behind the end.
    """

    player: str
    into: str

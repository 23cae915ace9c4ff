"""How well bots play."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from pbem.errors import Refusal


@dataclass(frozen=True, slots=True)
class Level:
    """One level of play.

    Attributes:
        name: the name that people write.
        help: one line for people.
        effort: which of a game's budgets a search can use up (`knowledge.Knowledge.budgets`); None
            means the standby move, without a search.
    """

    name: str
    help: str
    effort: int | None


LEVELS: tuple[Level, ...] = (
    Level("standby", "the cautious move that is played for a silent seat", None),
    Level("easy", "looks at a few possible tables", 0),
    Level("hard", "looks at many possible tables", 1),
)
"""From the weakest up."""


def find_level(name: str) -> Level:
    """Return the level with this name. Raises: Refusal."""
    for level in LEVELS:
        if level.name == name:
            return level
    names = [level.name for level in LEVELS]
    near = difflib.get_close_matches(name[:20].lower(), names, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise Refusal("bot", f"there is no bot “{name[:20]}”{hint} Bots: {', '.join(names)}")

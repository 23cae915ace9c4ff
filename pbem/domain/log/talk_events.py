"""Events of what the players say to each other: what everybody may read, and the rule about it.

What is said in private, or without a name, is `Hidden` (`pbem.domain.log.private`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.domain.log.secrecy import hidden


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """Somebody said something to the whole table, also before the deal and after the end.

    Attributes:
        seat: where the writer sat then; `player` is who it was.
        text: exactly what was written; may be erased.
    """

    seat: int
    player: str
    text: str = hidden("never")


@dataclass(frozen=True, slots=True)
class AnonymousTalkSet:
    """Whether the players may speak without a name in this game; before it is set they may not."""

    is_allowed: bool


TalkEvent: TypeAlias = MessagePosted | AnonymousTalkSet

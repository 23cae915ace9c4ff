"""Players that see only a view, with their own random stream (docs/dev/bots.md).

`choose` is the whole interface: the knowledge of a seat goes in, an order comes out. No module here
ever has the state of the game that is played. A bot makes up states that agree with its view, plays
them out, and takes the move with the best results.

It imports `engine` (the public interface of the rulesets), `pbem.errors`, and from `pbem.games` the
bots' knowledge of each game.
"""

from pbem.bots.asking import (
    BotError,
    DirectThinker,
    PreparedThinker,
    ProcessThinker,
    Question,
    Thinker,
    ThoughtNeededError,
)
from pbem.bots.chance import Chance
from pbem.bots.choosing import LEVELS, Level, choose, find_level, plays_like

__all__ = [
    "LEVELS",
    "BotError",
    "Chance",
    "DirectThinker",
    "Level",
    "PreparedThinker",
    "ProcessThinker",
    "Question",
    "Thinker",
    "ThoughtNeededError",
    "choose",
    "find_level",
    "plays_like",
]

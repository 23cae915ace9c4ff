"""Players that see only a view, with their own random stream (docs/dev/bots.md).

`choose` is the only entry point: it takes a seat's view and returns an order. No module here has
access to the state of the actual game. A bot invents states that agree with its view, plays them
out, and takes the move with the best results.

The package imports `engine` (the public interface of the rulesets), `pbem.errors`, and from
`pbem.games` the bots' knowledge of each game.
"""

from pbem.bots.bot_client import (
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

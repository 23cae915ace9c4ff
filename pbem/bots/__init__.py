"""Players that see a view and nothing else, with a stream of chance of their own (docs/dev/bots.md).

`choose` is the whole interface: what a seat may know goes in, an order comes out. No module here
ever holds the state of a game that is played: a bot makes states up that agree with its view, plays
them out, and takes the move that does best in them.

It imports `engine` (the public interface of the rulesets), `pbem.errors`, and from `pbem.games` what
bots know of each game.
"""

from pbem.bots.chance import Chance
from pbem.bots.choosing import choose
from pbem.bots.levels import LEVELS, Level, find_level

__all__ = ["LEVELS", "Chance", "Level", "choose", "find_level"]

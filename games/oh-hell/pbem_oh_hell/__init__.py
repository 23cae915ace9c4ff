"""Oh Hell for pbem: say how many tricks you take, and take exactly that many."""

from pathlib import Path

from pbem.games.profile import Game
from pbem_oh_hell.profile import PROFILE
from pbem_oh_hell.rules import OhHell

GAME = Game((OhHell(),), PROFILE, Path(__file__).parent)

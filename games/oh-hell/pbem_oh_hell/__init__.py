"""Oh Hell for pbem: say how many tricks you take, and take exactly that many."""

from pathlib import Path

from pbem.games.face import Game
from pbem_oh_hell.face import FACE
from pbem_oh_hell.rules import OhHell

GAME = Game((OhHell(),), FACE, Path(__file__).parent)

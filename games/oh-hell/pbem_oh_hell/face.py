"""Oh Hell for people."""

from __future__ import annotations

from pbem.games.face import GameFace

FACE = GameFace()

"""The old name of `pbem.games.profile`, for packages written for version 1.0.

Deprecated since 1.1: import `GameProfile` from `pbem.games.profile`.
"""

from __future__ import annotations

from pbem.games.profile import Game, GroupWords, Told, knowledge_of, reason_of, said_move
from pbem.games.profile import GameProfile as GameFace
from pbem.games.profile import all_profiles as faces
from pbem.games.profile import profile_of as face

__all__ = [
    "Game",
    "GameFace",
    "GroupWords",
    "Told",
    "face",
    "faces",
    "knowledge_of",
    "reason_of",
    "said_move",
]

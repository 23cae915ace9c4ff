"""The games that bots play."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.errors import Refusal
from pbem.games.cathedral import KNOWLEDGE as CATHEDRAL
from pbem.games.knowledge import Knowledge
from pbem.games.phalanx import KNOWLEDGE as PHALANX
from pbem.games.phase10 import KNOWLEDGE as PHASE10
from pbem.games.phyliss import KNOWLEDGE as PHYLISS

_KNOWLEDGE: Mapping[str, Knowledge] = {
    "phyliss": PHYLISS,
    "cathedral": CATHEDRAL,
    "phalanx": PHALANX,
    "phase10": PHASE10,
    "phase10-family": PHASE10,
}


def knowledge_of(name: str) -> Knowledge:
    """Return what bots know about a game. Raises: Refusal."""
    if name not in _KNOWLEDGE:
        raise Refusal("bot", f"no bot plays {name}; games with bots: {', '.join(_KNOWLEDGE)}")
    return _KNOWLEDGE[name]

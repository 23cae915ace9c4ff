"""The games that bots play."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.bots import cathedral, phalanx, phase10, phyliss
from pbem.bots.knowledge import Knowledge
from pbem.errors import Refusal

_KNOWLEDGE: Mapping[str, Knowledge] = {
    "phyliss": phyliss.KNOWLEDGE,
    "cathedral": cathedral.KNOWLEDGE,
    "phalanx": phalanx.KNOWLEDGE,
    "phase10": phase10.KNOWLEDGE,
    "phase10-family": phase10.KNOWLEDGE,
}


def knowledge_of(name: str) -> Knowledge:
    """Return what bots know about a game. Raises: Refusal."""
    if name not in _KNOWLEDGE:
        raise Refusal("bot", f"no bot plays {name}; games with bots: {', '.join(_KNOWLEDGE)}")
    return _KNOWLEDGE[name]

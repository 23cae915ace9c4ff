"""Check that lines cannot be read as orders when they come back quoted."""

from __future__ import annotations

from functools import cache

from engine import registry
from pbem.domain.words.orders import LineKind, read_line
from pbem.language import SOURCE


@cache
def is_prose(
    line: str, game: str = "", names: tuple[str, ...] = (), language: str = SOURCE
) -> bool:
    """True if a line is not an order of the given game, or of any game. Results are cached."""
    rulesets = [registry.find(game)] if game else registry.latest()
    return read_line(line, rulesets, names, language).kind is LineKind.PROSE

"""A folded game as bytes and back: a cache of a long log, never the truth."""

from __future__ import annotations

from typing import get_type_hints

import msgspec

from engine import registry
from pbem.domain.table.game import Game, replace

FORMAT = 6
"""Raised with every change of `Game`, of what lies in it, or of a ruleset's `state_json`."""


class _Format(msgspec.Struct):
    """What is read of a snapshot before anything else is."""

    format: int = 0


_FIELDS = {**get_type_hints(Game), "ruleset": tuple[str, int]}
_FORMATS = msgspec.json.Decoder(_Format)
_GAMES = msgspec.json.Decoder(msgspec.defstruct("_Kept", [*_FIELDS.items()]))


def pack(game: Game) -> bytes:
    """Write a running game as JSON.

    One that is over is cheap to ask and is not worth a snapshot.
    """
    rules, state = game.ruleset, game.state
    table = None if state is None else rules.state_json(state)
    known_as = (rules.id.name, rules.id.version)
    return msgspec.json.encode(
        {"format": FORMAT, **vars(game), "ruleset": known_as, "state": table}
    )


def unpack(packed: bytes) -> Game | None:
    """Read what `pack` wrote; None if it is of another format, or of a game that is not here.

    Whoever keeps it answers for its being what was written: anything else fails as it may.
    """
    if _FORMATS.decode(packed).format != FORMAT:
        return None
    kept = msgspec.structs.asdict(_GAMES.decode(packed))
    if not registry.has(*kept["ruleset"]):
        return None
    game = Game(**{**kept, "ruleset": registry.find(*kept["ruleset"])})
    if game.state is None:
        return game
    return replace(game, state=game.ruleset.state_from_json(game.setup, game.state))

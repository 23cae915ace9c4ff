"""A game rebuilt from its log for play: chain and commitments, every rule, the digests that last.

The chain proves that the log is what was written. What a digest adds is that the rules of today lead
where those of then did: if they do at the end, and at each place that was gone back to, the game is the
one that was played. `pbem verify`, imports and exports compare the digest of every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Event, GameStarted, Hidden, MovePlayed, MovesRetracted, Recorded
from pbem.domain.log.private import is_choice
from pbem.domain.table.evolve import fold
from pbem.domain.table.game import Game
from pbem.errors import LogError


def rebuild(
    recorded: Sequence[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
) -> Game:
    """Fold events into a game as `fold` does, but compare the digests that last alone.

    What does not lead there is folded again with every digest, so that the error names the first
    event that leads elsewhere. Raises: LogError.
    """
    try:
        return fold(recorded, game_id, game, past, lasting(recorded))
    except LogError:
        return fold(recorded, game_id, game, past)


def digest_of(event: Event) -> str | None:
    """Return the digest of the state that an event has led to; None where it records none."""
    if isinstance(event, MovePlayed | GameStarted):
        return event.digest
    if isinstance(event, Hidden) and is_choice(event):
        payload: Any = event.payload
        return str(payload["digest"])
    return None


def lasting(recorded: Iterable[Recorded]) -> frozenset[int]:
    """Return the versions of the last digests before the end and before each place gone back to."""
    digests: list[int] = []
    found = set()
    for item in recorded:
        if digest_of(item.event) is not None:
            digests.append(item.version)
        elif isinstance(item.event, MovesRetracted):
            back_to = item.event.back_to
            found.update([version for version in digests if version <= back_to][-1:])
    found.update(digests[-1:])
    return frozenset(found)

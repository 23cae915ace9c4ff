"""In-memory cache of replayed games.

`pbem.service.core.games.load` reads and fills it. Every cached game was folded from the first event
of its log. Callers must check that a game's head matches the head in the database.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game

MAX_GAMES = 256
"""Maximum number of cached games. A game takes about 50 kB."""
MAX_VERSIONS = 8
"""Maximum number of cached versions per game. They share most of their objects."""


class GameCache:
    """A thread-safe LRU cache of replayed games.

    It keeps the most recently loaded versions of each game.
    """

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self._max_games = max_games
        self._games: OrderedDict[GameId, tuple[int, dict[int, Game]]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, game_id: GameId, up_to: int, erased: int) -> Game | None:
        """Return a game at the newest cached version up to `up_to`, or None.

        Args:
            erased: number of erased texts in the log. A game cached with a different number may
                contain an erased text and is not returned.
        """
        with self._guard:
            count, versions = self._games.get(game_id, (erased, {}))
            usable = [version for version in versions if version <= up_to]
            return versions[max(usable)] if usable and count == erased else None

    def put(self, game: Game, erased: int) -> None:
        """Add a game that was folded from its first event."""
        with self._guard:
            count, versions = self._games.pop(game.id, (erased, {}))
            if count != erased:
                versions = {}
            versions.pop(game.version, None)
            versions[game.version] = game
            if len(versions) > MAX_VERSIONS:
                del versions[next(iter(versions))]
            self._games[game.id] = (erased, versions)
            if len(self._games) > self._max_games:
                self._games.popitem(last=False)

"""A ladder: the players of one ruleset in an order that only finished challenges change.

Pure: the same challenges give the same order on every machine, so that everybody can work it out again
from the logs of the games (docs/leagues.md#ladders).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

REACH = 3
"""Places above one's own in which somebody can be challenged."""
AWAY = timedelta(days=90)
"""Who finishes no challenge for so long leaves the ladder."""
AGAIN = timedelta(days=7)
"""Time between two challenges of the same two people."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game of two people that counts, or will count, on a ladder.

    Attributes:
        status: of the game, as in `pbem.domain.table.game`.
        finished_at: None while it goes on.
        players: ids, by seat.
        places: of the seats, once it is over with a ranking; empty otherwise.
        sat_out: by seat, whether a bot decided for it at the end.
    """

    game: str
    status: str
    created_at: datetime
    finished_at: datetime | None
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    sat_out: tuple[bool, ...] = ()

    @property
    def winner(self) -> str | None:
        """Return who has the better place and earned it; None for nobody."""
        if not self.places or self.places[0] == self.places[1]:
            return None
        seat = int(self.places[1] < self.places[0])
        return None if self.sat_out[seat] else self.players[seat]


@dataclass(slots=True)
class Ladder:
    """The order so far.

    Attributes:
        order: everybody who ever finished a challenge, the first one first.
        active: when each of them finished the last one.
    """

    order: list[str] = field(default_factory=list)
    active: dict[str, datetime] = field(default_factory=dict)

    def count(self, one: Challenge) -> None:
        """Take over a finished challenge with a ranking.

        Newcomers, and those who had been away when it began, enter at the foot. If then the lower one has
        won, they take the place of the other, who moves down by one, as does everybody between them.
        """
        if one.finished_at is None or not one.places:
            return
        winner = one.winner
        newcomers = [who for who in one.players if self._is_away(who, one.created_at)]
        for who in sorted(newcomers, key=lambda who: who != winner):
            if who in self.order:
                self.order.remove(who)
            self.order.append(who)
        self.active |= dict.fromkeys(one.players, one.finished_at)
        upper = min(map(self.order.index, one.players))
        if winner is not None and self.order.index(winner) > upper:
            self.order.remove(winner)
            self.order.insert(upper, winner)

    def _is_away(self, player: str, at: datetime) -> bool:
        return player not in self.active or self.active[player] + AWAY < at

    def standing(self, at: datetime, playing: Iterable[str] = ()) -> list[str]:
        """Return who stands on the ladder at an instant; `playing` are in a challenge that was dealt."""
        stays = frozenset(playing)
        return [who for who in self.order if who in stays or not self._is_away(who, at)]


def ladder_of(challenges: Iterable[Challenge]) -> Ladder:
    """Return the ladder after these challenges, which are in the order in which they ended."""
    ladder = Ladder()
    for one in challenges:
        ladder.count(one)
    return ladder


def place_of(standing: Sequence[str], player: str) -> int:
    """Return the place of a player, from 1; who is not on the ladder stands below everybody."""
    return standing.index(player) + 1 if player in standing else len(standing) + 1


def within_reach(standing: Sequence[str], player: str) -> list[str]:
    """Return who on the ladder can be challenged by a player, the nearest one last."""
    own = place_of(standing, player)
    return [*standing[max(0, own - 1 - REACH) : own - 1]]

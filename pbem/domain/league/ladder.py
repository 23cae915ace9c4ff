"""A ladder: the players of a ruleset in an order that only finished challenges change.

The same challenges give the same order on every machine, so anyone can recompute it from the games'
logs (docs/leagues.md#ladders).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

REACH = 3
"""Maximum number of ranks between a challenger and the challenged player."""
AWAY = timedelta(days=90)
"""Players who finish no challenge for this long leave the ladder."""
LAPSES = timedelta(days=3)
"""Time to answer a challenge, after which it counts as lost."""
COUNTS = timedelta(days=4)
"""An invitation that expired later than this has no effect, because a message or the service was late."""
HOLDS = timedelta(days=30)
"""How long an unfinished challenge prevents its challenger from making another challenge."""
AGAIN = timedelta(days=7)
"""Minimum time between two challenges of the same two players."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game of two players that counts, or will count, on a ladder.

    Attributes:
        status: status of the game, as in `pbem.domain.table.game`.
        finished_at: None while it is unfinished.
        players: IDs, by seat.
        places: ranks of the seats, once it has ended with a ranking. Empty otherwise.
        sat_out: by seat, whether a bot decided for it at the end.
        seats: by seat, the status of the invitation or player, as in `SeatStatus`.
        challenger: the player who made it, or None if unknown.
    """

    game: str
    status: str
    created_at: datetime
    finished_at: datetime | None
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    sat_out: tuple[bool, ...] = ()
    seats: tuple[str, ...] = ()
    challenger: str | None = None

    @property
    def lost_unplayed(self) -> str | None:
        """Return the player who lost the challenge without playing, or None.

        A player loses by not answering a challenge, or by declining the second one in a row. The
        log contains an `InvitationExpired` in both cases.
        """
        if self.status != "stopped" or self.finished_at is None or "expired" not in self.seats:
            return None
        is_in_time = self.finished_at - self.created_at <= COUNTS
        return self.players[self.seats.index("expired")] if is_in_time else None

    @property
    def declined_by(self) -> str | None:
        """Return the challenged player who declined, or None if the challenger withdrew."""
        if self.status != "stopped" or set(self.seats) != {"declined", "joined"}:
            return None
        return self.players[self.seats.index("declined")]

    @property
    def winner(self) -> str | None:
        """Return the player with the better rank. None if a bot played for that player at the end."""
        if not self.places or self.places[0] == self.places[1]:
            return None
        seat = int(self.places[1] < self.places[0])
        return None if self.sat_out[seat] else self.players[seat]


@dataclass(slots=True)
class Ladder:
    """The ranking after all challenges counted so far.

    Attributes:
        order: all players who ever finished a challenge, best first.
        active: the time when each player last finished a challenge.
    """

    order: list[str] = field(default_factory=list)
    active: dict[str, datetime] = field(default_factory=dict)

    def count(self, challenge: Challenge) -> None:
        """Update the ranking with a finished challenge.

        New players, and players who were removed for inactivity, enter at the bottom. If the lower
        player has won, that player takes the rank of the opponent, and everyone in between moves
        down by one.
        """
        ended_at = challenge.finished_at
        if ended_at is None:
            return
        loser = challenge.lost_unplayed
        if loser is not None:
            self._count_unplayed(challenge, loser, ended_at)
        elif challenge.places:
            # A game that took longer than AWAY did not keep its players on the ladder.
            is_long = ended_at - challenge.created_at > AWAY
            winner = challenge.winner
            self._enter(challenge.players, winner, ended_at if is_long else challenge.created_at)
            self.active |= dict.fromkeys(challenge.players, ended_at)
            self._move(winner, challenge.players)

    def _count_unplayed(self, challenge: Challenge, loser: str, ended_at: datetime) -> None:
        """Move the challenger to the rank of a player who did not accept the challenge."""
        if self._is_away(loser, challenge.created_at):
            return  # the player is not on the ladder and has no rank to lose
        winner = next(player for player in challenge.players if player != loser)
        self._enter([winner], winner, challenge.created_at)
        self.active[winner] = ended_at
        self._move(winner, challenge.players)

    def _enter(self, players: Iterable[str], winner: str | None, since: datetime) -> None:
        newcomers = [player for player in players if self._is_away(player, since)]
        for player in sorted(newcomers, key=lambda player: player != winner):
            if player in self.order:
                self.order.remove(player)
            self.order.append(player)

    def _move(self, winner: str | None, players: Iterable[str]) -> None:
        upper = min(map(self.order.index, players))
        if winner is not None and self.order.index(winner) > upper:
            self.order.remove(winner)
            self.order.insert(upper, winner)

    def _is_away(self, player: str, at: datetime) -> bool:
        return player not in self.active or self.active[player] + AWAY < at

    def standing(self, at: datetime, playing: Iterable[str] = ()) -> list[str]:
        """Return the players on the ladder at a time, best first. Players in `playing` stay on it."""
        stays = frozenset(playing)
        return [who for who in self.order if who in stays or not self._is_away(who, at)]


def ladder_of(challenges: Iterable[Challenge]) -> Ladder:
    """Compute the ladder from challenges, which must be in the order in which they ended."""
    ladder = Ladder()
    for challenge in challenges:
        ladder.count(challenge)
    return ladder


def playing(challenges: Iterable[Challenge], at: datetime) -> set[str]:
    """Return the players who stay on the ladder because of a running challenge, for up to `AWAY`."""
    running = [one for one in challenges if one.status == "running" and at - one.created_at <= AWAY]
    return {player for challenge in running for player in challenge.players}


def has_declined(challenges: Iterable[Challenge], player: str) -> bool:
    """True if a player declined a challenge and has neither finished nor lost one since then.

    Declining another challenge then counts as a loss. `challenges` must be sorted by end time.
    """
    declined = False
    for challenge in challenges:
        if challenge.declined_by == player:
            declined = True
        elif player == challenge.lost_unplayed or (
            challenge.places and player in challenge.players
        ):
            declined = False
    return declined


def rank_of(standing: Sequence[str], player: str) -> int:
    """Return a player's rank, from 1. A player who is not on the ladder ranks below everyone."""
    return standing.index(player) + 1 if player in standing else len(standing) + 1


def within_reach(standing: Sequence[str], player: str) -> list[str]:
    """Return the players that a player may challenge, with the closest rank last."""
    own = rank_of(standing, player)
    return [*standing[max(0, own - 1 - REACH) : own - 1]]

"""Ratings, punctuality and head-to-head results of players.

Ratings are computed from the results of all games in the order in which the games ended, so it does
not matter when a game was imported. If the same people finish several games within a day, only the
first is rated, so that repeated resignations do not change ratings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Select, bindparam, case, func, select

from pbem.domain.league.ladder import Challenge
from pbem.domain.terms.ratings import Rating, rated
from pbem.store.rows.game_rows import GAME, SEAT
from pbem.store.rows.lobby_rows import INVITATION
from pbem.store.rows.standing_rows import RESULT, TURNS
from pbem.store.rows.texts import Tables

OVERALL = ""
"""Name used instead of a ruleset for ratings over all rulesets."""
ONCE_WITHIN = timedelta(days=1)
"""If the same people finish several games within this time, only the first is rated."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's current rating. `games` is the number of rated games."""

    player_id: str
    ruleset: str
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """Numbers of deadlines that a player met and missed."""

    on_time: int = 0
    late: int = 0

    @property
    def percent(self) -> int | None:
        """Return the percentage of turns on time, or None if there were no turns.

        It is rounded down, so that 100 means all turns.
        """
        count = self.on_time + self.late
        return 100 * self.on_time // count if count else None


@dataclass(frozen=True, slots=True)
class Encounters:
    """Numbers of finished games of a player against an opponent, by who ranked better."""

    ahead: int = 0
    behind: int = 0
    equal: int = 0


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A player's rating after one game."""

    player_id: str
    finished_at: datetime
    game_id: str
    rating: Rating


def _challenges() -> Select[Any]:
    """Return the query for challenges, with one row for each two-player game."""
    seats, results = ([table.alias(), table.alias()] for table in (SEAT, RESULT))
    source: Any = GAME
    for number, seat in enumerate(seats):
        source = source.join(seat, (seat.c.game_id == GAME.c.id) & (seat.c.seat == number))
    for number, result in enumerate(results):
        is_its = (result.c.game_id == GAME.c.id) & (result.c.seat == number)
        source = source.join(result, is_its, isouter=True)
    inviter = (
        select(func.max(INVITATION.c.inviter))
        .where(INVITATION.c.game_id == GAME.c.id)
        .scalar_subquery()
    )
    return (
        select(
            *(GAME.c.id, GAME.c.status, GAME.c.created_at, GAME.c.finished_at),
            *(seat.c.player_id for seat in seats),
            *(seat.c.status for seat in seats),
            inviter.label("inviter"),
            *(result.c.place for result in results),
            *(result.c.sat_out for result in results),
        )
        .select_from(source)
        .where(GAME.c.is_challenge, GAME.c.ruleset == bindparam("ruleset"))
        .order_by(GAME.c.finished_at.is_(None), GAME.c.finished_at, GAME.c.id)
    )


_CHALLENGES = _challenges()


class Standings(Tables):
    """Queries on ratings and results within one unit of work.

    `ruleset` is a name, or `OVERALL`. `players` None means everyone, including people who are
    unknown here.
    """

    def rated(
        self, players: Collection[str] | None = None, ruleset: str | None = OVERALL
    ) -> list[Rated]:
        """List the current ratings, ordered by ruleset and player.

        Args:
            players: limit the list to these players.
            ruleset: a name or `OVERALL`. None lists every ruleset separately.
        """
        newest: dict[tuple[str, str], Rated] = {}
        for of, step in self._steps(ruleset):
            if players is None or step.player_id in players:
                known = newest.get((of, step.player_id))
                count = 1 if known is None else known.games + 1
                newest[of, step.player_id] = Rated(step.player_id, of, step.rating, count)
        return [newest[key] for key in sorted(newest)]

    def _steps(self, ruleset: str | None) -> Iterator[tuple[str, RatingStep]]:
        """Rate the games in the order in which they ended.

        Yield ruleset and new rating of each player.

        A game is skipped if the same people finished another game less than a day before.

        Args:
            ruleset: as in `rated`.
        """
        query = select(RESULT).order_by(RESULT.c.finished_at, RESULT.c.game_id, RESULT.c.seat)
        if ruleset not in (None, OVERALL):
            query = query.where(RESULT.c.ruleset == ruleset)
        known = defaultdict[tuple[str, str], Rating](Rating)
        rated_at: dict[tuple[str, frozenset[str]], datetime] = {}
        for _, rows in groupby(self._connection.execute(query), lambda row: row.game_id):
            seats = list(rows)
            people, ended_at = frozenset(seat.player_id for seat in seats), seats[0].finished_at
            for of in (seats[0].ruleset, OVERALL) if ruleset is None else (ruleset,):
                last = rated_at.get((of, people))
                if last is not None and ended_at - last < ONCE_WITHIN:
                    continue
                rated_at[of, people] = ended_at
                keys = [(seat.player_id, of) for seat in seats]
                places, sat_out = zip(*((seat.place, seat.sat_out) for seat in seats), strict=True)
                after = rated([known[key] for key in keys], places, sat_out)
                known.update(zip(keys, after, strict=True))
                for seat, rating in zip(seats, after, strict=True):
                    step = RatingStep(seat.player_id, seat.finished_at, seat.game_id, rating)
                    yield of, step

    def turns(
        self, players: Collection[str] | None = None, ruleset: str = OVERALL
    ) -> dict[str, TurnCounts]:
        """Return the numbers of deadlines met and missed, by player."""
        query = select(
            TURNS.c.player_id, func.sum(TURNS.c.on_time), func.sum(TURNS.c.late)
        ).group_by(TURNS.c.player_id)
        if ruleset != OVERALL:
            query = query.join(GAME, GAME.c.id == TURNS.c.game_id).where(GAME.c.ruleset == ruleset)
        if players is not None:
            query = query.where(TURNS.c.player_id.in_(players))
        return {
            player: TurnCounts(int(on_time), int(late))
            for player, on_time, late in self._connection.execute(query)
        }

    def encounters(self, player_id: str, ruleset: str = OVERALL) -> dict[str, Encounters]:
        """Return a player's results against each opponent in finished games."""
        own, other = RESULT.alias("own"), RESULT.alias("other")
        query = (
            select(
                other.c.player_id,
                *(
                    func.sum(case((is_so, 1), else_=0))
                    for is_so in (
                        own.c.place < other.c.place,
                        own.c.place > other.c.place,
                        own.c.place == other.c.place,
                    )
                ),
            )
            .join(other, (other.c.game_id == own.c.game_id) & (other.c.seat != own.c.seat))
            .where(own.c.player_id == player_id)
            .group_by(other.c.player_id)
        )
        if ruleset != OVERALL:
            query = query.where(own.c.ruleset == ruleset)
        return {
            player: Encounters(int(ahead), int(behind), int(equal))
            for player, ahead, behind, equal in self._connection.execute(query)
        }

    def challenges(self, ruleset: str) -> list[Challenge]:
        """List the challenges of a ruleset, first finished ones by end time, then running ones."""
        result = []
        for row in self._connection.execute(_CHALLENGES, {"ruleset": ruleset}):
            game_id, status, created_at, finished_at, *rest = row
            players, seats, (inviter, place, other, is_out, are_out) = rest[:2], rest[2:4], rest[4:]
            challenge = Challenge(
                game_id,
                status,
                created_at,
                finished_at,
                tuple(players),
                seats=tuple(seats),
                challenger=inviter,
            )
            if place is not None and other is not None:
                challenge = replace(challenge, places=(place, other), sat_out=(is_out, are_out))
            result.append(challenge)
        return result

    def course(
        self, players: Collection[str] | None = None, ruleset: str = OVERALL
    ) -> list[RatingStep]:
        """List the rating changes game by game. Within a game, the higher rating comes first."""
        steps = [
            step for _, step in self._steps(ruleset) if players is None or step.player_id in players
        ]
        return sorted(
            steps,
            key=lambda step: (step.finished_at, step.game_id, -step.rating.mu, step.player_id),
        )

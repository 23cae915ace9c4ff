"""Reading ratings: how good and punctual people are, and against whom."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, bindparam, case, exists, func, or_, select

from pbem.domain.league.ladder import Challenge
from pbem.domain.terms.ratings import Rating
from pbem.store.rows.game_rows import GAME, SEAT
from pbem.store.rows.lobby_rows import INVITATION
from pbem.store.rows.standing_rows import RATING, RESULT, TURNS
from pbem.store.rows.texts import Tables
from pbem.store.tables.ratings import OVERALL


@dataclass(frozen=True, slots=True)
class Rated:
    """The newest rating of a person; `games` is the number of rated games."""

    player_id: str
    ruleset: str
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """Deadlines that a person met, and those they missed."""

    on_time: int = 0
    late: int = 0

    @property
    def percent(self) -> int | None:
        """Return the percentage on time, rounded down so that 100 means all.

        It is None without turns.
        """
        count = self.on_time + self.late
        return 100 * self.on_time // count if count else None


@dataclass(frozen=True, slots=True)
class Encounters:
    """Games that two people finished together, by which of them had the better place."""

    ahead: int = 0
    behind: int = 0
    equal: int = 0


@dataclass(frozen=True, slots=True)
class RatingStep:
    """The effect of one game on a person's rating."""

    player_id: str
    finished_at: datetime
    game_id: str
    rating: Rating


def _challenges() -> Select[Any]:
    """Return the query for challenges, a row each: it is a game of two."""
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
    """Queries about people, on the connection of one unit of work.

    `ruleset` is a name, or `OVERALL`. `players` None means everyone, including people who are not,
    or no longer, known here.
    """

    def rated(
        self, players: Collection[str] | None = None, ruleset: str | None = OVERALL
    ) -> list[Rated]:
        """List the newest ratings by ruleset and player; None means every ruleset."""
        later = RATING.alias("later")
        is_old = exists().where(
            later.c.player_id == RATING.c.player_id,
            later.c.ruleset == RATING.c.ruleset,
            or_(
                later.c.finished_at > RATING.c.finished_at,
                and_(
                    later.c.finished_at == RATING.c.finished_at, later.c.game_id > RATING.c.game_id
                ),
            ),
        )
        all_of_them = RATING.alias("all_of_them")
        games = (
            select(func.count())
            .where(
                all_of_them.c.player_id == RATING.c.player_id,
                all_of_them.c.ruleset == RATING.c.ruleset,
            )
            .scalar_subquery()
        )
        query = (
            select(RATING.c.player_id, RATING.c.ruleset, RATING.c.mu, RATING.c.sigma, games)
            .where(~is_old)
            .order_by(RATING.c.ruleset, RATING.c.player_id)
        )
        if ruleset is not None:
            query = query.where(RATING.c.ruleset == ruleset)
        if players is not None:
            query = query.where(RATING.c.player_id.in_(players))
        return [
            Rated(player, of, Rating(mu, sigma), count)
            for player, of, mu, sigma, count in self._connection.execute(query)
        ]

    def turns(
        self, players: Collection[str] | None = None, ruleset: str = OVERALL
    ) -> dict[str, TurnCounts]:
        """Return the punctuality of people, by player."""
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
        """Return a person's results against each opponent in finished games."""
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
        """List the challenges of a ruleset: in the order of their ends, then those that go on."""
        found = []
        for row in self._connection.execute(_CHALLENGES, {"ruleset": ruleset}):
            game_id, status, created_at, finished_at, *rest = row
            players, seats, (inviter, place, other, is_out, are_out) = rest[:2], rest[2:4], rest[4:]
            one = Challenge(
                game_id,
                status,
                created_at,
                finished_at,
                tuple(players),
                seats=tuple(seats),
                challenger=inviter,
            )
            if place is not None and other is not None:
                one = replace(one, places=(place, other), sat_out=(is_out, are_out))
            found.append(one)
        return found

    def course(
        self, players: Collection[str] | None = None, ruleset: str = OVERALL
    ) -> list[RatingStep]:
        """List the course of ratings, game by game; the higher rating after a game first."""
        query = (
            select(
                RATING.c.player_id,
                RATING.c.finished_at,
                RATING.c.game_id,
                RATING.c.mu,
                RATING.c.sigma,
            )
            .where(RATING.c.ruleset == ruleset)
            .order_by(
                RATING.c.finished_at, RATING.c.game_id, RATING.c.mu.desc(), RATING.c.player_id
            )
        )
        if players is not None:
            query = query.where(RATING.c.player_id.in_(players))
        return [
            RatingStep(player, at, game_id, Rating(mu, sigma))
            for player, at, game_id, mu, sigma in self._connection.execute(query)
        ]

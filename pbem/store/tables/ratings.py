"""Ratings from the places in games, as docs/standings.md says.

`rate` goes through the places in the order in which the games ended. A game that comes in with an
earlier end (imported, or decided elsewhere at the same moment) is rated at its own place, and all
later games are rated again: the order of arrival makes no difference. Several games that the same people
end within a day count once, so that resigning again and again moves no rating.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Table, and_, func, or_, select

from pbem.domain.terms.ratings import Rating, rated
from pbem.store.rows.standing_rows import RATING, RESULT
from pbem.store.rows.texts import Tables

OVERALL = ""
"""Stands for the ratings over the games of all rulesets."""

_RATING_LOCK = 0x7062656D_00000002
"""Advisory lock: one game is rated at a time ("pbem" and a number)."""
_PAGE = 500
ONCE_WITHIN = timedelta(days=1)
"""Of the games that the same people end within this time, only the first one is rated."""

Counted: TypeAlias = dict[tuple[str, frozenset[str]], datetime]
"""By ruleset (or `OVERALL`) and people, when their newest rated game ended."""


class Ratings(Tables):
    """Writes the table of ratings, in one unit of work."""

    def rate(self, finished_at: datetime | None = None, game_id: str = "") -> None:
        """Rate the games that ended at this place or later, in order of their ends.

        Args:
            finished_at: when the first of them ended; None for all games.
            game_id: the first of those that ended at the same moment.
        """
        if self._connection.dialect.name == "postgresql":
            self._connection.execute(select(func.pg_advisory_xact_lock(_RATING_LOCK)))
        delete = RATING.delete()
        if finished_at is not None:
            delete = delete.where(_is_from(RATING, finished_at, game_id))
        self._connection.execute(delete)
        known: dict[tuple[str, str], Rating] = {}
        counted = self._counted(finished_at)
        rows: list[dict[str, object]] = []
        for seats in self._ended(finished_at, game_id):
            self._meet(seats, known, is_first=finished_at is None)
            rows += _rated(seats, known, counted)
        for begin in range(0, len(rows), _PAGE):
            self._connection.execute(RATING.insert(), rows[begin : begin + _PAGE])

    def _counted(self, finished_at: datetime | None) -> Counted:
        """Return which people were rated together within a day before an instant."""
        if finished_at is None:
            return {}
        rows = self._connection.execute(
            select(
                RATING.c.ruleset, RATING.c.game_id, RATING.c.player_id, RATING.c.finished_at
            ).where(RATING.c.finished_at > finished_at - ONCE_WITHIN)
        )
        people: dict[tuple[str, str, datetime], set[str]] = {}
        for ruleset, game_id, player, ended_at in rows:
            people.setdefault((ruleset, game_id, ended_at), set()).add(player)
        return {
            (ruleset, frozenset(players)): ended_at
            for (ruleset, _, ended_at), players in sorted(
                people.items(), key=lambda item: item[0][2]
            )
        }

    def _ended(self, finished_at: datetime | None, game_id: str) -> Iterator[list[Any]]:
        """Return the seats of each game from this place on; reads them in pages."""
        query = select(RESULT).order_by(RESULT.c.finished_at, RESULT.c.game_id, RESULT.c.seat)
        while True:
            from_here = [] if finished_at is None else [_is_from(RESULT, finished_at, game_id)]
            rows = self._connection.execute(query.where(*from_here).limit(_PAGE)).all()
            groups = [list(seats) for _, seats in groupby(rows, lambda row: row.game_id)]
            if len(rows) < _PAGE:
                yield from groups
                return
            yield from groups[:-1]  # of the last one, seats may be missing
            finished_at, game_id = groups[-1][0].finished_at, groups[-1][0].game_id

    def _meet(
        self, seats: Sequence[Any], known: dict[tuple[str, str], Rating], *, is_first: bool
    ) -> None:
        """Note the ratings that the people of a game come with; `is_first`: nobody has one yet."""
        for seat in seats:
            for one in (seat.player_id, seat.ruleset), (seat.player_id, OVERALL):
                if one not in known:
                    known[one] = Rating() if is_first else self._last(*one)

    def _last(self, player: str, ruleset: str) -> Rating:
        row = self._connection.execute(
            select(RATING.c.mu, RATING.c.sigma)
            .where(RATING.c.player_id == player, RATING.c.ruleset == ruleset)
            .order_by(RATING.c.finished_at.desc(), RATING.c.game_id.desc())
            .limit(1)
        ).one_or_none()
        return Rating() if row is None else Rating(*row)


def _rated(
    seats: Sequence[Any], known: dict[tuple[str, str], Rating], counted: Counted
) -> Iterator[dict[str, object]]:
    """Return the rows of one game, in its ruleset and overall; changes what is known and counted.

    A list in which the same people were rated within a day before has no row of it.
    """
    people, ended_at = frozenset(seat.player_id for seat in seats), seats[0].finished_at
    places = [seat.place for seat in seats]
    sat_out = [seat.sat_out for seat in seats]
    for ruleset in dict.fromkeys((seats[0].ruleset, OVERALL)):
        last = counted.get((ruleset, people))
        if last is not None and ended_at - last < ONCE_WITHIN:
            continue
        counted[ruleset, people] = ended_at
        who = [(seat.player_id, ruleset) for seat in seats]
        after = rated([known[one] for one in who], places, sat_out)
        known.update(zip(who, after, strict=True))
        for (player, _), rating in zip(who, after, strict=True):
            yield {
                "player_id": player,
                "ruleset": ruleset,
                "finished_at": ended_at,
                "game_id": seats[0].game_id,
                "mu": rating.mu,
                "sigma": rating.sigma,
            }


def _is_from(table: Table, finished_at: datetime, game_id: str) -> ColumnElement[bool]:
    """Return the condition for rows of this end of a game or a later one."""
    at = table.c.finished_at
    return and_(at >= finished_at, or_(at > finished_at, table.c.game_id >= game_id))

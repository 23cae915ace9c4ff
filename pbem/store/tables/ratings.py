"""Places, ratings and punctuality from the log, as docs/standings.md says.

`fold` is called by the projections for every event, before they change their own tables; `rate`
turns places into ratings, in the order in which the games ended. A game that comes in with an
earlier end (imported, or decided elsewhere at the same moment) is rated at its own place, and all
later games are rated again: the order of arrival makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Insert,
    Table,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import AdminAsked, TurnTimedOut
from pbem.domain.log.events import Adjudicated, ChoicesRevealed, GameFinished, MovePlayed, Recorded
from pbem.domain.terms.ratings import Rating, rated
from pbem.domain.terms.seats import is_person, is_tutor
from pbem.store.rows.core import EVENT
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT
from pbem.store.rows.standing_rows import RATING, RESULT, TURNS
from pbem.store.rows.texts import Tables, insert_in, load_object

OVERALL = ""
"""Stands for the ratings over the games of all rulesets."""

_ANSWERS = frozenset({"mail", "standing"})
"""Sources of plies that the person decided on."""
_RATING_LOCK = 0x7062656D_00000002
"""Advisory lock: one game is rated at a time ("pbem" and a number)."""
_PAGE = 500
_ANSWERED = (
    select(DEADLINE.c.seat, SEAT.c.player_id, DEADLINE.c.due_at, SEAT.c.is_unreachable)
    .join(SEAT, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat))
    .join(
        TURNS,
        (TURNS.c.game_id == SEAT.c.game_id)
        & (TURNS.c.seat == SEAT.c.seat)
        & (TURNS.c.player_id == SEAT.c.player_id),
        isouter=True,
    )
    .where(
        DEADLINE.c.game_id == bindparam("game_id"),
        ~SEAT.c.is_bot,
        func.coalesce(TURNS.c.passed, 0) != DEADLINE.c.version,
    )
)
_ANSWERED_BY_SEAT = _ANSWERED.where(DEADLINE.c.seat == bindparam("seat"))


@cache
def _counting(dialect: str, *, notes_passed: bool) -> Insert:
    """Return the statement that adds to a seat's counts and notes the deadline."""
    insert = insert_in(dialect, TURNS)
    new = insert.excluded
    add = {"on_time": TURNS.c.on_time + new.on_time, "late": TURNS.c.late + new.late}
    noted = {"passed": new.passed} if notes_passed else {}
    return insert.on_conflict_do_update(
        index_elements=[TURNS.c.game_id, TURNS.c.seat, TURNS.c.player_id], set_={**add, **noted}
    )


class Ratings(Tables):
    """Writes the tables of `pbem.store.rows.standing_rows`, in one unit of work."""

    def fold(self, game_id: GameId, item: Recorded) -> bool:
        """Fold one event; return True if it ends a game that is to be rated."""
        match item.event:
            case MovePlayed(seat=seat, source=source) if source in _ANSWERS:
                self._answer(game_id, item, seat)
            case ChoicesRevealed():
                self._answer(game_id, item, None)
            case TurnTimedOut(seat, deadline) | AdminAsked(seat, deadline):
                self._let_pass(game_id, seat, deadline)
            case GameFinished(ranking=ranking) | Adjudicated(ranking=ranking):
                return self._finish(game_id, item, ranking)
            case _:
                pass
        return False

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
        for seats in self._ended(finished_at, game_id):
            self._rate_one(seats, known)

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

    def _answer(self, game_id: GameId, item: Recorded, seat: int | None) -> None:
        """Note who answered a deadline: one seat, or None for all that chose secretly."""
        if seat is None:
            rows = self._connection.execute(_ANSWERED, {"game_id": game_id})
        else:
            rows = self._connection.execute(_ANSWERED_BY_SEAT, {"game_id": game_id, "seat": seat})
        for number, player, due_at, is_unreachable in rows.all():
            is_late = item.recorded_at > due_at and self._waits(game_id)
            if not is_late:
                self._count(game_id, number, player, on_time=1)
            elif seat is not None and not is_unreachable:
                self._count(game_id, number, player, late=1)

    def _let_pass(self, game_id: GameId, seat: int, deadline: int) -> None:
        """Note that a deadline passed; unreachable people are not blamed for it."""
        row = self._connection.execute(
            select(SEAT.c.player_id, SEAT.c.is_unreachable)
            .join(
                DEADLINE, (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat)
            )
            .where(
                SEAT.c.game_id == game_id,
                SEAT.c.seat == seat,
                ~SEAT.c.is_bot,
                DEADLINE.c.version == deadline,
            )
        ).one_or_none()
        if row is None:
            return
        player, is_unreachable = row
        noted = self._connection.execute(
            select(TURNS.c.passed).where(
                TURNS.c.game_id == game_id, TURNS.c.seat == seat, TURNS.c.player_id == player
            )
        ).scalar_one_or_none()
        if noted != deadline:
            self._count(game_id, seat, player, late=int(not is_unreachable), passed=deadline)

    def _waits(self, game_id: GameId) -> bool:
        """True if a passing deadline leaves no trace in the log of this game."""
        public = self._connection.execute(
            select(EVENT.c.public).where(EVENT.c.game_id == game_id, EVENT.c.version == 1)
        ).scalar_one()
        created = load_object(public)
        timing = created.get("timing", created)  # version 1 had no clock of its own
        return isinstance(timing, dict) and timing.get("on_timeout") == "wait"

    def _count(
        self,
        game_id: GameId,
        seat: int,
        player: str,
        *,
        on_time: int = 0,
        late: int = 0,
        passed: int | None = None,
    ) -> None:
        self._connection.execute(
            _counting(self._connection.dialect.name, notes_passed=passed is not None),
            {
                "game_id": game_id,
                "seat": seat,
                "player_id": player,
                "on_time": on_time,
                "late": late,
                "passed": passed or 0,
            },
        )

    def _finish(self, game_id: GameId, item: Recorded, ranking: Sequence[Sequence[int]]) -> bool:
        """Note the places of people among people, if they mean anything.

        Bots from the start are left out. A lesson does not count, nor does a game in which a person
        plays alone or twice.
        """
        seats = self._connection.execute(
            select(SEAT.c.seat, SEAT.c.player_id, SEAT.c.is_bot, GAME.c.ruleset)
            .join(GAME, GAME.c.id == SEAT.c.game_id)
            .where(SEAT.c.game_id == game_id)
            .order_by(SEAT.c.seat)
        ).all()
        places: dict[int, int] = {}
        for group in ranking:
            places |= dict.fromkeys(group, len(places) + 1)
        people = [row for row in seats if is_person(row.player_id)]
        is_known = self._connection.execute(
            select(RESULT.c.seat).where(RESULT.c.game_id == game_id).limit(1)
        ).first()
        if (
            is_known
            or sorted(seat for group in ranking for seat in group) != [row.seat for row in seats]
            or not 1 < len({row.player_id for row in people}) == len(people)
            or any(is_tutor(row.player_id) for row in seats)
        ):
            return False
        self._connection.execute(
            RESULT.insert(),
            [
                {
                    "game_id": game_id,
                    "seat": row.seat,
                    "player_id": row.player_id,
                    "ruleset": row.ruleset,
                    "place": places[row.seat],
                    "sat_out": row.is_bot,
                    "finished_at": item.recorded_at,
                }
                for row in people
            ],
        )
        return True

    def _rate_one(self, seats: Sequence[Any], known: dict[tuple[str, str], Rating]) -> None:
        """Rate one game, in its ruleset and overall; `known` caches ratings."""
        rows: list[dict[str, object]] = []
        places = [seat.place for seat in seats]
        sat_out = [seat.sat_out for seat in seats]
        for ruleset in dict.fromkeys((seats[0].ruleset, OVERALL)):
            who = [(seat.player_id, ruleset) for seat in seats]
            for player, of in who:
                if (player, of) not in known:
                    known[player, of] = self._last(player, of)
            after = rated([known[one] for one in who], places, sat_out)
            known.update(zip(who, after, strict=True))
            rows += [
                {
                    "player_id": player,
                    "ruleset": ruleset,
                    "finished_at": seats[0].finished_at,
                    "game_id": seats[0].game_id,
                    "mu": rating.mu,
                    "sigma": rating.sigma,
                }
                for (player, _), rating in zip(who, after, strict=True)
            ]
        self._connection.execute(RATING.insert(), rows)

    def _last(self, player: str, ruleset: str) -> Rating:
        row = self._connection.execute(
            select(RATING.c.mu, RATING.c.sigma)
            .where(RATING.c.player_id == player, RATING.c.ruleset == ruleset)
            .order_by(RATING.c.finished_at.desc(), RATING.c.game_id.desc())
            .limit(1)
        ).one_or_none()
        return Rating() if row is None else Rating(*row)


def _is_from(table: Table, finished_at: datetime, game_id: str) -> ColumnElement[bool]:
    """Return the condition for rows of this end of a game or a later one."""
    at = table.c.finished_at
    return and_(at >= finished_at, or_(at > finished_at, table.c.game_id >= game_id))

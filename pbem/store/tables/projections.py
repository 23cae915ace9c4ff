"""The tables derived only from the log: games, seats, deadlines, results, punctuality.

`apply` writes the changes of a game in the transaction that appends its events. `rebuild` replays
every game. `game_state` computes the rows. The `next_at` of a deadline schedules its next check and
is ignored in comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import structlog
from sqlalchemy import Column, ColumnElement, Connection, Table, bindparam, exists, func, select

from pbem.domain.log.chain import GameId
from pbem.domain.table.fold import rebuild
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.errors import LogError, UpcastError
from pbem.store.log.event_store import EventStore
from pbem.store.rows.core import EVENT, METADATA, REACH, Row
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT, Deadline, GameStatus, SeatStatus
from pbem.store.rows.standing_rows import RESULT, TURNS
from pbem.store.rows.texts import Tables, Upsert, insert_in, spelt
from pbem.store.tables import game_state

log = structlog.get_logger(__name__)

_SAME_SEAT = (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat)
_DUE = (
    select(Deadline)
    .join(SEAT, _SAME_SEAT)
    .where(DEADLINE.c.next_at <= bindparam("now"), SEAT.c.is_bot == bindparam("bots"))
    .order_by(DEADLINE.c.next_at, DEADLINE.c.game_id, DEADLINE.c.seat)
    .limit(bindparam("most"))
)
_IS_LOST = REACH.c.lost_at.is_not(None)
_OPEN_SEATS = (
    select(SeatStatus)
    .join(GAME, GAME.c.id == SEAT.c.game_id)
    .where(
        GAME.c.status.in_([spelt(status) for status in UNFINISHED]),
        SEAT.c.status.in_([spelt(status) for status in AT_TABLE]),
    )
    .order_by(SEAT.c.game_id, SEAT.c.seat)
    .limit(bindparam("most"))
)
_NEWLY_LOST = _OPEN_SEATS.join(REACH, REACH.c.player_id == SEAT.c.player_id).where(
    _IS_LOST, ~SEAT.c.is_unreachable
)
_FOUND_AGAIN = _OPEN_SEATS.where(
    SEAT.c.is_unreachable, ~exists().where(REACH.c.player_id == SEAT.c.player_id, _IS_LOST)
)
TABLES = (GAME, SEAT, DEADLINE, TURNS, RESULT)
_STREAMS = select(EVENT.c.game_id).where(EVENT.c.version == 1)
_GAMES = select(GameStatus).order_by(GAME.c.created_at, GAME.c.id)
_GAME = select(GameStatus).where(GAME.c.id == bindparam("game_id"))
_SEATS = select(SeatStatus).where(SEAT.c.game_id == bindparam("game_id")).order_by(SEAT.c.seat)
_CLEAR_SEAT = DEADLINE.delete().where(
    DEADLINE.c.game_id == bindparam("game_id"), DEADLINE.c.seat == bindparam("seat")
)
_AT_ONCE = 500
"""Number of games written in one batch."""


@cache
def _setting(dialect: str, name: str) -> Upsert:
    """Return a statement that inserts a row or replaces the row with the same key."""
    table = METADATA.tables[name]
    insert = insert_in(dialect, table)
    new = {
        column.name: insert.excluded[column.name] for column in table.c if not column.primary_key
    }
    return insert.on_conflict_do_update(index_elements=[*table.primary_key], set_=new)


class Projections(Tables):
    """Access to the projections within one unit of work.

    Args:
        log: the event store, which also knows which games are rated.
    """

    def __init__(self, connection: Connection, log: EventStore) -> None:
        super().__init__(connection)
        self._log = log

    # -- writing ---------------------------------------------------------------------------------

    def apply(self, before: Game | None, after: Game, now: datetime) -> None:
        """Update the tables after a game has changed.

        Args:
            before: the game as represented in the tables, or None if they have no rows for it.
            after: the game after the change.
            now: when the change was recorded.
        """
        counts = before is not None or self._log.is_rated(after.id)
        self._write([(before, after, counts)], now)

    def rewrite_rows(self, game: Game, now: datetime) -> None:
        """Delete and rewrite all rows of a game."""
        self._delete(lambda column: column == game.id)
        self.apply(None, game, now)

    def rebuild(self, progress: Callable[[int], None] | None = None) -> int:
        """Replay every game in the log and rewrite its rows.

        If a game cannot be replayed, because a key is lost or a ruleset is not installed, its rows
        are kept. Rows without a log are deleted.

        Args:
            progress: called after each game with the number of games done.

        Returns:
            The number of games in the log.
        """
        self._delete(lambda column: column.not_in(_STREAMS))
        unrated, done = self._log.unrated(), 0
        batch: list[tuple[None, Game, bool]] = []
        for done, game_id in enumerate(self._log.games(), 1):
            try:
                game = rebuild(self._log.recorded(game_id), game_id)
            except (LogError, UpcastError) as error:
                log.warning(
                    "game cannot be replayed; keeping its rows",
                    action="rows_stay",
                    game=game_id,
                    error=str(error),
                )
            else:
                batch.append((None, game, game_id not in unrated))
            if len(batch) == _AT_ONCE:
                self._replace(batch)
                batch.clear()
            if progress is not None:
                progress(done)
        self._replace(batch)
        return done

    def _replace(self, games: Sequence[tuple[None, Game, bool]]) -> None:
        ids = [game.id for _, game, _ in games]
        self._delete(lambda column: column.in_(ids))
        self._write(games, None)

    def _delete(self, which: Callable[[Column[Any]], ColumnElement[bool]]) -> None:
        for table in TABLES:
            column = table.c.id if table is GAME else table.c.game_id
            self._connection.execute(table.delete().where(which(column)))

    def unsound(self, game: Game) -> list[str]:
        """Return the tables in which a game's rows differ from those of its replay."""
        rows = _other_rows(game, is_rated=self._log.is_rated(game.id))
        rows[DEADLINE] = [*game_state.deadline_rows(game).values()]
        return [
            table.name
            for table in TABLES
            if self._rows(table, game.id) != sorted(_comparable(table, row) for row in rows[table])
        ]

    def _rows(self, table: Table, game_id: GameId) -> list[tuple[Any, ...]]:
        column = table.c.id if table is GAME else table.c.game_id
        query = select(*_compared(table)).where(column == game_id)
        return sorted(tuple(row) for row in self._connection.execute(query))

    def has_strays(self) -> bool:
        """True if there are rows of games that are not in the log."""
        columns = [table.c.id if table is GAME else table.c.game_id for table in TABLES]
        queries = [select(column).where(column.not_in(_STREAMS)).limit(1) for column in columns]
        return any(self._connection.execute(query).first() is not None for query in queries)

    def move_next_at(self, deadline: Deadline, next_at: datetime) -> None:
        """Set when a deadline has to be checked next."""
        self._connection.execute(
            DEADLINE.update()
            .where(
                DEADLINE.c.game_id == deadline.game_id,
                DEADLINE.c.version == deadline.version,
                DEADLINE.c.seat == deadline.seat,
            )
            .values(next_at=next_at)
        )

    def _write(
        self, changes: Sequence[tuple[Game | None, Game, bool]], now: datetime | None
    ) -> None:
        """Write the differences between the games and their rows.

        Args:
            changes: each game before and after the change, and whether it is rated.
            now: when the changes were recorded, or None for a rebuild.
        """
        ended: list[dict[str, object]] = []
        new: dict[Table, list[Row]] = {table: [] for table in TABLES}
        for before, after, is_rated in changes:
            old, new_deadlines = _deadlines(before, after, now)
            ended += [{"game_id": after.id, "seat": seat} for seat in old]
            new[DEADLINE] += new_deadlines
            for table, rows in _other_rows(after, before, is_rated=is_rated).items():
                new[table] += rows
        if ended:
            self._connection.execute(_CLEAR_SEAT, ended)
        for table, of_table in new.items():
            if of_table:
                self._connection.execute(
                    _setting(self._connection.dialect.name, table.name),
                    [row.columns() for row in of_table],
                )

    # -- reading ---------------------------------------------------------------------------------

    def game(self, game_id: GameId) -> GameStatus | None:
        """Return the row of a game, or None."""
        return self._read_one(_GAME, {"game_id": game_id})

    def games(self, status: str | None = None) -> Sequence[GameStatus]:
        """List games, oldest first. None lists every status."""
        return self._read(_GAMES if status is None else _GAMES.where(GAME.c.status == status))

    def unfinished(self) -> list[tuple[str, int, int, GameId]]:
        """Summarize the unfinished games by ruleset.

        Returns name, version, number of games and the ID of one game for each ruleset.
        """
        query = (
            select(GAME.c.ruleset, GAME.c.ruleset_version, func.count(), func.min(GAME.c.id))
            .where(GAME.c.status.in_(UNFINISHED))
            .group_by(GAME.c.ruleset, GAME.c.ruleset_version)
            .order_by(GAME.c.ruleset, GAME.c.ruleset_version)
        )
        return [
            (name, version, count, GameId(game_id))
            for name, version, count, game_id in self._connection.execute(query)
        ]

    def games_like(self, beginning: str, limit: int) -> list[GameId]:
        """List the games whose IDs begin with a prefix, in order."""
        query = (
            select(GAME.c.id)
            .where(GAME.c.id.startswith(beginning, autoescape=True))
            .order_by(GAME.c.id)
            .limit(limit)
        )
        return [GameId(game_id) for game_id in self._connection.execute(query).scalars()]

    def waiting_for(
        self, status: str | None = None
    ) -> list[tuple[GameId, str, datetime | None, datetime | None]]:
        """List game, player, clock start and due time of all seats, ordered by game and seat.

        The times are None if no clock is running for the seat.
        """
        query = (
            select(SEAT.c.game_id, SEAT.c.player_id, DEADLINE.c.set_at, DEADLINE.c.due_at)
            .join(GAME, GAME.c.id == SEAT.c.game_id)
            .join(
                DEADLINE,
                (DEADLINE.c.game_id == SEAT.c.game_id) & (DEADLINE.c.seat == SEAT.c.seat),
                isouter=True,
            )
            .order_by(GAME.c.created_at, SEAT.c.game_id, SEAT.c.seat)
        )
        if status is not None:
            query = query.where(GAME.c.status == status)
        return [
            (GameId(game), player, since, due)
            for game, player, since, due in self._connection.execute(query)
        ]

    def games_of(self, player_id: str) -> Sequence[GameStatus]:
        """List the games in which a player has or had a seat, oldest first."""
        seated = select(SEAT.c.game_id).where(SEAT.c.player_id == player_id)
        return self._read(_GAMES.where(GAME.c.id.in_(seated)))

    def open_games(self, limit: int) -> list[GameId]:
        """List the games with a seat that anyone can take, oldest first."""
        query = (
            select(GAME.c.id)
            .where(
                GAME.c.status == "inviting",
                exists().where(SEAT.c.game_id == GAME.c.id, SEAT.c.status == "open"),
            )
            .order_by(GAME.c.created_at, GAME.c.id)
            .limit(limit)
        )
        return [GameId(game_id) for game_id in self._connection.execute(query).scalars()]

    def seats(self, game_id: GameId) -> Sequence[SeatStatus]:
        """List the seats of a game, in order."""
        return self._read(_SEATS, {"game_id": game_id})

    def reach_changes(self, limit: int) -> list[SeatStatus]:
        """List seats of unfinished games whose log disagrees with their player's reachability."""
        return [
            seat
            for query in (_NEWLY_LOST, _FOUND_AGAIN)
            for seat in self._read(query, {"most": limit})
        ]

    def due(self, now: datetime, limit: int, *, bots: bool = False) -> Sequence[Deadline]:
        """List deadlines to check now, because of a reminder or because they have passed, oldest first.

        Lists deadlines of human players, or with `bots` of seats played by bots.
        """
        return self._read(_DUE, {"now": now, "bots": bots, "most": limit})

    def count_late(self, before: datetime) -> int:
        """Count human players' deadlines that should have been checked before a time."""
        query = select(func.count()).select_from(DEADLINE.join(SEAT, _SAME_SEAT))
        return self._scalar(query.where(DEADLINE.c.next_at <= before, ~SEAT.c.is_bot), default=0)

    def next_due(self) -> datetime | None:
        """Return when the next deadline is due for a check, or None."""
        query = select(func.min(DEADLINE.c.next_at))
        return self._scalar(query, default=None)

    def open_deadlines(self, game_id: GameId) -> Sequence[Deadline]:
        """List the running deadlines of a game, ordered by seat."""
        query = select(Deadline).where(DEADLINE.c.game_id == game_id)
        return self._read(query.order_by(DEADLINE.c.seat))

    def all_deadlines(self, begin: datetime, end: datetime) -> Sequence[Deadline]:
        """List the deadlines that overlap a period, ordered by due time."""
        query = select(Deadline).where(DEADLINE.c.set_at < end, DEADLINE.c.due_at > begin)
        order = DEADLINE.c.due_at, DEADLINE.c.game_id, DEADLINE.c.seat
        return self._read(query.order_by(*order))

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return all rows of the projection tables without `next_at`, in a comparable form."""
        return {
            table.name: sorted(
                tuple(row) for row in self._connection.execute(select(*_compared(table)))
            )
            for table in TABLES
        }


def _compared(table: Table) -> list[Column[Any]]:
    return [column for column in table.c if column is not DEADLINE.c.next_at]


def _comparable(table: Table, row: Row) -> tuple[Any, ...]:
    return tuple(getattr(row, column.name) for column in _compared(table))


def _other_rows(
    game: Game, known: Game | None = None, *, is_rated: bool
) -> dict[Table, Sequence[Row]]:
    """Compute the rows of a game in all tables except `deadline`.

    Args:
        known: an earlier state of the game. Unchanged seats, turns and results are left out.
    """
    old = [] if known is None else game_state.result_rows(known)
    return {
        GAME: [game_state.game_row(game)],
        SEAT: game_state.seat_rows(game, known),
        TURNS: game_state.turn_rows(game, known) if is_rated else [],
        RESULT: [row for row in game_state.result_rows(game) if is_rated and row not in old],
    }


def _deadlines(
    before: Game | None, after: Game, now: datetime | None
) -> tuple[list[int], list[Deadline]]:
    """Return the seats whose deadline ended, and the deadlines that began or changed."""
    known = {} if before is None else game_state.deadline_rows(before)
    running = game_state.deadline_rows(after)
    ended = [
        seat
        for seat, old in known.items()
        if seat not in running or running[seat].version != old.version
    ]
    new = []
    for seat, deadline in running.items():
        is_bot = _has_bot(after, seat)
        if deadline != known.get(seat) or is_bot != _has_bot(before, seat):
            deadline.next_at = _next_look(deadline, now or deadline.set_at, is_bot=is_bot)
            new.append(deadline)
    return ended, new


def _has_bot(game: Game | None, seat: int) -> bool:
    return game is not None and game.seats[seat].controller == "bot"


def _next_look(deadline: Deadline, since: datetime, *, is_bot: bool) -> datetime:
    """Return when to check a new deadline first. A seat played by a bot is checked at once."""
    if is_bot:
        return since
    later = (time for time in deadline.reminders if since < time < deadline.due_at)
    return next(later, deadline.due_at)


def keep_writers_out(connection: Connection) -> None:
    """Lock the log until the end of a transaction that rebuilds the projections.

    A concurrent writer would change rows that are about to be replaced, and its change would be
    lost. On SQLite, which allows only one writer, this does nothing.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE event IN SHARE ROW EXCLUSIVE MODE")

"""The tables derived from the log alone: games, seats, deadlines, ratings.

`apply` folds new events in the transaction that appends them; `rebuild` drops the tables and folds
every stream again. Both do it in memory, by `folding`, and write what came of it. Only public fields
count: a redacted log gives the same.
`next_at` of a deadline says when to look at it next; it is not part of the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, bindparam, create_engine, exists, func, select

from engine.api import JsonValue
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Recorded
from pbem.domain.table.game import AT_TABLE, UNFINISHED
from pbem.store.log.codec import decode
from pbem.store.log.event_store import EventStore
from pbem.store.rows.core import EVENT, METADATA, REACH
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT
from pbem.store.rows.standing_rows import RATING, RESULT, TURNS
from pbem.store.rows.texts import Upsert, insert_in, load_object, read_times, write_times
from pbem.store.seal.envelope import Envelopes
from pbem.store.tables.folding import Folding, Turns
from pbem.store.tables.projected import Deadline, GameStatus, SeatStatus, deadlines_of
from pbem.store.tables.ratings import Ratings

_SAME_SEAT = (SEAT.c.game_id == DEADLINE.c.game_id) & (SEAT.c.seat == DEADLINE.c.seat)
_WITH_CONTROLLER = select(DEADLINE, SEAT.c.is_bot).join(SEAT, _SAME_SEAT)
_DUE = (
    _WITH_CONTROLLER.where(
        DEADLINE.c.next_at <= bindparam("now"), SEAT.c.is_bot == bindparam("bots")
    )
    .order_by(DEADLINE.c.next_at, DEADLINE.c.game_id, DEADLINE.c.seat)
    .limit(bindparam("most"))
)
_IS_LOST = REACH.c.lost_at.is_not(None)
_OPEN_SEATS = (
    select(SEAT)
    .join(GAME, GAME.c.id == SEAT.c.game_id)
    .where(GAME.c.status.in_(UNFINISHED), SEAT.c.status.in_(AT_TABLE))
    .order_by(SEAT.c.game_id, SEAT.c.seat)
    .limit(bindparam("most"))
)
_NEWLY_LOST = _OPEN_SEATS.join(REACH, REACH.c.player_id == SEAT.c.player_id).where(
    _IS_LOST, ~SEAT.c.is_unreachable
)
_FOUND_AGAIN = _OPEN_SEATS.where(
    SEAT.c.is_unreachable, ~exists().where(REACH.c.player_id == SEAT.c.player_id, _IS_LOST)
)
TABLES = (GAME, SEAT, DEADLINE, TURNS, RESULT, RATING)
_GAME = select(GAME).where(GAME.c.id == bindparam("game_id"))
_SEATS = select(SEAT).where(SEAT.c.game_id == bindparam("game_id")).order_by(SEAT.c.seat)
_CLEAR_SEAT = DEADLINE.delete().where(
    DEADLINE.c.game_id == bindparam("game_id"), DEADLINE.c.seat == bindparam("seat")
)
_MOVE = (
    DEADLINE.update()
    .where(
        DEADLINE.c.game_id == bindparam("of"),
        DEADLINE.c.version == bindparam("old_version"),
        DEADLINE.c.seat == bindparam("old_seat"),
    )
    .values({column: bindparam(column.name) for column in DEADLINE.c if column.name != "game_id"})
)
_CHANGE_GAME = GAME.update().where(GAME.c.id == bindparam("of"))
_KNOWN = (
    select(
        GAME.c.ruleset,
        GAME.c.status,
        exists().where(RESULT.c.game_id == bindparam("game_id")),
        SEAT.c.seat,
        SEAT.c.player_id,
        SEAT.c.status,
        SEAT.c.is_unreachable,
        SEAT.c.is_bot,
        TURNS.c.player_id,
        TURNS.c.on_time,
        TURNS.c.late,
        TURNS.c.passed,
        DEADLINE.c.version,
        DEADLINE.c.set_at,
        DEADLINE.c.due_at,
        DEADLINE.c.reminders,
        DEADLINE.c.next_at,
    )
    .join(SEAT, SEAT.c.game_id == GAME.c.id)
    .join(DEADLINE, _SAME_SEAT, isouter=True)
    .join(TURNS, (TURNS.c.game_id == SEAT.c.game_id) & (TURNS.c.seat == SEAT.c.seat), isouter=True)
    .where(GAME.c.id == bindparam("game_id"))
)
"""A row for each seat and each person whose turns are counted there."""
_FIRST = select(EVENT.c.public).where(EVENT.c.game_id == bindparam("game_id"), EVENT.c.version == 1)

_AT_ONCE = 500
"""So many games are written together."""


@cache
def _setting(dialect: str, name: str) -> Upsert:
    """Return the statement that puts a row in the place of the one with its key, if there is one."""
    table = METADATA.tables[name]
    insert = insert_in(dialect, table)
    new = {
        column.name: insert.excluded[column.name] for column in table.c if not column.primary_key
    }
    return insert.on_conflict_do_update(index_elements=[*table.primary_key], set_=new)


class Projections:
    """The rebuilt tables, in one unit of work; `log` has streams from elsewhere."""

    def __init__(self, connection: Connection, log: EventStore | None = None) -> None:
        self._connection = connection
        self._log = log or EventStore(connection, Envelopes())
        self._ratings = Ratings(connection)

    # -- writing ---------------------------------------------------------------------------------

    def apply(self, game_id: GameId, recorded: Sequence[Recorded]) -> None:
        """Fold events that follow the folded ones."""
        is_new = bool(recorded) and recorded[0].version == 1
        before = Folding(game_id, self._log.is_rated(game_id)) if is_new else self._known(game_id)
        after = before.copy()
        after.fold(recorded)
        self._write([(before, after)])
        if after.ended_at is not None:
            self._ratings.rate(after.ended_at, game_id)

    def anew(self, game_id: GameId, recorded: Sequence[Recorded]) -> None:
        """Fold one game again, with all of its events."""
        for table in TABLES:
            column = table.c.id if table is GAME else table.c.game_id
            self._connection.execute(table.delete().where(column == game_id))
        self.apply(game_id, recorded)

    def rebuild(self, progress: Callable[[int], None] | None = None) -> int:
        """Drop everything and fold every stream of the log again.

        Args:
            progress: told the number of games done, after each.

        Returns:
            The number of games.
        """
        for table in TABLES:
            self._connection.execute(table.delete())
        done = 0
        batch: list[tuple[Folding, Folding]] = []
        unrated = self._log.unrated()
        for game_id in self._log.games():
            folding = Folding(game_id, game_id not in unrated)
            events = self._log.read_public(game_id)
            folding.fold([decode(event, redacted=True) for event in events])
            batch.append((Folding(game_id), folding))
            if len(batch) == _AT_ONCE:
                self._write(batch)
                batch.clear()
            done += 1
            if progress is not None:
                progress(done)
        self._write(batch)
        self._ratings.rate()
        return done

    def move_next_at(self, deadline: Deadline, next_at: datetime) -> None:
        """Note when to look at a deadline next."""
        self._connection.execute(
            DEADLINE.update()
            .where(
                DEADLINE.c.game_id == deadline.game_id,
                DEADLINE.c.version == deadline.version,
                DEADLINE.c.seat == deadline.seat,
            )
            .values(next_at=next_at)
        )

    def _known(self, game_id: GameId) -> Folding:
        """Return what the tables hold of a game."""
        known = Folding(game_id, clock=lambda: self._clock(game_id))
        for row in self._connection.execute(_KNOWN, {"game_id": game_id}):
            ruleset, status, known.has_places, seat, *sits, of, on_time, late, passed = row[:12]
            known.game = {"ruleset": ruleset, "status": status}
            known.seats[seat] = SeatStatus(game_id, seat, *sits)
            if of is not None:
                known.turns[seat, of] = Turns(on_time, late, passed)
            version, set_at, due_at, reminders, next_at = row[12:]
            if version is not None:
                times = read_times(reminders)
                known.deadlines[seat] = Deadline(
                    game_id, version, seat, set_at, due_at, times, next_at
                )
        return known

    def _clock(self, game_id: GameId) -> Mapping[str, JsonValue]:
        public = self._connection.execute(_FIRST, {"game_id": game_id}).scalar_one()
        timing = load_object(public).get("timing")
        return timing if isinstance(timing, dict) else {}

    def _write(self, changes: Sequence[tuple[Folding, Folding]]) -> None:
        """Write how games differ from what the tables hold of them."""
        gone: list[dict[str, object]] = []
        moved: list[dict[str, object]] = []
        rows: dict[Table, list[dict[str, object]]] = {table: [] for table in TABLES}
        for before, after in changes:
            ended, begun, changed = _deadlines(before, after)
            both = min(len(ended), len(begun))  # the row of one that ends becomes that of the next
            moved += [
                {"of": old.game_id, "old_version": old.version, "old_seat": old.seat, **new}
                for old, new in zip(ended[:both], begun, strict=False)
            ]
            gone += [{"game_id": one.game_id, "seat": one.seat} for one in ended[both:]]
            rows[DEADLINE] += changed + begun[both:]
            if not before.game and after.game:
                rows[GAME].append(after.game)
            elif after.game != before.game:
                columns = dict(after.game.items() - before.game.items())
                self._connection.execute(_CHANGE_GAME, {"of": after.id, **columns})
            rows[SEAT] += [
                _row(SEAT, one)
                for seat, one in after.seats.items()
                if one != before.seats.get(seat)
            ]
            rows[TURNS] += [
                {"game_id": after.id, "seat": seat, "player_id": player, **turns._asdict()}
                for (seat, player), turns in after.turns.items()
                if turns != before.turns.get((seat, player))
            ]
            rows[RESULT] += after.places
        if gone:
            self._connection.execute(_CLEAR_SEAT, gone)
        if moved:
            self._connection.execute(_MOVE, moved)
        for table, new in rows.items():
            if new:
                self._connection.execute(_setting(self._connection.dialect.name, table.name), new)

    # -- reading ---------------------------------------------------------------------------------

    def game(self, game_id: GameId) -> GameStatus | None:
        """Return one game."""
        row = self._connection.execute(_GAME, {"game_id": game_id}).one_or_none()
        return None if row is None else GameStatus(*row)

    def games(self, status: str | None = None) -> list[GameStatus]:
        """List games, oldest first; of every status if None."""
        query = select(GAME).order_by(GAME.c.created_at, GAME.c.id)
        if status is not None:
            query = query.where(GAME.c.status == status)
        return [GameStatus(*row) for row in self._connection.execute(query)]

    def unfinished(self) -> list[tuple[str, int, int, GameId]]:
        """Return each ruleset with unfinished games: name, version, their number, one of them."""
        query = (
            select(GAME.c.ruleset, GAME.c.ruleset_version, func.count(), func.min(GAME.c.id))
            .where(GAME.c.status.in_(UNFINISHED))
            .group_by(GAME.c.ruleset, GAME.c.ruleset_version)
            .order_by(GAME.c.ruleset, GAME.c.ruleset_version)
        )
        return [
            (name, version, count, GameId(one))
            for name, version, count, one in self._connection.execute(query)
        ]

    def games_like(self, beginning: str, limit: int) -> list[GameId]:
        """List the games whose ids begin so, by id."""
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
        """List the seats of games, in the games' and the seats' order: who, since when, until when.

        The instants are when the clock of the seat's turn began, and when its time is up; None if
        no clock runs for it.
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

    def games_of(self, player_id: str) -> list[GameStatus]:
        """List the games in which a person has or had a seat, oldest first."""
        seated = select(SEAT.c.game_id).where(SEAT.c.player_id == player_id)
        query = select(GAME).where(GAME.c.id.in_(seated)).order_by(GAME.c.created_at, GAME.c.id)
        return [GameStatus(*row) for row in self._connection.execute(query)]

    def open_games(self, limit: int) -> list[GameId]:
        """List the games with a place that anyone can take, oldest first."""
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

    def seats(self, game_id: GameId) -> list[SeatStatus]:
        """List the seats of a game, in order."""
        return [SeatStatus(*row) for row in self._connection.execute(_SEATS, {"game_id": game_id})]

    def reach_changes(self, limit: int) -> list[SeatStatus]:
        """List seats of unfinished games with a log that lags behind their reachability."""
        return [
            SeatStatus(*row)
            for query in (_NEWLY_LOST, _FOUND_AGAIN)
            for row in self._connection.execute(query, {"most": limit})
        ]

    def due(self, now: datetime, limit: int, *, bots: bool = False) -> list[Deadline]:
        """List deadlines to look at now, to remind or as passed, oldest first.

        They are those of people, or those of seats with bots.
        """
        given = {"now": now, "bots": bots, "most": limit}
        return deadlines_of(self._connection.execute(_DUE, given))

    def count_late(self, before: datetime) -> int:
        """Count people's deadlines whose time to be looked at was before an instant."""
        query = select(func.count()).select_from(DEADLINE.join(SEAT, _SAME_SEAT))
        late: int = self._connection.execute(
            query.where(DEADLINE.c.next_at <= before, ~SEAT.c.is_bot)
        ).scalar_one()
        return late

    def next_due(self) -> datetime | None:
        """Return the instant of the next look at a deadline."""
        query = select(func.min(DEADLINE.c.next_at))
        at: datetime | None = self._connection.execute(query).scalar_one()
        return at

    def open_deadlines(self, game_id: GameId) -> list[Deadline]:
        """List the running deadlines of a game, by seat."""
        rows = self._connection.execute(
            _WITH_CONTROLLER.where(DEADLINE.c.game_id == game_id).order_by(DEADLINE.c.seat)
        )
        return deadlines_of(rows)

    def all_deadlines(self, begin: datetime, end: datetime) -> list[Deadline]:
        """List the deadlines that ran between two instants, the next one first."""
        rows = self._connection.execute(
            _WITH_CONTROLLER.where(DEADLINE.c.set_at < end, DEADLINE.c.due_at > begin).order_by(
                DEADLINE.c.due_at, DEADLINE.c.game_id, DEADLINE.c.seat
            )
        )
        return deadlines_of(rows)

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return all rows, without `next_at`, in a comparable form."""
        return {
            table.name: sorted(
                tuple(row)
                for row in self._connection.execute(
                    select(*(column for column in table.c if column is not DEADLINE.c.next_at))
                )
            )
            for table in TABLES
        }


def _row(table: Table, value: object) -> dict[str, object]:
    return {column.name: getattr(value, column.name) for column in table.c}


def _deadlines(
    before: Folding, after: Folding
) -> tuple[list[Deadline], list[dict[str, object]], list[dict[str, object]]]:
    """Return the deadlines that ended, and the rows of those that began and that changed."""
    ended = [
        one
        for seat, one in before.deadlines.items()
        if seat not in after.deadlines or after.deadlines[seat].version != one.version
    ]
    begun, changed = list[dict[str, object]](), list[dict[str, object]]()
    for seat, one in after.deadlines.items():
        known = before.deadlines.get(seat)
        if one != known:
            is_same = known is not None and known.version == one.version
            row = _row(DEADLINE, one) | {"reminders": write_times(one.reminders)}
            (changed if is_same else begun).append(row)
    return ended, begun, changed


def keep_writers_out(connection: Connection) -> None:
    """Lock the log until the end of a unit that rebuilds the projections.

    A writer would change rows that are about to be replaced, and the new rows would lack the
    change. On SQLite a unit that writes is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE event IN SHARE ROW EXCLUSIVE MODE")


def fold_apart(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Fold the whole log into tables in memory; return their `dump`.

    Args:
        connection: the connection of a reading unit; nothing is written there.

    Raises: LogError, StoreError if the log cannot be folded.
    """
    memory = create_engine("sqlite://")
    try:
        with memory.begin() as apart:
            METADATA.create_all(apart, tables=[*TABLES])
            projections = Projections(apart, EventStore(connection, Envelopes()))
            projections.rebuild()
            return projections.dump()
    finally:
        memory.dispose()

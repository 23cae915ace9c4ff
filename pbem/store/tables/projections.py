"""The tables derived from the log alone: games, seats, deadlines, ratings.

`apply` folds new events in the transaction that appends them; `rebuild` drops the tables and folds
every stream again, through the same code. Only public fields count: a redacted log gives the same.
`next_at` of a deadline says when to look at it next; it is not part of the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, bindparam, create_engine, exists, func, select

from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import (
    AdminAsked,
    BankChanged,
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    GameResumed,
    TurnTimedOut,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.events import (
    Adjudicated,
    AnonymousTalkSet,
    ChoicesRevealed,
    DisputeOpened,
    DisputeResolved,
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    HandsRevealedToAdmin,
    Hidden,
    MessagePosted,
    MovePlayed,
    MovesRetracted,
    PageSet,
    PhraseGiven,
    ReasonGiven,
    Recorded,
)
from pbem.domain.log.motion_events import MotionEnded, MotionOpened, VoteCast
from pbem.domain.log.seat_events import (
    InvitationExpired,
    ObserverLeft,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    PlayerReachable,
    PlayerUnreachable,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.table.game import AT_TABLE, UNFINISHED
from pbem.domain.terms.seats import first_status, is_bot
from pbem.store.log.codec import decode
from pbem.store.log.event_store import EventStore
from pbem.store.rows.core import EVENT, METADATA, REACH
from pbem.store.rows.game_rows import DEADLINE, GAME, SEAT
from pbem.store.rows.standing_rows import RATING, RESULT, TURNS
from pbem.store.rows.texts import insert_for, storable
from pbem.store.seal.envelope import Envelopes
from pbem.store.tables.projected import (
    Deadline,
    GameStatus,
    SeatStatus,
    deadlines_of,
    first_after,
    write_times,
)
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
_CHANGE_GAME = GAME.update().where(GAME.c.id == bindparam("of"))
_SEATS = select(SEAT).where(SEAT.c.game_id == bindparam("game_id")).order_by(SEAT.c.seat)
_BOTS = select(SEAT.c.seat).where(SEAT.c.game_id == bindparam("game_id"), SEAT.c.is_bot)
_CLEAR = DEADLINE.delete().where(DEADLINE.c.game_id == bindparam("game_id"))
_CLEAR_SEAT = _CLEAR.where(DEADLINE.c.seat == bindparam("seat"))
_SET_DEADLINE = DEADLINE.insert()

_AT_ONCE = 500


class Projections:
    """The rebuilt tables, in one unit of work; `log` has streams from elsewhere."""

    def __init__(self, connection: Connection, log: EventStore | None = None) -> None:
        self._connection = connection
        self._log = log or EventStore(connection, Envelopes())
        self._ratings = Ratings(connection)

    # -- writing ---------------------------------------------------------------------------------

    def apply(self, game_id: GameId, recorded: Sequence[Recorded]) -> None:
        """Fold events that follow the folded ones."""
        for end in self._fold(game_id, recorded):
            self._ratings.rate(end, game_id)

    def _fold(self, game_id: GameId, recorded: Sequence[Recorded]) -> list[datetime]:
        """Fold events; return when the game ended, if it did and is to be rated."""
        ends = []
        # An imported game is over: its later events do not affect standings.
        counts = not recorded or recorded[0].version > 1 or self._log.is_rated(game_id)
        for item, following in zip_longest(recorded, recorded[1:]):
            if counts and self._ratings.fold(game_id, item):
                ends.append(item.recorded_at)
            is_cleared = following is not None and isinstance(following.event, DeadlineSet)
            if not (is_cleared and isinstance(item.event, MovePlayed)):
                self._apply_one(game_id, item)
        if recorded:
            last = recorded[-1]
            self._set_game(game_id, version=last.version, head=last.hash)
        return ends

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
        for game_id in self._log.games():
            events = self._log.read_public(game_id)
            self._fold(game_id, [decode(event, redacted=True) for event in events])
            done += 1
            if progress is not None:
                progress(done)
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

    def _apply_one(self, game_id: GameId, item: Recorded) -> None:
        match event := item.event:
            case GameCreated():
                self._create(game_id, item, event)
            case GameStarted():
                self._set_game(game_id, status="running")
            case GameFinished() | GameStopped() | Adjudicated():
                status = "stopped" if isinstance(event, GameStopped) else "finished"
                self._set_game(game_id, status=status, finished_at=item.recorded_at)
                self._clear(game_id)
            case PlayerInvited(seat, player):
                self._seat_player(game_id, seat, player, "invited")
            case PlayerJoined(seat, player):
                self._seat_player(game_id, seat, player, "joined")
            case PlayerDeclined(seat, player):
                self._seat_player(game_id, seat, player, "declined")
            case InvitationExpired(seat, player):
                self._seat_player(game_id, seat, player, "expired")
            case SeatReplaced(seat=seat, player=player):
                self._replace(game_id, seat, player)
            case SeatResigned(seat):
                self._leave(game_id, seat, "resigned")
            case SeatRemoved(seat=seat):
                self._leave(game_id, seat, "removed")
            case PlayerUnreachable(seat=seat) | PlayerReachable(seat=seat):
                self._connection.execute(
                    SEAT.update()
                    .where(SEAT.c.game_id == game_id, SEAT.c.seat == seat)
                    .values(is_unreachable=isinstance(event, PlayerUnreachable))
                )
            case SeatControllerChanged():
                self._set_controller(game_id, item, event)
            case MovePlayed(seat=seat):
                self._clear(game_id, seat)
            case GamePaused() | MovesRetracted():
                self._clear(game_id)
            case DeadlineSet():
                self._set_deadline(game_id, item, event)
            case DeadlineExtended() | ClockCompensated():
                self._extend(game_id, item, event)
            case (
                AdminAsked()
                | AnonymousTalkSet()
                | PageSet()
                | BankChanged()
                | ChoicesRevealed()
                | DisputeOpened()
                | DisputeResolved()
                | GameResumed()
                | HandsRevealedToAdmin()
                | Hidden()
                | MessagePosted()
                | MotionEnded()
                | MotionOpened()
                | ObserverLeft()
                | PhraseGiven()
                | ReasonGiven()
                | TurnTimedOut()
                | VacationEnded()
                | VacationTaken()
                | VoteCast()
            ):
                pass  # no table depends on them

    def _create(self, game_id: GameId, item: Recorded, event: GameCreated) -> None:
        self._connection.execute(
            GAME.insert().values(
                id=game_id,
                ruleset=storable(event.ruleset),
                ruleset_version=event.ruleset_version,
                status="inviting",
                version=item.version,
                head=item.hash,
                created_at=item.recorded_at,
            )
        )
        for seat, player in enumerate(event.seats):
            self._seat_player(game_id, seat, player, first_status(player))

    def _set_game(self, game_id: GameId, **values: object) -> None:
        self._connection.execute(_CHANGE_GAME, {"of": game_id, **values})

    def _seat_player(self, game_id: GameId, seat: int, player: str, status: str) -> None:
        values = {  # a stream may come from elsewhere
            "player_id": storable(player),
            "status": status,
            "is_bot": is_bot(player),
        }
        self._connection.execute(
            insert_for(self._connection, SEAT)
            .values(game_id=game_id, seat=seat, is_unreachable=False, **values)
            .on_conflict_do_update(index_elements=[SEAT.c.game_id, SEAT.c.seat], set_=values)
        )

    def _replace(self, game_id: GameId, seat: int, player: str) -> None:
        game = self.game(game_id)
        is_before = game is not None and game.status == "inviting"
        asked = {"status": first_status(player)} if is_before else {}
        self._connection.execute(
            SEAT.update()
            .where(SEAT.c.game_id == game_id, SEAT.c.seat == seat)
            .values(
                player_id=storable(player), is_unreachable=False, is_bot=is_bot(player), **asked
            )
        )

    def _leave(self, game_id: GameId, seat: int, status: str) -> None:
        self._connection.execute(
            SEAT.update()
            .where(SEAT.c.game_id == game_id, SEAT.c.seat == seat)
            .values(status=status)
        )
        self._clear(game_id, seat)

    def _set_controller(
        self, game_id: GameId, item: Recorded, event: SeatControllerChanged
    ) -> None:
        is_bot = event.controller == "bot"
        self._connection.execute(
            SEAT.update()
            .where(SEAT.c.game_id == game_id, SEAT.c.seat == event.seat)
            .values(is_bot=is_bot)
        )
        for deadline in self.open_deadlines(game_id):
            if deadline.seat == event.seat:
                at = item.recorded_at
                later = first_after(at, deadline.reminders, deadline.due_at)
                self.move_next_at(deadline, at if is_bot else later)

    def _set_deadline(self, game_id: GameId, item: Recorded, event: DeadlineSet) -> None:
        self._clear(game_id)
        reminders = sorted(event.reminders)
        bots = self._bots(game_id)
        rows = [
            {
                "game_id": game_id,
                "version": item.version,
                "seat": seat,
                "set_at": event.starts_at,
                "due_at": event.fires_at,
                "reminders": write_times(reminders),
                "next_at": item.recorded_at
                if seat in bots
                else first_after(item.recorded_at, reminders, event.fires_at),
            }
            for seat in sorted(set(event.seats))
        ]
        if rows:
            self._connection.execute(_SET_DEADLINE, rows)

    def _extend(
        self, game_id: GameId, item: Recorded, event: DeadlineExtended | ClockCompensated
    ) -> None:
        reminders = sorted(event.reminders)
        self._connection.execute(
            DEADLINE.update()
            .where(DEADLINE.c.game_id == game_id, DEADLINE.c.version == event.deadline)
            .values(due_at=event.fires_at, reminders=write_times(reminders))
        )
        for deadline in self.open_deadlines(game_id):
            if deadline.version == event.deadline and not deadline.is_bot:  # a bot plays at once
                later = first_after(item.recorded_at, reminders, event.fires_at)
                self.move_next_at(deadline, later)

    def _bots(self, game_id: GameId) -> set[int]:
        return set(self._connection.execute(_BOTS, {"game_id": game_id}).scalars())

    def _clear(self, game_id: GameId, seat: int | None = None) -> None:
        given = {"game_id": game_id} if seat is None else {"game_id": game_id, "seat": seat}
        self._connection.execute(_CLEAR if seat is None else _CLEAR_SEAT, given)

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

    def waiting_for(self, status: str | None = None) -> list[tuple[GameId, str, datetime | None]]:
        """List the seats of games, in the games' and the seats' order: who has it, until when.

        The instant is when the seat's time is up; None if no clock runs for it.
        """
        query = (
            select(SEAT.c.game_id, SEAT.c.player_id, DEADLINE.c.due_at)
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
            (GameId(game), player, due) for game, player, due in self._connection.execute(query)
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
            METADATA.create_all(apart, tables=[EVENT, *TABLES])
            # Ratings look up how a game was made.
            made = connection.execute(select(EVENT).where(EVENT.c.version == 1))
            for rows in made.partitions(_AT_ONCE):
                apart.execute(EVENT.insert(), [dict(row._mapping) for row in rows])
            projections = Projections(apart, EventStore(connection, Envelopes()))
            projections.rebuild()
            return projections.dump()
    finally:
        memory.dispose()

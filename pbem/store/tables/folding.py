"""What the projections hold of one game, in memory, and how events change it.

Pure: `projections` loads it and writes what has changed. Only public fields count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from engine.api import JsonValue
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import (
    AdminAsked,
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    TurnTimedOut,
)
from pbem.domain.log.events import (
    Adjudicated,
    ChoicesRevealed,
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    MovePlayed,
    MovesRetracted,
    Recorded,
)
from pbem.domain.log.seat_events import (
    InvitationExpired,
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
from pbem.domain.terms.seats import first_status, is_bot, is_person, is_tutor
from pbem.store.rows.texts import storable
from pbem.store.tables.projected import Deadline, SeatStatus

_ANSWERS = frozenset({"mail", "standing"})
"""Sources of plies that the person decided on."""


class Turns(NamedTuple):
    """How punctual a person was in a seat; as `TurnsRow`."""

    on_time: int = 0
    late: int = 0
    passed: int = 0


@dataclass(slots=True)
class Folding:
    """One game.

    Attributes:
        counts: False if it does not count in standings: it was played elsewhere.
        game: its row; of a game that the tables hold, only what is asked here and what changes.
        clock: returns its timing, as its first event has it.
        deadlines: those that run, by seat.
        turns: by seat and player.
        places: rows of its result, once it is over and is to be rated.
        ended_at: when the events that were folded ended it, if they did and it is to be rated.
    """

    id: GameId
    counts: bool = True
    game: dict[str, Any] = field(default_factory=dict)
    clock: Callable[[], Mapping[str, JsonValue]] = dict
    seats: dict[int, SeatStatus] = field(default_factory=dict)
    deadlines: dict[int, Deadline] = field(default_factory=dict)
    turns: dict[tuple[int, str], Turns] = field(default_factory=dict)
    places: list[dict[str, Any]] = field(default_factory=list)
    has_places: bool = False
    ended_at: datetime | None = None

    def fold(self, recorded: Sequence[Recorded]) -> None:
        """Fold events that follow the folded ones."""
        for item in recorded:
            if self.counts:
                self._rate(item)
            self._apply(item)
        if recorded:
            last = recorded[-1]
            self._set_game(version=last.version, head=last.hash)

    def copy(self) -> Folding:
        """Return a copy that can be changed."""
        return replace(
            self,
            game={**self.game},
            seats={**self.seats},
            deadlines={**self.deadlines},
            turns={**self.turns},
        )

    # -- games, seats, deadlines -----------------------------------------------------------------

    def _apply(self, item: Recorded) -> None:
        match event := item.event:
            case MovePlayed(seat=seat):
                self.deadlines.pop(seat, None)
            case DeadlineSet():
                self._set_deadline(item, event)
            case GameCreated():
                self._create(item, event)
            case GameStarted():
                self._set_game(status="running")
            case GameFinished() | GameStopped() | Adjudicated():
                status = "stopped" if isinstance(event, GameStopped) else "finished"
                self._set_game(status=status, finished_at=item.recorded_at)
                self.deadlines.clear()
            case PlayerInvited(seat, player):
                self._seat_player(seat, player, "invited")
            case PlayerJoined(seat, player):
                self._seat_player(seat, player, "joined")
            case PlayerDeclined(seat, player):
                self._seat_player(seat, player, "declined")
            case InvitationExpired(seat, player):
                self._seat_player(seat, player, "expired")
            case SeatReplaced(seat=seat, player=player):
                self._replace(seat, player)
            case SeatResigned(seat):
                self._leave(seat, "resigned")
            case SeatRemoved(seat=seat):
                self._leave(seat, "removed")
            case PlayerUnreachable(seat=seat) | PlayerReachable(seat=seat):
                self._set_seat(seat, {"is_unreachable": isinstance(event, PlayerUnreachable)})
            case SeatControllerChanged():
                self._set_controller(item, event)
            case GamePaused() | MovesRetracted():
                self.deadlines.clear()
            case DeadlineExtended() | ClockCompensated():
                self._extend(item, event)
            case _:
                pass  # no table depends on them

    def _create(self, item: Recorded, event: GameCreated) -> None:
        self.game = {
            "id": self.id,
            "ruleset": storable(event.ruleset),
            "ruleset_version": event.ruleset_version,
            "status": "inviting",
            "version": item.version,
            "head": item.hash,
            "created_at": item.recorded_at,
            "finished_at": None,
            "is_challenge": event.challenge,
        }
        self.clock = lambda: event.timing
        for seat, player in enumerate(event.seats):
            self._seat_player(seat, player, first_status(player))

    def _set_game(self, **values: object) -> None:
        if self.game:
            self.game.update(values)

    def _set_seat(self, seat: int, values: Mapping[str, Any]) -> None:
        if seat in self.seats:
            self.seats[seat] = replace(self.seats[seat], **values)

    def _seat_player(self, seat: int, player: str, status: str) -> None:
        known = self.seats.get(seat)
        self.seats[seat] = SeatStatus(
            self.id,
            seat,
            storable(player),  # a stream may come from elsewhere
            status,
            is_unreachable=known is not None and known.is_unreachable,
            is_bot=is_bot(player),
        )

    def _replace(self, seat: int, player: str) -> None:
        is_before = self.game.get("status") == "inviting"
        new = {"player_id": storable(player), "is_unreachable": False, "is_bot": is_bot(player)}
        asked = {"status": first_status(player)} if is_before else {}
        self._set_seat(seat, new | asked)
        self._set_game(is_challenge=False)

    def _leave(self, seat: int, status: str) -> None:
        self._set_seat(seat, {"status": status})
        self.deadlines.pop(seat, None)

    def _set_controller(self, item: Recorded, event: SeatControllerChanged) -> None:
        is_bot = event.controller == "bot"
        self._set_seat(event.seat, {"is_bot": is_bot})
        deadline = self.deadlines.get(event.seat)
        if deadline is not None:
            at = item.recorded_at
            next_at = at if is_bot else _first_after(at, deadline.reminders, deadline.due_at)
            self.deadlines[event.seat] = replace(deadline, next_at=next_at)

    def _set_deadline(self, item: Recorded, event: DeadlineSet) -> None:
        self.deadlines.clear()
        reminders = tuple(sorted(event.reminders))
        at = item.recorded_at
        for seat in event.seats:
            if seat not in self.seats:
                continue
            self.deadlines[seat] = Deadline(
                self.id,
                item.version,
                seat,
                event.starts_at,
                event.fires_at,
                reminders,
                at if self.seats[seat].is_bot else _first_after(at, reminders, event.fires_at),
            )

    def _extend(self, item: Recorded, event: DeadlineExtended | ClockCompensated) -> None:
        reminders = tuple(sorted(event.reminders))
        later = _first_after(item.recorded_at, reminders, event.fires_at)
        for seat, deadline in self.deadlines.items():
            if deadline.version == event.deadline:
                self.deadlines[seat] = replace(
                    deadline,
                    due_at=event.fires_at,
                    reminders=reminders,
                    # a bot plays at once
                    next_at=deadline.next_at if self.seats[seat].is_bot else later,
                )

    # -- standings -------------------------------------------------------------------------------

    def _rate(self, item: Recorded) -> None:
        """Fold places and punctuality, before the event changes the seats and deadlines."""
        match item.event:
            case MovePlayed(seat=seat, source=source) if source in _ANSWERS:
                self._answer(item, seat, is_asked=True)
            case ChoicesRevealed():
                for seat in sorted(self.deadlines):
                    self._answer(item, seat, is_asked=False)
            case TurnTimedOut(seat, deadline) | AdminAsked(seat, deadline):
                self._let_pass(seat, deadline)
            case GameFinished(ranking=ranking) | Adjudicated(ranking=ranking):
                self._finish(item, ranking)
            case _:
                pass

    def _answer(self, item: Recorded, seat: int, *, is_asked: bool) -> None:
        """Note that a seat answered its deadline; `is_asked`: its own mail did, in the open."""
        deadline = self.deadlines.get(seat)
        if deadline is None or self.seats[seat].is_bot:
            return
        turns = self._turns(seat)
        if turns.passed == deadline.version:
            return
        # Where a deadline that passes leaves no trace in the log, a late answer tells.
        if item.recorded_at > deadline.due_at and self.clock().get("on_timeout") == "wait":
            if is_asked and not self.seats[seat].is_unreachable:
                self._count(seat, turns._replace(late=turns.late + 1))
        else:
            self._count(seat, turns._replace(on_time=turns.on_time + 1))

    def _let_pass(self, seat: int, version: int) -> None:
        """Note that a deadline passed; unreachable people are not blamed for it."""
        deadline = self.deadlines.get(seat)
        if deadline is None or deadline.version != version or self.seats[seat].is_bot:
            return
        turns = self._turns(seat)
        if turns.passed != version:
            late = turns.late + (not self.seats[seat].is_unreachable)
            self._count(seat, turns._replace(late=late, passed=version))

    def _turns(self, seat: int) -> Turns:
        return self.turns.get((seat, self.seats[seat].player_id), Turns())

    def _count(self, seat: int, turns: Turns) -> None:
        self.turns[seat, self.seats[seat].player_id] = turns

    def _finish(self, item: Recorded, ranking: Sequence[Sequence[int]]) -> None:
        """Note the places of people among people, if they mean anything.

        Bots from the start are left out. A lesson does not count, nor does a game in which a person
        plays alone or twice.
        """
        seats = [self.seats[seat] for seat in sorted(self.seats)]
        places: dict[int, int] = {}
        for group in ranking:
            places |= dict.fromkeys(group, len(places) + 1)
        people = [seat for seat in seats if is_person(seat.player_id)]
        if (
            self.has_places
            or sorted(seat for group in ranking for seat in group) != [one.seat for one in seats]
            or not 1 < len({one.player_id for one in people}) == len(people)
            or any(is_tutor(one.player_id) for one in seats)
        ):
            return
        self.has_places, self.ended_at = True, item.recorded_at
        self.places = [
            {
                "game_id": self.id,
                "seat": one.seat,
                "player_id": one.player_id,
                "ruleset": self.game["ruleset"],
                "place": places[one.seat],
                "sat_out": one.is_bot,
                "finished_at": item.recorded_at,
            }
            for one in people
        ]


def _first_after(now: datetime, reminders: Sequence[datetime], due_at: datetime) -> datetime:
    """Return the first instant to look at a deadline, after the event itself."""
    return next((at for at in reminders if now < at < due_at), due_at)

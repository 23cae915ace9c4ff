"""Admins' acts on the clock of a game, for `acts.carry_out`. The players read the reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.domain.clock import clockwork
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, decide, timeouts
from pbem.mail_out import texts
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import Deadline

LATE_AFTER = timedelta(minutes=5)
"""Deadlines overdue for longer are waiting for something, or the service is down."""


def pause(change: Change, reason: str) -> None:
    """Stop the clock of a game. Raises: Refusal."""
    clockwork.pause(change.decision, "admin", acts.checked_reason(reason))


def resume(change: Change, reason: str) -> None:
    """Restart the clock with the time that was left. Raises: Refusal."""
    clockwork.resume(change.decision, "admin")
    acts.explain(change.decision, reason)


def extend(change: Change, time: timedelta, reason: str) -> None:
    """Grant more time to the players whose turn it is. Raises: Refusal."""
    clockwork.grant(change.decision, time, "admin")
    acts.explain(change.decision, reason)


def hand_to_bot(change: Change, seat: int, reason: str) -> None:
    """Let a bot decide for a seat until its player writes. Raises: Refusal."""
    timeouts.replace_by_bot(change.decision, seat)
    acts.explain(change.decision, reason)
    decide.settle(change.decision)


def stand_by(change: Change, seat: int, reason: str) -> None:
    """Play a safe move for a seat whose time is up. Raises: Refusal."""
    timeouts.call_time(change.decision, seat)
    acts.explain(change.decision, reason)
    timeouts.stand_by(change.decision, seat)
    decide.settle(change.decision)


@dataclass(frozen=True, slots=True)
class Due:
    """A row of `pbem game deadlines`. Paused and damaged games have no time.

    Attributes:
        state: `running`, `late`, `bot`, `asked`, `waiting`, `mail` (a message of the seat is
            unhandled), `unsent` (its turn message is unsent), `given_up` (that message was
            abandoned, so another one is created), `paused` or `broken`.
    """

    game_id: GameId
    seat: int | None
    name: str
    due_at: datetime | None
    state: str


def deadlines(service: Service) -> list[Due]:
    """List all running deadlines, the next one first, and the paused games."""
    now = service.now()
    with service.store.reading() as uow:
        entries = uow.projections.all_deadlines(*_ALWAYS)
        rows = [_due_of(uow, entry, now) for entry in entries]
        timed = {entry.game_id for entry in entries}
        still = [row.id for row in uow.projections.games("running") if row.id not in timed]
        return [*rows, *(_still(uow, game_id) for game_id in still)]


_ALWAYS = (datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))


def _due_of(uow: UnitOfWork, entry: Deadline, now: datetime) -> Due:
    seat = next(row for row in uow.projections.seats(entry.game_id) if row.seat == entry.seat)
    names = texts.shown_names(games.shown_names(uow, [seat.player_id]))
    state = "bot" if seat.is_bot else _state(uow, entry, now)
    return Due(entry.game_id, entry.seat, names[0], entry.due_at, state)


def _state(uow: UnitOfWork, entry: Deadline, now: datetime) -> str:
    if entry.due_at + LATE_AFTER > now:
        return "running"
    if uow.inbox.has_open_in_time(entry.game_id, entry.seat, entry.due_at):
        return "mail"
    if uow.outbox.has_unsent(entry.game_id, entry.seat, entry.version):
        return "unsent"
    game = games.load_if_sound(uow, entry.game_id)
    if game is None:
        return "broken"
    if entry.seat not in game.to_act or game.waits_for(entry.seat):
        return "waiting"
    is_untold = uow.outbox.untold(entry.game_id, entry.seat, entry.version) is not None
    if is_untold and not game.seats[entry.seat].is_unreachable:
        return "given_up"
    return {"ask": "asked", "wait": "waiting"}.get(game.timing.on_timeout, "late")


def _still(uow: UnitOfWork, game_id: GameId) -> Due:
    game = games.load_if_sound(uow, game_id)
    is_paused = game is not None and game.paused_at is not None
    return Due(game_id, None, "", None, "paused" if is_paused else "broken")

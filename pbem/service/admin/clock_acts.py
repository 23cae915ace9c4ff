"""Admins' acts on the clock of a game. The players read the reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.domain.clock import clockwork
from pbem.domain.log.chain import GameId
from pbem.domain.play import acts, decide, timeouts
from pbem.domain.table.game import Game
from pbem.mail_out import texts
from pbem.service.admin.acts import AdminAct, carry_out
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import Deadline

LATE_AFTER = timedelta(minutes=5)
"""Deadlines overdue for longer are waiting for something, or the service is down."""


def pause(service: Service, game_id: GameId, reason: str) -> Game:
    """Stop the clock of a game. Raises: Refusal, UnknownStreamError, LogError."""
    return carry_out(service, game_id, pausing(reason))


def resume(service: Service, game_id: GameId, reason: str) -> Game:
    """Restart the clock with the time that was left. Raises like `pause`."""
    return carry_out(service, game_id, resuming(reason))


def extend(service: Service, game_id: GameId, time: timedelta, reason: str) -> Game:
    """Grant more time to the players whose turn it is. Raises like `pause`."""
    return carry_out(service, game_id, granting(time, reason))


def hand_to_bot(service: Service, game_id: GameId, seat: int, reason: str) -> Game:
    """Let a bot decide for a seat until its player writes. Raises like `pause`."""
    return carry_out(service, game_id, handing_to_bot(seat, reason))


def stand_by(service: Service, game_id: GameId, seat: int, reason: str) -> Game:
    """Play a safe move for a seat whose time is up. Raises like `pause`."""
    return carry_out(service, game_id, standing_by(seat, reason))


def pausing(reason: str) -> AdminAct:
    """Return the act that stops the clock. Raises: Refusal."""
    said = acts.given(reason)
    return lambda change: clockwork.pause(change.decision, "admin", said)


def resuming(reason: str) -> AdminAct:
    """Return the act that restarts the clock. The act raises Refusal."""

    def act(change: Change) -> None:
        decision = change.decision
        clockwork.resume(decision, "admin")
        acts.explain(decision, reason)

    return act


def granting(time: timedelta, reason: str) -> AdminAct:
    """Return the act that gives more time. The act raises Refusal."""

    def act(change: Change) -> None:
        decision = change.decision
        clockwork.grant(decision, time, "admin")
        acts.explain(decision, reason)

    return act


def handing_to_bot(seat: int, reason: str) -> AdminAct:
    """Return the act that lets a bot decide for a seat. The act raises Refusal."""

    def act(change: Change) -> None:
        decision = change.decision
        timeouts.replace_by_bot(decision, seat)
        acts.explain(decision, reason)
        decide.settle(decision)

    return act


def standing_by(seat: int, reason: str) -> AdminAct:
    """Return the act that plays a safe move for a seat whose time is up. The act raises Refusal."""

    def act(change: Change) -> None:
        decision = change.decision
        timeouts.call_time(decision, seat)
        acts.explain(decision, reason)
        timeouts.stand_by(decision, seat)
        decide.settle(decision)

    return act


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
        found = [_told(uow, entry, now) for entry in entries]
        timed = {entry.game_id for entry in entries}
        still = [row.id for row in uow.projections.games("running") if row.id not in timed]
        return [*found, *(_still(uow, game_id) for game_id in still)]


_ALWAYS = (datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))


def _told(uow: UnitOfWork, entry: Deadline, now: datetime) -> Due:
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

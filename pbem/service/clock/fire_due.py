"""Fire reminders and timeouts. The projection finds them, and the log decides.

Processing is idempotent: it may run late, twice or concurrently, because a deadline is identified
by the version of its DeadlineSet event, and only the running one can fire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import takewhile

import structlog

from pbem.domain.log.clock_events import AdminAsked
from pbem.domain.log.seat_events import SeatControllerChanged
from pbem.domain.play import timeouts
from pbem.domain.table.decision import CLOCK
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_out.kinds import TURN
from pbem.service.change import changing, lock, set_apart
from pbem.service.clock import bot_seats, digests, downtime
from pbem.service.core import games, live_database, reminders
from pbem.service.core.context import Service
from pbem.service.league import rounds
from pbem.service.lobby import expiry
from pbem.service.notify import mailings, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import Deadline

log = structlog.get_logger(__name__)

HELD_GRACE = timedelta(hours=12)
"""How long after its arrival a held message, sent in time, postpones its seat's deadline."""

SETTLED_PAUSE = timedelta(hours=1)
"""Pause after a seat's secret choice. It keeps its deadline row until the reveal, to hide that."""

BOT_PAUSE = timedelta(minutes=1)
"""Pause before a bot that could not move (unread message, concurrent worker) is checked again."""

INTAKE_SETTLES = timedelta(seconds=1)
"""Maximum time from the arrival of a message to its storage in the inbox."""

WAIT_FOR_DELIVERY = timedelta(minutes=5)
"""Pause before a deadline whose turn message is unsent is checked again."""

MAIL_AGAIN = timedelta(hours=12)
"""Pause after which an abandoned turn message is created again."""


PEOPLE_AT_ONCE = 500
"""Maximum number of human players' deadlines fired in one check."""
BOTS_AT_ONCE = 20
"""Maximum number of bots' turns played in one check."""


def fire_due(service: Service) -> int:
    """Fire all due deadlines of bots and people and return their number."""
    return play_bots(service) + fire_people(service)


def fire_people(service: Service) -> int:
    """Fire the due deadlines of people, then take all other due steps. Return the number of both.

    Call this once the inbox is drained. Nothing fires if the last heartbeat is so old that the next
    one ends an outage (the machine was suspended, or its clock jumped). The outage then extends the
    deadlines first.
    """
    with service.store.reading() as uow:
        now = service.now()
        beat = uow.outages.last_beat(live_database.SERVE)
        if _is_gap(service, beat, now):
            return 0
        due = uow.projections.due(now, PEOPLE_AT_ONCE)
    fired = _fire_all(service, due, beat, _fire_person)
    if _is_gap(service, beat, service.now()):
        return fired
    taken = rounds.take_due_steps(service) + expiry.process_due(service)
    return fired + taken + digests.queue_due(service) + digests.queue_weekly(service)


def play_bots(service: Service, *, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Play the due turns of bots and return the number of turns.

    If `should_stop` returns True, stop after the current turn.
    """
    with service.store.reading() as uow:
        beat = uow.outages.last_beat(live_database.SERVE)
        due = uow.projections.due(service.now(), BOTS_AT_ONCE, bots=True)
    return _fire_all(service, takewhile(lambda _: not should_stop(), due), beat, _play_bot)


def _fire_all(
    service: Service,
    due: Iterable[Deadline],
    beat: datetime | None,
    act: Callable[[Service, Deadline, datetime], bool],
) -> int:
    fired = 0
    for entry in due:
        now = service.now()
        if _is_gap(service, beat, now):
            break
        fired += _fire(service, entry, now, act)
    return fired


def _is_gap(service: Service, beat: datetime | None, now: datetime) -> bool:
    return beat is not None and now - beat > service.config.serve.outage_after


def next_alarm(service: Service) -> datetime | None:
    """Return the next time at which work is due: a deadline, a reminder or a message."""
    with service.store.reading() as uow:
        now = service.now()
        instants = [
            uow.projections.next_due(),
            uow.invitations.next_due(),
            uow.leagues.next_due(),
            uow.outbox.next_due(now),
            uow.players.next_digest(),
        ]
    return min((instant for instant in instants if instant is not None), default=None)


def _fire_person(service: Service, entry: Deadline, now: datetime) -> bool:
    with service.store.unit_of_work() as uow:
        lock(uow, entry.game_id)
        if downtime.compensate(service, uow, entry):
            return False
        if now < entry.due_at + INTAKE_SETTLES:
            return _remind(service, uow, entry, now)
        return _time_out(service, uow, entry, now)


def _fire(
    service: Service,
    entry: Deadline,
    now: datetime,
    act: Callable[[Service, Deadline, datetime], bool],
) -> bool:
    def put_off(uow: UnitOfWork) -> None:
        uow.projections.move_next_at(entry, now + games.PAUSE)
        games.note_stopped(service, uow, entry.game_id)

    with set_apart(service, entry.game_id, put_off):
        try:
            return act(service, entry, now)
        except Refusal:  # settled: the seat has chosen, or another move came first
            with service.store.unit_of_work() as uow:
                uow.projections.move_next_at(entry, now + SETTLED_PAUSE)
    return False


def _play_bot(service: Service, entry: Deadline, now: datetime) -> bool:
    if bot_seats.play_turn(service, entry):
        return True
    with service.store.unit_of_work() as uow:
        uow.projections.move_next_at(entry, now + BOT_PAUSE)
    return False


def _remind(service: Service, uow: UnitOfWork, entry: Deadline, now: datetime) -> bool:
    """Queue the latest due reminder, at most once, and schedule the next check."""
    game = games.load(uow, entry.game_id)
    if game.deadline is None or game.deadline.version != entry.version:
        return False  # another move came first
    player = uow.players.get(game.seats[entry.seat].player)
    instants = reminders.instants(game, entry.seat, player)
    passed = [time for time in instants if time <= now]
    ahead = [time for time in instants if time > now]
    if passed and entry.seat in game.to_act:  # no reminder after a secret choice
        mailings.queue_reminder(service, uow, game, entry.seat, passed[-1])
    fires_at = entry.due_at + INTAKE_SETTLES
    uow.projections.move_next_at(entry, min([*ahead, fires_at]))
    return bool(passed)


def _time_out(service: Service, uow: UnitOfWork, entry: Deadline, now: datetime) -> bool:
    held_after = now - HELD_GRACE
    if uow.inbox.has_open_in_time(
        entry.game_id, entry.seat, entry.due_at, held_after=held_after
    ) or uow.outbox.has_unsent(entry.game_id, entry.seat, entry.version):
        later = now + min(WAIT_FOR_DELIVERY, entry.due_at - entry.set_at)
        uow.projections.move_next_at(entry, later)
        return False
    game = games.load(uow, entry.game_id)
    if _mail_again(service, uow, game, entry, now):
        return False
    cause = f"deadline:{entry.version}"
    with changing(service, uow, entry.game_id, actor=CLOCK, cause=cause, now=now) as change:
        timeouts.time_out(change.decision, entry.seat, entry.version)
    if not change.events:
        return _wait(service, uow, game, entry, now)
    for item in change.events:
        if isinstance(item.event, AdminAsked):
            _ask_admins(service, uow, change.game, entry.seat, item.version)
        elif isinstance(item.event, SeatControllerChanged) and item.event.why == "misses":
            _offer_replacement(service, uow, change.game, entry.seat, item.version)
    log.info("deadline fired", action="timed_out", game=entry.game_id, seat=entry.seat)
    return True


def _mail_again(
    service: Service, uow: UnitOfWork, game: Game, entry: Deadline, now: datetime
) -> bool:
    """Create a turn message again if it was abandoned and the player got no other message.

    A player who was never notified of their turn is not late. For a seat that is known to be
    unreachable, the game's own setting decides.
    """
    state = game.seats[entry.seat]
    if entry.seat not in game.to_act or state.is_unreachable or state.controller != "person":
        return False
    failed = uow.outbox.untold(entry.game_id, entry.seat, entry.version)
    if failed is None:
        return False
    why = f"given-up:{failed}"
    mailings.queue_another(service, uow, game, entry.seat, TURN, why)
    pause = min(MAIL_AGAIN, timedelta(seconds=game.time_per_move))
    uow.projections.move_next_at(entry, now + pause)
    return True


def _ask_admins(service: Service, uow: UnitOfWork, game: Game, seat: int, version: int) -> None:
    (name,) = games.shown_names(uow, [game.seats[seat].player])
    to_admins.queue(
        service,
        uow,
        key=f"asked:{game.id}:{version}",
        message=f"In game {game.id} ({game.ruleset.title}) the time of {name} (seat {seat}) is over,"
        ' and this game asks you what happens now; nothing does until then. Answer "extend 2d" to give'
        f' more time, "standby {seat}" to have the seat played for cautiously this once, "bot {seat}" to let'
        f' a bot play for it, or "remove {seat}" and why; behind each may stand a reason, which every player'
        " reads. The commands do the same, as in"
        f" `pbem game extend {game.id} 2d --reason TEXT`, and a mail of the player with a move settles it, too.",
        game_id=game.id,
    )


def _offer_replacement(
    service: Service, uow: UnitOfWork, game: Game, seat: int, version: int
) -> None:
    """Describe to the admins how to replace a player who keeps missing turns."""
    (name,) = games.shown_names(uow, [game.seats[seat].player])
    to_admins.queue(
        service,
        uow,
        key=f"silent:{game.id}:{version}",
        message=f"In game {game.id} ({game.ruleset.title}) {name} (seat {seat}) was silent"
        f" {game.seats[seat].misses} turns in a row, so a bot plays for that seat. Any mail of the"
        " player ends that, and nothing needs to be done. If somebody else shall play on, whom you"
        " have asked, ask them: `pbem game replace"
        f" {game.id} {seat} NAME=ADDRESS --reason TEXT`. With their `join` they get the"
        " table and their cards, and everybody reads the reason. The players can ask somebody, too: `replace"
        f" {name} with NAME@ADDRESS`.",
        game_id=game.id,
    )


def _wait(service: Service, uow: UnitOfWork, game: Game, entry: Deadline, now: datetime) -> bool:
    """Handle a deadline after which the game neither moves nor ends.

    With `wait`, send a reminder once per time for a move. Otherwise, wait for an admin's decision.
    """
    time = timedelta(seconds=game.time_per_move)
    if game.timing.on_timeout != "wait":
        uow.projections.move_next_at(entry, now + time)
        return False
    nags = (now - entry.due_at) // time
    mailings.queue_reminder(service, uow, game, entry.seat, entry.due_at + nags * time)
    uow.projections.move_next_at(entry, entry.due_at + (nags + 1) * time)
    return True

"""Change a game: lock it, load it, decide, record, and run the consequences.

This is the only code that changes games. `changing` and `creating` decide within a unit of work. A
decision made outside of one is applied with `Change` directly. `retried` starts over after a
version conflict. `set_apart` keeps a fault in one game from stopping the others. `RECORDED` and
`AFTER` list the consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

import structlog

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import HandsRevealedToAdmin, Hidden, MessagePosted, Recorded
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.play import voting
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.errors import (
    LogError,
    SchemaError,
    StoreAwayError,
    StoreError,
    UnknownStreamError,
    UpcastError,
    VersionConflictError,
    source_location,
)
from pbem.service.core import games, live_database, reminders
from pbem.service.core.context import Service
from pbem.service.notify import mailings, talking
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec

log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(slots=True)
class Change:
    """A game that is being changed.

    Attributes:
        before: the game before the change, or None if it is being created.
        decision: the decision, built step by step.
        answer: the reply to the message that requested the change, if any.
        events: the recorded events, or empty before `record`.
    """

    service: Service
    uow: UnitOfWork
    before: Game | None
    decision: Decision
    answer: mailings.Answer | None = None
    events: tuple[Recorded, ...] = ()

    @property
    def game(self) -> Game:
        """Return the game including everything decided so far."""
        return self.decision.existing()

    def record(self) -> Game:
        """Append the decision to the log, update the projections, and return the game.

        If a player leaves, open votes are counted again without them first.

        Raises: VersionConflictError if another worker appended first.
        """
        decision, uow = self.decision, self.uow
        if self.events or not decision.events:
            return self.game
        if any(isinstance(item.event, voting.LEAVING) for item in decision.events):
            voting.recount(decision)
        game = self.game
        decided = [codec.encode(one) for one in decision.events]
        expected = game.version - len(decided)
        stored = uow.events.append(game.id, expected, decided, decision.recorded_at)
        self.events = tuple(codec.decode(event) for event in stored)
        decision.game = replace(game, head=self.events[-1].hash)
        for step in RECORDED:
            step(self)
        return self.game

    def finish(self) -> None:
        """Record the decision unless `record` was called, then run the consequences."""
        self.record()
        if self.events or self.answer is not None:
            for step in AFTER:
                step(self)


def _tables(change: Change) -> None:
    decision = change.decision
    change.uow.projections.apply(decision.before, change.game, change.events[-1].recorded_at)


def _invitations(change: Change) -> None:
    seated = [seat.player for seat in change.game.seats]
    change.uow.invitations.apply(change.game.id, change.events, seated)


def _reminders(change: Change) -> None:
    """Reschedule reminders of players who chose their own times."""
    if not any(isinstance(item.event, reminders.MOVES_THEM) for item in change.events):
        return
    for seat in change.game.to_act:
        player = change.uow.players.get(change.game.seats[seat].player)
        if player is not None and player.reminders:
            reminders.arrange(change.uow, change.game, player, change.decision.now)


def _mails(change: Change) -> None:
    mailings.queue(
        change.service,
        change.uow,
        change.game,
        change.events,
        position_before=0 if change.before is None else change.before.position,
        answer=change.answer,
    )


def _talk(change: Change) -> None:
    if any(isinstance(item.event, MessagePosted | Hidden) for item in change.events):
        talking.deliver(change.service, change.uow, change.game, change.events)


def _warn_admin(change: Change) -> None:
    """Warn an admin who reveals hidden cards if the players cannot be notified."""
    is_opened = change.game.is_over or any(
        isinstance(item.event, HandsRevealedToAdmin) for item in change.events
    )
    if change.decision.actor == games.LOCAL_ADMIN and is_opened:
        live_database.tell(change.service, change.uow)


def _tell_league(change: Change) -> None:
    """Schedule a check of the game's league after the game has ended."""
    league, _, _ = change.game.league.partition(":")
    if league and change.game.is_over:
        change.uow.leagues.look_at(GameId(f"{LEAGUE}{league}"), change.decision.now)


Steps: TypeAlias = tuple[Callable[[Change], None], ...]
RECORDED: Steps = (_tables, _invitations, _reminders)
"""Steps run as soon as events are recorded, because the rest of the change relies on them."""
AFTER: Steps = (_mails, _talk, _tell_league, _warn_admin)
"""Steps run once per change, in this order, before the commit. A webhook would be added here."""


@contextmanager
def changing(
    service: Service,
    uow: UnitOfWork,
    game_id: GameId,
    *,
    actor: str,
    cause: str | None,
    now: datetime | None = None,
) -> Iterator[Change]:
    """Lock and load a game. On exit, record the decision and run the consequences.

    Without events or an answer, nothing is recorded and no consequences follow. `now` None means
    the current time.

    Raises: VersionConflictError if another worker is first (see `retried`), UnknownStreamError,
    LogError.
    """
    lock(uow, game_id)
    before = games.load(uow, game_id)
    change = Change(
        service, uow, before, games.begin(service, uow, before, actor=actor, cause=cause, now=now)
    )
    yield change
    change.finish()


@contextmanager
def creating(
    service: Service, uow: UnitOfWork, game_id: GameId, *, actor: str, cause: str | None
) -> Iterator[Change]:
    """Create a game. On exit, record it and run the consequences."""
    now = service.now()
    change = Change(service, uow, None, Decision(game_id, now, actor, cause, recorded_at=now))
    yield change
    change.finish()


def lock(uow: UnitOfWork, game_id: GameId) -> None:
    """Lock a game until the end of the unit of work. Raises: VersionConflictError if it is locked."""
    if not uow.lock_game(game_id):
        raise VersionConflictError(f"game {game_id} is being changed at this moment; try again")


CONFLICT_TRIES = 20
"""Maximum number of attempts after version conflicts. Each means that another writer committed."""
TROUBLE_TRIES = 3
"""Maximum number of attempts after temporary database errors."""
LASTING: Final = (UnknownStreamError, UpcastError)
"""Store errors that another attempt cannot fix."""


def retried(
    service: Service,
    step: Callable[[UnitOfWork], T],
    *,
    tries: int = CONFLICT_TRIES,
    trouble_tries: int = 1,
) -> T:
    """Run a job in a unit of work, and again in a new one after an error, like `insist`."""

    def attempt() -> T:
        with service.store.unit_of_work() as uow:
            return step(uow)

    return insist(attempt, tries=tries, trouble_tries=trouble_tries)


def insist(step: Callable[[], T], *, tries: int = CONFLICT_TRIES, trouble_tries: int) -> T:
    """Run a job that opens its own units of work, and again after errors of the database.

    Args:
        tries: maximum number of attempts that end with a version conflict.
        trouble_tries: maximum number of attempts that end with a temporary database error. If there
            are several, the job must be safe to repeat, because it may have been committed.

    Raises: the error of the last attempt.
    """
    while True:
        try:
            return step()
        except VersionConflictError:
            tries -= 1
            if tries < 1:
                raise
        except StoreError as error:
            trouble_tries -= 1
            if trouble_tries < 1 or isinstance(error, LASTING):
                raise
            log.warning("database error", action="store_error", error=str(error))


@contextmanager
def set_apart(
    service: Service,
    game_id: GameId,
    put_off: Callable[[UnitOfWork], None] = lambda _: None,
) -> Iterator[None]:
    """Take a due step of a game or league, so that a fault in it does not stop the others.

    After a version conflict another worker was faster, and the next check decides again. Other
    errors are logged.

    Args:
        put_off: schedules the next attempt after an error, in a new unit of work.

    Raises: StoreAwayError and SchemaError, because without the database no error can be recorded.
    """
    try:
        yield
    except VersionConflictError:
        return
    except (StoreAwayError, SchemaError):
        raise
    except Exception as error:  # noqa: BLE001  (other games must continue, and any error is recorded)
        action, text = "fault", type(error).__name__
        if isinstance(error, LogError | UpcastError):
            action, text = "log_broken", str(error)
        log.error("stopped", action=action, game=game_id, error=text, place=source_location(error))
        with service.store.unit_of_work() as uow:
            put_off(uow)

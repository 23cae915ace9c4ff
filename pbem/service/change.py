"""The one way to change a game: lock, load, decide, record, run what follows.

`changing` and `creating` decide within a unit of work; `Change` alone takes a decision made before one
began. `retried` starts over if another worker was first. `AFTER` is the list of what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import HandsRevealedToAdmin, Recorded
from pbem.domain.play import voting
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.errors import VersionConflictError
from pbem.service.core import games, reminders, served, snapshots
from pbem.service.core.context import Service
from pbem.service.notify import mailings
from pbem.service.talk import talking
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec

T = TypeVar("T")


@dataclass(slots=True)
class Change:
    """A game that is being changed.

    Attributes:
        before: the game as it was; None: it is being made.
        decision: what is decided, step by step.
        answer: to the mail that asked for the change, if it gets one.
        events: what was recorded; none before that.
    """

    service: Service
    uow: UnitOfWork
    before: Game | None
    decision: Decision
    answer: mailings.Answer | None = None
    events: tuple[Recorded, ...] = ()

    @property
    def game(self) -> Game:
        """The game with what was decided so far."""
        return self.decision.existing()

    def record(self) -> Game:
        """Append the decision to the log, and bring the tables up to date; return the game.

        A player who leaves is no voter any more, so what follows from the other votes is decided, too.

        Raises: VersionConflictError if somebody else appended first.
        """
        decision, uow = self.decision, self.uow
        if self.events or not decision.events:
            return self.game
        voting.count_anew(decision)
        game = self.game
        expected = game.version - len(decision.events)
        decided = [codec.encode(one) for one in decision.events]
        stored = uow.events.append(game.id, expected, decided, decision.now)
        self.events = tuple(codec.decode(event) for event in stored)
        decision.game = game = replace(game, head=self.events[-1].hash)
        if uow.folded is not None:
            uow.folded.clear()
        uow.projections.apply(game.id, self.events)
        uow.invitations.apply(game.id, self.events, [seat.player for seat in game.seats])
        reminders.arrange_after(uow, game, self.events, decision.now)
        if (
            game.status == "running"
            and game.version // snapshots.EVERY > expected // snapshots.EVERY
        ):
            snapshots.keep(uow, game)
        return game

    def finish(self) -> None:
        """Record the decision if that is not done, and run what follows."""
        self.record()
        if self.events or self.answer is not None:
            for step in AFTER:
                step(self)


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
    talking.deliver(change.service, change.uow, change.game, change.events)


def _warn_admin(change: Change) -> None:
    """Warn an admin who opens hidden cards if no player will read of it."""
    is_opened = change.game.is_over or any(
        isinstance(item.event, HandsRevealedToAdmin) for item in change.events
    )
    if change.decision.actor == games.LOCAL_ADMIN and is_opened:
        served.tell(change.service, change.uow)


AFTER: tuple[Callable[[Change], None], ...] = (_mails, _talk, _warn_admin)
"""What follows from a change, in this order and in its unit of work: a web-hook is one more step."""


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
    """Lock and load a game; at the end record the decision, and run what follows.

    Nothing happens where nothing was decided. `now` is the clock's if None.

    Raises: VersionConflictError if another worker is first (see `retried`), UnknownStreamError, LogError.
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
    service: Service, uow: UnitOfWork, game_id: GameId, *, actor: str, cause: str
) -> Iterator[Change]:
    """Make a game; at the end record it, and run what follows."""
    change = Change(service, uow, None, Decision(game_id, service.now(), actor, cause))
    yield change
    change.finish()


def lock(uow: UnitOfWork, game_id: GameId) -> None:
    """Lock a game until the end of the unit. Raises: VersionConflictError if it is taken."""
    if not uow.lock_game(game_id):
        raise VersionConflictError(f"game {game_id} is being changed at this moment; try again")


def retried(service: Service, step: Callable[[UnitOfWork], T], *, tries: int = 5) -> T:
    """Run a step in a unit of work; again, in a new one, if another worker was first.

    Raises: VersionConflictError if one was first every time.
    """
    for _ in range(tries - 1):
        with suppress(VersionConflictError), service.store.unit_of_work() as uow:
            return step(uow)
    with service.store.unit_of_work() as uow:
        return step(uow)

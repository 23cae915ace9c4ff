"""The one way to change a game: lock, load, decide, record, run what follows.

`changing` and `creating` decide within a unit of work; `Change` alone takes a decision made before one
began. `retried` starts over if another worker was first. `RECORDED` and `AFTER` list what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

from pbem.domain.log.chain import GameId
from pbem.domain.log.events import HandsRevealedToAdmin, Hidden, MessagePosted, Recorded
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.play import voting
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.errors import UnknownStreamError, UpcastError, VersionConflictError
from pbem.service.core import games, reminders, served
from pbem.service.core.context import Service
from pbem.service.notify import mailings, talking
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
        if any(isinstance(item.event, voting.LEAVING) for item in decision.events):
            voting.count_anew(decision)
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
        """Record the decision if that is not done, and run what follows from the whole change."""
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
    """Schedule anew the reminders of players who have times of their own."""
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
    """Warn an admin who opens hidden cards if no player will read of it."""
    is_opened = change.game.is_over or any(
        isinstance(item.event, HandsRevealedToAdmin) for item in change.events
    )
    if change.decision.actor == games.LOCAL_ADMIN and is_opened:
        served.tell(change.service, change.uow)


def _tell_league(change: Change) -> None:
    """Have the league of a game looked at once the game is over."""
    league, _, _ = change.game.league.partition(":")
    if league and change.game.is_over:
        change.uow.leagues.look_at(GameId(f"{LEAGUE}{league}"), change.decision.now)


Steps: TypeAlias = tuple[Callable[[Change], None], ...]
RECORDED: Steps = (_tables, _invitations, _reminders)
"""What follows as soon as events are recorded, so that it holds in the rest of the change."""
AFTER: Steps = (_mails, _talk, _tell_league, _warn_admin)
"""What follows from a whole change, in this order and in its unit of work: a web-hook is one more step."""


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
    service: Service, uow: UnitOfWork, game_id: GameId, *, actor: str, cause: str | None
) -> Iterator[Change]:
    """Make a game; at the end record it, and run what follows."""
    now = service.now()
    change = Change(service, uow, None, Decision(game_id, now, actor, cause, recorded_at=now))
    yield change
    change.finish()


def lock(uow: UnitOfWork, game_id: GameId) -> None:
    """Lock a game until the end of the unit. Raises: VersionConflictError if it is taken."""
    if not uow.lock_game(game_id):
        raise VersionConflictError(f"game {game_id} is being changed at this moment; try again")


CONFLICT_TRIES = 20
"""How often a unit of work is tried if other writers are first; each time one of them has committed."""
TROUBLE_TRIES = 3
"""How often a unit of work is tried if the database fails in a way that may pass."""
LASTING: Final = (UnknownStreamError, UpcastError)
"""Errors of the store that do not pass, so that another try is of no use."""


def retried(service: Service, step: Callable[[UnitOfWork], T], *, tries: int = CONFLICT_TRIES) -> T:
    """Run a step in a unit of work, and again in a new one if another writer was first.

    Raises: VersionConflictError if another writer was first every time.
    """
    for _ in range(tries - 1):
        with suppress(VersionConflictError), service.store.unit_of_work() as uow:
            return step(uow)
    with service.store.unit_of_work() as uow:
        return step(uow)

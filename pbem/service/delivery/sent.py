"""Notes that mails have left, once, and starts the clocks of their readers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog

from pbem.domain.clock import clockwork
from pbem.domain.clock.deadlines import is_late
from pbem.errors import (
    LogError,
    StoreError,
    UnknownStreamError,
    UpcastError,
    VersionConflictError,
    place_of,
)
from pbem.mail_out.kinds import QUIET, REMINDER
from pbem.service.change import Change, retried
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.delivery.prepare import domain_of
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

log = structlog.get_logger(__name__)

T = TypeVar("T")

CONFLICT_TRIES = 20
TROUBLE_TRIES = 3
"""How often a step is tried during passing trouble of the database."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail that the next server has.

    Attributes:
        at: the instant at which the server took it.
    """

    row: Outgoing
    rcpt_to: str = field(repr=False)
    at: datetime


async def note_sent(service: Service, sent: list[Sent]) -> None:
    """Note that mails have left, together, or one by one if that fails.

    Raises: the error of the first mail that cannot be noted, after all others are.
    """
    if len(sent) > 1:
        try:
            await asyncio.to_thread(_mark_sent, service, sent)
        except Exception as error:  # noqa: BLE001  (any error; the mails are then tried one by one)
            log.warning("one by one", action="one_by_one", error=repr(type(error)))
        else:
            return
    problems: list[Exception] = []
    for mail in sent:
        try:
            await _note_one(service, mail)
        except (StoreError, VersionConflictError) as error:
            problems.append(error)
    if problems:
        raise problems[0]


async def _note_one(service: Service, mail: Sent) -> None:
    """Note that a mail has left, even if our fault keeps its deadline from moving."""
    try:
        await insist(partial(_mark_sent, service, [mail]))
    except (StoreError, VersionConflictError):
        raise
    except Exception as error:  # noqa: BLE001  (a mail that is not noted is sent again and again)
        log.error(
            "deadline not moved",
            action="clock_fault",
            game=mail.row.game_id,
            error=type(error).__name__,
            place=place_of(error),
        )
        await insist(partial(_mark_sent, service, [mail], starts_clocks=False))


async def insist(step: Callable[[], T]) -> T:
    """Run a step in a thread, again after passing trouble of the database.

    A broken connection is such trouble. The step may have been committed when it came: repeating the
    step must do no harm.
    """
    for _ in range(TROUBLE_TRIES - 1):
        try:
            return await asyncio.to_thread(step)
        except (UnknownStreamError, UpcastError):
            raise  # it does not pass by itself
        except StoreError as error:
            log.warning("database trouble", action="store_error", error=str(error))
    return await asyncio.to_thread(step)


def _mark_sent(service: Service, sent: Sequence[Sent], *, starts_clocks: bool = True) -> None:
    """Note once that mails have left, and start the clocks of their readers."""

    def mark(uow: UnitOfWork) -> None:
        uow.pauses.end({domain_of(mail.rcpt_to) for mail in sent})
        for mail in sent:
            if uow.outbox.mark_sent(mail.row.id, mail.at) and starts_clocks:
                _start_clock_late(service, uow, mail.row, mail.at)

    retried(service, mark, tries=CONFLICT_TRIES)


def _start_clock_late(service: Service, uow: UnitOfWork, row: Outgoing, now: datetime) -> None:
    """Move the deadline of a seat whose turn mail left late.

    Only the first mail that shows the decision counts: answers to later questions and mistakes give
    no extra time. A reminder counts if the turn mail was given up. A broken log of a game is no
    reason to send its mails again and again.
    """
    if row.game_id is None or row.seat is None or row.decision is None:
        return
    try:
        game = games.load(uow, row.game_id)
    except (LogError, UpcastError) as error:
        log.error("deadline not moved", action="log_broken", game=row.game_id, error=str(error))
        return
    deadline = game.deadline
    if (
        deadline is None
        or row.seat not in game.to_act
        or game.seats[row.seat].controller == "bot"
        or game.seats[row.seat].decision != row.decision
        or row.version is None
        or row.version < deadline.version
        or not is_late(deadline.starts_at, now, game.time_per_move)
        or (
            row.kind == REMINDER.name
            and not uow.outbox.has_failed(row.game_id, row.seat, deadline.version)
        )
        or _was_told(uow, row, deadline.version)
    ):
        return
    decision = games.begin(service, uow, game, actor="clock", cause=None, now=now)
    clockwork.extend_for_delivery(decision)
    # Without its lock: a mail that has left is noted, even if the game is locked.
    Change(service, uow, game, decision).finish()


def _was_told(uow: UnitOfWork, row: Outgoing, since: int) -> bool:
    """True if an earlier mail (version >= `since`) already showed the decision."""
    if row.game_id is None or row.seat is None:
        return False
    return any(
        mail.status == "sent" and mail.id != row.id and (mail.version or 0) >= since
        for mail in uow.outbox.sent_to(row.game_id, row.seat, unless=QUIET)
    )

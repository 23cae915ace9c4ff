"""Delete the bytes of old messages to save space, on demand or in batches by `pbem serve`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.domain.log.chain import GameId
from pbem.errors import Refusal
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.pruning import Pruning

MIN = timedelta(days=30)
"""Minimum age of pruned messages. Players may still ask about younger messages."""
UP_TO = "pruned"
"""Name of the heartbeat entry with the time up to which `tidy` has pruned."""
SHARE, WINDOW = 1000, timedelta(hours=6)
"""Maximum number of messages in a batch, and the period that a query covers."""
STRANGERS_WAIT = timedelta(days=14)
"""How long an unregistered sender may take to answer whether they want to play."""
QUESTIONS_KEPT = timedelta(days=30)
"""How long expired questions are kept, so that late answers get an explanation."""
AT_ONCE = 100
"""Messages per transaction, which limits how long incoming messages wait."""


@dataclass(frozen=True, slots=True)
class Found:
    """Messages whose bytes can be deleted.

    Attributes:
        before: every message is older than this.
        size: size of their bytes as stored (in characters).
    """

    before: datetime
    mails_in: tuple[int, ...]
    mails_out: tuple[int, ...]
    size: int

    @property
    def count(self) -> int:
        """Return the number of messages."""
        return len(self.mails_in) + len(self.mails_out)


def find_prunable(service: Service, older_than: timedelta) -> Found:
    """Find the messages that can be pruned, without changing anything. Raises: Refusal."""
    if older_than < MIN:
        raise Refusal("age", f"Mails of the last {MIN.days} days stay as they are.")
    before = service.now() - older_than
    with service.store.reading() as uow:
        pruning = Pruning(uow.connection, uow.envelopes)
        mails_in, mails_out = pruning.mails_in((None, before)), pruning.mails_out((None, before))
    return Found(
        before,
        tuple(mail.id for mail in mails_in),
        tuple(mail.id for mail in mails_out),
        sum(mail.size for mail in (*mails_in, *mails_out)),
    )


def prune(service: Service, prunable: Found, progress: Callable[[int], None]) -> int:
    """Delete the bytes of these messages. If this is interrupted, the rest are kept.

    Args:
        progress: called with the number of messages processed so far.

    Returns:
        The number of pruned messages. Messages that have changed since `look` are skipped.
    """
    day = service.now().date()
    done = pruned = 0
    for mail_ids, is_in in ((prunable.mails_in, True), (prunable.mails_out, False)):
        for first in range(0, len(mail_ids), AT_ONCE):
            some = mail_ids[first : first + AT_ONCE]
            if done:
                service.store.yield_to_writers()
            with service.store.unit_of_work() as uow:
                pruning = Pruning(uow.connection, uow.envelopes)
                pruned += (pruning.prune_in if is_in else pruning.prune_out)(some, day)
            done += len(some)
            progress(done)
    return pruned


def tidy(service: Service) -> int:
    """Delete the bytes of a batch of messages older than `[serve] keep_mails`.

    Messages of running games are included. Messages of a game with an open dispute are skipped.
    `pbem mail prune` finds them later.

    Returns:
        The number of messages.
    """
    _let_strangers_go(service)
    before = service.now() - service.config.serve.keep_mails
    done = 0
    while done < SHARE:
        with service.store.reading() as uow:
            pruning = Pruning(uow.connection, uow.envelopes)
            since = uow.outages.last_beat(UP_TO) or pruning.oldest()
            if since is None or since >= before:
                break
            until = min(before, since + WINDOW)
            mails_in = pruning.mails_in((since, until), of_all_games=True)
            mails_out = pruning.mails_out((since, until), of_all_games=True)
            disputed = _disputed(uow, {mail.game_id for mail in (*mails_in, *mails_out)})
        ids_in, ids_out = (
            tuple(mail.id for mail in mails if mail.game_id not in disputed)
            for mails in (mails_in, mails_out)
        )
        done += prune(service, Found(until, ids_in, ids_out, 0), lambda _done: None)
        with service.store.unit_of_work() as uow:
            uow.outages.note(UP_TO, until)
    return done


def _let_strangers_go(service: Service) -> None:
    """Drop messages of unregistered senders who did not answer, and expired questions."""
    now = service.now()
    with service.store.unit_of_work() as uow:
        uow.questions.drop_expired(now - QUESTIONS_KEPT)
        waiting = [row for row in uow.inbox.held_of(None) if row[1] < now - STRANGERS_WAIT]
        for mail_id, *_ in waiting[:AT_ONCE]:
            uow.inbox.mark(
                mail_id,
                "dropped",
                verdict={"why": "a stranger who did not answer the question"},
                handled_at=now,
            )


def _disputed(uow: UnitOfWork, game_ids: Collection[GameId | None]) -> set[GameId]:
    """Return the games with an open dispute or an unreadable log."""
    games_found = {game_id: games.load_if_sound(uow, game_id) for game_id in game_ids if game_id}
    return {game_id for game_id, game in games_found.items() if game is None or game.disputes}

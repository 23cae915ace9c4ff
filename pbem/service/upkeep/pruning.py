"""Deleting the bytes of old mails to save space: on demand, and by `pbem serve` in shares."""

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

LEAST = timedelta(days=30)
"""Somebody may still ask about younger mails."""
UP_TO = "pruned"
"""Name under which it is noted, beside the heartbeats, up to when `tidy` has been through the mails."""
SHARE, WINDOW = 1000, timedelta(hours=6)
"""How many mails make one batch, and the time span that is looked at in one go."""
STRANGERS_WAIT = timedelta(days=14)
"""How long a stranger may think about the question whether they want to play."""
QUESTIONS_KEPT = timedelta(days=30)
"""Questions that ended longer ago are deleted; until then a late answer is told that it is too late."""
AT_ONCE = 100
"""Mails per transaction: mails that come in meanwhile wait for no more than these."""


@dataclass(frozen=True, slots=True)
class Found:
    """Mails with bytes that can be deleted, or were.

    Attributes:
        before: every mail is older than this.
        size: the size of their bytes as stored (in characters).
    """

    before: datetime
    mails_in: tuple[int, ...]
    mails_out: tuple[int, ...]
    size: int

    @property
    def count(self) -> int:
        """Count the mails."""
        return len(self.mails_in) + len(self.mails_out)


def look(service: Service, older_than: timedelta) -> Found:
    """Find the mails that can be pruned; changes nothing. Raises: Refusal."""
    if older_than < LEAST:
        raise Refusal("age", f"Mails of the last {LEAST.days} days stay as they are.")
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


def prune(service: Service, found: Found, progress: Callable[[int], None]) -> int:
    """Delete the bytes of the mails found; if it is interrupted, the rest stay.

    Returns:
        The mails pruned; those that somebody changes meanwhile stay.
    """
    day = service.now().date()
    done = pruned = 0
    for mail_ids, is_in in ((found.mails_in, True), (found.mails_out, False)):
        for first in range(0, len(mail_ids), AT_ONCE):
            some = mail_ids[first : first + AT_ONCE]
            if done:
                service.store.let_others_write()
            with service.store.unit_of_work() as uow:
                pruning = Pruning(uow.connection, uow.envelopes)
                pruned += (pruning.prune_in if is_in else pruning.prune_out)(some, day)
            done += len(some)
            progress(done)
    return pruned


def tidy(service: Service) -> int:
    """Delete the bytes of a share of the mails older than `[serve] keep_mails`; return their number.

    Those of running games are among them. While a dispute is open, the mails of its game stay as they
    are; then `pbem mail prune` finds them.
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
    """Drop mails of strangers who did not say that they want to play, and questions of long ago."""
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
    """Return the games with an open dispute, or with a log that cannot be read."""
    found = {game_id: games.load_if_sound(uow, game_id) for game_id in game_ids if game_id}
    return {game_id for game_id, game in found.items() if game is None or game.disputes}

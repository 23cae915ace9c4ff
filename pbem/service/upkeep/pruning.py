"""Deleting the bytes of old mails, of finished games or no game, to save space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.errors import Refusal
from pbem.service.core.context import Service
from pbem.store.post.pruning import Pruning

LEAST = timedelta(days=30)
"""Somebody may still ask about younger mails."""
AT_ONCE = 200
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
        mails_in, mails_out = pruning.mails_in(before), pruning.mails_out(before)
    return Found(
        before,
        tuple(mail.id for mail in mails_in),
        tuple(mail.id for mail in mails_out),
        sum(mail.size for mail in (*mails_in, *mails_out)),
    )


def prune(service: Service, found: Found, progress: Callable[[int], None]) -> None:
    """Delete the bytes of the mails found; if it is interrupted, the rest stay."""
    day = service.now().date()
    done = 0
    for mail_ids, is_in in ((found.mails_in, True), (found.mails_out, False)):
        for first in range(0, len(mail_ids), AT_ONCE):
            some = mail_ids[first : first + AT_ONCE]
            with service.store.unit_of_work() as uow:
                pruning = Pruning(uow.connection, uow.envelopes)
                (pruning.prune_in if is_in else pruning.prune_out)(some, day)
            done += len(some)
            progress(done)

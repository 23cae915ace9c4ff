"""Pauses in delivery to a domain, or to the next server.

The rows can be deleted at any time. Without a row the next message is tried at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, select

from pbem.store.rows.core import PAUSE
from pbem.store.rows.texts import Tables, insert_for, storable

NEXT_SERVER = ""
"""Pseudo-domain of the next server, which accepts all our messages for delivery."""
REFUSED = "<refused>"
"""Pseudo-domain of the next server while it rejects us as a sender. Alerts ignore this pause."""
UNANSWERED = "<unanswered>"
"""Pseudo-domain that counts messages to which the next server did not respond. Delays nothing."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_END = PAUSE.delete().where(PAUSE.c.domain.in_(bindparam("names", expanding=True)))


class Pauses(Tables):
    """Access to delivery pauses by recipient domain within one unit of work."""

    def until(self, domain: str, now: datetime) -> datetime | None:
        """Return the end of the pause for a domain or for all messages, or None without a pause."""
        ends = self.running(now)
        return max(
            (ends[name] for name in (NEXT_SERVER, storable(domain)) if name in ends), default=None
        )

    def running(self, now: datetime) -> dict[str, datetime]:
        """Return the running pauses by domain, with their end times."""
        rows = self._connection.execute(
            select(PAUSE.c.domain, PAUSE.c.until).where(PAUSE.c.until > now)
        )
        return {row.domain: row.until for row in rows}

    def failures(self, domain: str) -> int:
        """Return a domain's number of consecutive failures, or 0 if it accepted the last message."""
        return self._scalar(
            select(PAUSE.c.failures).where(PAUSE.c.domain == storable(domain)), default=0
        )

    def extend(self, domain: str, now: datetime, pause: Callable[[int], timedelta]) -> datetime:
        """Record a failure and return the end of the pause.

        Several messages that fail during one pause, because they were in transit at the same time,
        count as one failure.

        Args:
            pause: returns the length of the pause for a number of failures.
        """
        name = storable(domain)
        row = self._connection.execute(select(PAUSE).where(PAUSE.c.domain == name)).one_or_none()
        if row is not None and row.until > now:
            end: datetime = row.until
            return end
        failures = 1 if row is None else row.failures + 1
        values = {"failures": failures, "until": now + pause(failures)}
        self._connection.execute(
            insert_for(self._connection, PAUSE)
            .values(domain=name, **values)
            .on_conflict_do_update(index_elements=[PAUSE.c.domain], set_=values)
        )
        return now + pause(failures)

    def end(self, domains: Collection[str]) -> None:
        """Record that these domains, and thus the next server, accept messages."""
        self._connection.execute(_END, {"names": [NEXT_SERVER, *map(storable, domains)]})

    def end_all(self) -> None:
        """End every pause.

        The number of rejections by the next server is kept until that server accepts a message.
        """
        self._connection.execute(PAUSE.delete().where(PAUSE.c.domain != REFUSED))
        self._connection.execute(PAUSE.update().values(until=_LONG_AGO))

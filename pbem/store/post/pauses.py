"""Pauses in delivery: to a domain, to the next server, or because the next server refuses us.

Rows can be deleted at will: without a row the next mail is tried at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, select

from pbem.store.rows.core import PAUSE
from pbem.store.rows.texts import Tables, insert_for, storable

NEXT_SERVER = ""
"""Stands for the server that takes all our mails."""
REFUSED = "<refused>"
"""Stands for the next server, too, while it refuses us as a sender. Alerts do not wait for this pause."""
UNANSWERED = "<unanswered>"
"""Counts the mails that the next server may have taken without an answer. No mail waits for it."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_END = PAUSE.delete().where(PAUSE.c.domain.in_(bindparam("names", expanding=True)))


class Pauses(Tables):
    """Pauses by domain of the recipients, on the connection of one unit of work."""

    def until(self, domain: str, now: datetime) -> datetime | None:
        """Return until when mails to this domain, or all mails, are paused, if they are."""
        return max(self.running([domain], now).values(), default=None)

    def running(self, domains: Collection[str], now: datetime) -> dict[str, datetime]:
        """Return the pauses of these domains and of the next server, with their ends."""
        names = {NEXT_SERVER, *map(storable, domains)}
        rows = self._connection.execute(
            select(PAUSE.c.domain, PAUSE.c.until).where(
                PAUSE.c.domain.in_(names), PAUSE.c.until > now
            )
        )
        return {row.domain: row.until for row in rows}

    def failures(self, domain: str) -> int:
        """Return how often in a row a domain failed; 0 if it took the last mail."""
        found: int | None = self._connection.execute(
            select(PAUSE.c.failures).where(PAUSE.c.domain == storable(domain))
        ).scalar_one_or_none()
        return found or 0

    def extend(self, domain: str, now: datetime, pause: Callable[[int], timedelta]) -> datetime:
        """Note a failure and return the pause's end; `pause` maps failures to length.

        Several mails that failed in one pause (they were on their way together) count once.
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
        """Note that these domains, and so the next server, take mails."""
        self._connection.execute(_END, {"names": [NEXT_SERVER, *map(storable, domains)]})

    def end_all(self) -> None:
        """End every pause.

        Keep how often the next server refused us: that is reset only when it takes a mail.
        """
        self._connection.execute(PAUSE.delete().where(PAUSE.c.domain != REFUSED))
        self._connection.execute(PAUSE.update().values(until=_LONG_AGO))

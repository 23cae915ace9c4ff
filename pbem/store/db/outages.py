"""Heartbeats of the service, and outages derived from them.

An outage is recorded if the interval between two heartbeats is too long. When the system clock is
set back, future times are removed, so that no outage ends in the future.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.store.rows.core import HEARTBEAT, OUTAGE, Outage
from pbem.store.rows.texts import Tables, insert_for, storable


class Outages(Tables):
    """Access to heartbeats and outages within one unit of work."""

    def beat(self, name: str, now: datetime, longest: timedelta) -> Outage | None:
        """Record a heartbeat, and return the outage that it ends, if any.

        Args:
            name: the component. Services that share a database share a name.
            longest: maximum interval between heartbeats. A longer interval is an outage.
        """
        self._connection.execute(
            insert_for(self._connection, HEARTBEAT)
            .values(name=storable(name), at=now)
            .on_conflict_do_nothing(index_elements=[HEARTBEAT.c.name])
        )
        last: datetime = self._connection.execute(
            select(HEARTBEAT.c.at).where(HEARTBEAT.c.name == name).with_for_update()
        ).scalar_one()
        if last != now:
            self._connection.execute(
                HEARTBEAT.update().where(HEARTBEAT.c.name == name).values(at=now)
            )
        if last > now:
            self._take_back(now)
        if now - last <= longest:
            return None
        self._connection.execute(OUTAGE.insert().values(begin=last, end=now))
        return Outage(begin=last, end=now)

    def note(self, name: str, at: datetime) -> None:
        """Record that a component is alive, without detecting outages."""
        self._connection.execute(
            insert_for(self._connection, HEARTBEAT)
            .values(name=storable(name), at=at)
            .on_conflict_do_update(
                index_elements=[HEARTBEAT.c.name], set_={"at": at}, where=HEARTBEAT.c.at != at
            )
        )

    def forget_one(self, name: str) -> None:
        """Delete the heartbeat with this name."""
        self._connection.execute(HEARTBEAT.delete().where(HEARTBEAT.c.name == name))

    def last_beat(self, name: str) -> datetime | None:
        """Return the time of a component's last heartbeat, or None."""
        return self._scalar(select(HEARTBEAT.c.at).where(HEARTBEAT.c.name == name), default=None)

    def noted(self, prefix: str, since: datetime) -> list[str]:
        """List the names that start with a prefix and have a heartbeat since a time, alphabetically."""
        rows = self._connection.execute(
            select(HEARTBEAT.c.name)
            .where(HEARTBEAT.c.name.startswith(prefix, autoescape=True), HEARTBEAT.c.at >= since)
            .order_by(HEARTBEAT.c.name)
        )
        return list(rows.scalars())

    def forget(self, prefix: str, before: datetime) -> None:
        """Delete heartbeats that are older than `before` and whose names have this prefix."""
        old = (HEARTBEAT.c.name.startswith(prefix, autoescape=True), HEARTBEAT.c.at < before)
        self._connection.execute(HEARTBEAT.delete().where(*old))

    def within(self, begin: datetime, end: datetime) -> Sequence[Outage]:
        """List the outages that overlap a period, ordered by end."""
        query = select(Outage).where(OUTAGE.c.end > begin, OUTAGE.c.begin < end)
        return self._read(query.order_by(OUTAGE.c.end, OUTAGE.c.begin))

    def _take_back(self, now: datetime) -> None:
        """Remove future times, which were recorded before the clock was set back."""
        self._connection.execute(OUTAGE.delete().where(OUTAGE.c.begin >= now))
        self._connection.execute(OUTAGE.update().where(OUTAGE.c.end > now).values(end=now))

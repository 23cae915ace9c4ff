"""When the service was last alive, and when it was down.

Too long a gap between two beats is an outage. If the clock is set back, its false times are
removed: no outage ends in the future.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.store.rows.core import HEARTBEAT, OUTAGE, Outage
from pbem.store.rows.texts import Tables, insert_for, storable


class Outages(Tables):
    """Heartbeats and outages, on the connection of one unit of work."""

    def beat(self, name: str, now: datetime, longest: timedelta) -> Outage | None:
        """Note that something is alive; return the outage that this ends, if any.

        Args:
            name: the name of the part that beats; services on one database share a name.
            longest: a longer gap between two beats is an outage.
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
        """Note a sign of life of one part; a gap in these is not an outage."""
        self._connection.execute(
            insert_for(self._connection, HEARTBEAT)
            .values(name=storable(name), at=at)
            .on_conflict_do_update(
                index_elements=[HEARTBEAT.c.name], set_={"at": at}, where=HEARTBEAT.c.at != at
            )
        )

    def forget_one(self, name: str) -> None:
        """Forget the note with a name, whenever it was made."""
        self._connection.execute(HEARTBEAT.delete().where(HEARTBEAT.c.name == name))

    def last_beat(self, name: str) -> datetime | None:
        """Return when something was last alive; None for never."""
        at: datetime | None = self._connection.execute(
            select(HEARTBEAT.c.at).where(HEARTBEAT.c.name == name)
        ).scalar_one_or_none()
        return at

    def noted(self, prefix: str, since: datetime) -> list[str]:
        """List the names with a prefix that were noted since an instant, in order."""
        rows = self._connection.execute(
            select(HEARTBEAT.c.name)
            .where(HEARTBEAT.c.name.startswith(prefix, autoescape=True), HEARTBEAT.c.at >= since)
            .order_by(HEARTBEAT.c.name)
        )
        return list(rows.scalars())

    def forget(self, prefix: str, before: datetime) -> None:
        """Forget notes with a prefix that were not renewed since an instant."""
        old = (HEARTBEAT.c.name.startswith(prefix, autoescape=True), HEARTBEAT.c.at < before)
        self._connection.execute(HEARTBEAT.delete().where(*old))

    def within(self, begin: datetime, end: datetime) -> Sequence[Outage]:
        """List the outages that overlap with a period, in the order of their ends."""
        query = select(Outage).where(OUTAGE.c.end > begin, OUTAGE.c.begin < end)
        return self._read(query.order_by(OUTAGE.c.end, OUTAGE.c.begin))

    def _take_back(self, now: datetime) -> None:
        """Remove the notes of a clock that was ahead."""
        self._connection.execute(OUTAGE.delete().where(OUTAGE.c.begin >= now))
        self._connection.execute(OUTAGE.update().where(OUTAGE.c.end > now).values(end=now))

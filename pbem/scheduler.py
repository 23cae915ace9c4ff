"""APScheduler as a stateless alarm clock.

Deadlines are events in the log and rows in the database, so a restart loses no alarm. There are two
alarms: a regular tick, and one for the next scheduled time. The tick counts seconds independently
of the machine's clock. If the clock is set back, the alarm is late but the tick is not. If it is
set ahead by years, missed ticks are not repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.jobstores.base import JobLookupError
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.asyncio import AsyncIOScheduler

ALARM = "alarm"


class AlarmClock:
    """Calls `wake` every `tick_seconds`, and at the time that was set last."""

    def __init__(self, wake: Callable[[], None], tick_seconds: float) -> None:
        self._wake = wake
        self._tick_seconds = tick_seconds
        self._ticking: asyncio.Task[None] | None = None
        self._scheduler = AsyncIOScheduler(
            jobstores={"default": MemoryJobStore()},
            timezone=UTC,
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def start(self) -> None:
        """Start ticking. An event loop must be running."""
        if self._ticking is None:
            self._ticking = asyncio.create_task(self._tick())
            self._scheduler.start()

    def set(self, at: datetime | None) -> None:
        """Set the time of the alarm, replacing the previous time. None clears it."""
        if at is None:
            try:
                self._scheduler.remove_job(ALARM)
            except JobLookupError:
                return
        else:
            self._scheduler.add_job(
                self._ring, "date", run_date=at, id=ALARM, replace_existing=True
            )

    def stop(self) -> None:
        """Stop all alarms."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def _ring(self) -> None:
        self._wake()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._tick_seconds)
            self._wake()

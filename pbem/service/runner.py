"""The loops of the running service: handle messages, fire deadlines, send, ping, write pages.

Waking a loop too often is harmless, and the next tick makes up for a missed wake-up. Database calls
run in threads, so that messages can always be accepted.
"""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import structlog

from pbem.errors import ConfigError, SchemaError, StoreError, VersionConflictError, source_location
from pbem.mail_in.transports.transport import InboundTransport
from pbem.mail_out.deliver import Delivery
from pbem.service.clock import downtime, heartbeats
from pbem.service.clock.fire_due import fire_people, next_alarm, play_bots
from pbem.service.core import live_database
from pbem.service.core.context import Service
from pbem.service.delivery.send_due import MAX_SENT, send_due
from pbem.service.intake.handle_mail import MAX_HANDLED, handle_all
from pbem.service.upkeep import health, pruning

if TYPE_CHECKING:
    from pbem.service.pages import club

log = structlog.get_logger(__name__)

T = TypeVar("T")


NOTE_EVERY = timedelta(seconds=1)
"""Minimum interval between heartbeats. Their age is evaluated in minutes."""
LOOK_FOR_TROUBLE = timedelta(minutes=1)
"""Interval of the health checks that alert admins."""
WRITE_EVERY = timedelta(seconds=2)
"""Minimum interval between two runs that write all pages."""
WRITING_SHARE = 20
"""Pages are written during at most 1/`WRITING_SHARE` of the time."""
LOOK_WHERE = timedelta(hours=1)
"""Interval of recording which database is served, and of pruning old data."""
REST = timedelta(seconds=1)
"""Minimum delay of the next alarm, because due work may be waiting for an external condition."""
LOOK_AGAIN = timedelta(seconds=5)
"""Polling interval of a mailbox that a deadline is waiting for."""
GIVE_BACK = timedelta(seconds=10)
"""Minimum interval between returns of free heap memory to the system, which take about 10 ms."""
give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""glibc's malloc_trim, or None. It frees 8 MB once the first messages compiled the templates."""


@dataclass(slots=True)
class Runner:
    """Five concurrent loops: handling, playing for bots, sending, pinging, writing pages.

    They are separate so that a slow mail server, ping service, bot or page delays no move. No
    deadline fires before every inbound transport has been polled, because a message that arrived in
    time may be in a mailbox that was unreachable.

    Attributes:
        set_alarm: called with the time at which the next work is due, or None.
        ways: the inbound transports that are polled.
        signs: functions that return when a transport last worked, by its name.
        alive: called after each round of the handling loop.
        pinging: sends pings, or None if this process sends no pings.
    """

    service: Service
    delivery: Delivery
    set_alarm: Callable[[datetime | None], None]
    transports: list[InboundTransport] = field(default_factory=list)
    signs: dict[str, Callable[[], datetime | None]] = field(default_factory=dict)
    alive: Callable[[], object] = lambda: None
    pinging: Delivery | None = None
    _noted: dict[str, datetime] = field(default_factory=dict)
    """Time of the last run of each periodic step, see `_seldom`."""
    _began: datetime | None = None
    _ways_are_read: bool = False
    """True if no due deadline was waiting for an inbound transport at the last check."""
    _due_since: datetime | None = None
    """When a deadline began to wait for the inbound transports, or None."""
    _events: dict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    """The event that wakes each loop, by its name in `_steps`."""
    _written: tuple[object, ...] = ()
    """`building.stamp` of the pages that were written last."""
    _entries: club.Entries = field(default_factory=dict)
    _pings_may_be_left: bool = True
    _stopping: bool = False

    @property
    def _steps(self) -> dict[str, Callable[[], Awaitable[object]]]:
        """Return the step of each loop."""
        return {
            "handle": self._beat_and_decide,
            "play": self._play_bots,
            "send": self._send,
            "ping": self._ping,
            "write": self._write_pages,
        }

    def wake(self, *loops: str) -> None:
        """Wake these loops, or all of them. Must be called from the event loop's thread."""
        for name in loops or self._steps:
            self._events[name].set()

    def looked(self) -> None:
        """Continue if a deadline was waiting for the transport that was just polled.

        Must be called from the event loop's thread.
        """
        if self._due_since is not None:
            self.wake()

    def stop(self) -> None:
        """Stop after the current work."""
        self._stopping = True
        self.wake()

    async def run(self) -> None:
        """Run until `stop` is called. Raises: SchemaError if the schema is unusable."""
        self.wake()
        async with asyncio.TaskGroup() as group:
            for name, step in self._steps.items():
                group.create_task(self._loop(self._events[name], step))

    async def run_once(self) -> int:
        """Handle, decide, play, ping and send once. Return the number of messages sent."""
        await self._decide()
        await self._play_bots()
        await self._ping()
        return await self._send()

    async def _loop(self, event: asyncio.Event, step: Callable[[], Awaitable[object]]) -> None:
        while not self._stopping:
            await event.wait()
            event.clear()
            try:
                await step()
            except SchemaError:
                self.stop()
                raise
            except (StoreError, VersionConflictError) as error:
                log.error("database error", action="store_error", error=str(error))
            except Exception as error:  # noqa: BLE001  (a faulty game or message must not stop the service)
                log.error(
                    "unexpected error",
                    action="fault",
                    error=type(error).__name__,
                    place=source_location(error),
                )

    async def _beat_and_decide(self) -> None:
        await self._seldom("served", lambda: live_database.note(self.service), every=LOOK_WHERE)
        await self._seldom("beat", lambda: downtime.beat(self.service))
        instants = {name: sign() for name, sign in self.signs.items()}
        known = [name for name, beat_at in instants.items() if beat_at is not None]
        await self._seldom(f"signs of {known}", lambda: heartbeats.note(self.service, instants))
        await self._decide()
        self.alive()
        await self._seldom("prune", lambda: pruning.tidy(self.service), every=LOOK_WHERE)

    async def _decide(self) -> None:
        handled = await asyncio.to_thread(
            handle_all,
            self.service,
            limit=MAX_HANDLED,
            should_stop=lambda: self._stopping,
        )
        fired = 0
        was_read, self._ways_are_read = self._ways_are_read, await self._is_all_read()
        if self._ways_are_read:
            fired = await asyncio.to_thread(fire_people, self.service)
        since = self._began = self._began or self.service.now()
        is_told = await self._seldom(
            "alerts", lambda: health.alert(self.service, since=since), every=LOOK_FOR_TROUBLE
        )
        if handled or fired:
            self.wake("play", "write")
        if handled or fired or is_told:
            self.wake("send", "ping")
        if self._ways_are_read > was_read:
            self.wake("play")
        if handled >= MAX_HANDLED:  # there may be more
            self.wake("handle")
        await self._set_alarm()

    async def _play_bots(self) -> None:
        if not self._ways_are_read:
            return
        if await asyncio.to_thread(play_bots, self.service, should_stop=lambda: self._stopping):
            self.wake("play", "send", "ping", "write")
            await self._set_alarm()

    async def _write_pages(self) -> None:
        """Write all pages if their stamp has changed, then pause."""
        section = self.service.config.pages
        if section is None or section.folder is None:
            return
        from pbem.service.pages import building  # noqa: PLC0415  (saves memory where the feature is off)

        stamp = await asyncio.to_thread(building.stamp, self.service)
        if stamp == self._written:
            return
        began = time.monotonic()
        try:
            await asyncio.to_thread(
                building.build,
                self.service,
                should_stop=lambda: self._stopping,
                entries=self._entries,
            )
        except ConfigError as error:
            log.error("no pages can be written", action="pages_unwritten", error=str(error))
            return
        self._written = stamp
        self.wake("write")  # for changes that were made in the meantime
        pause = max(WRITE_EVERY.total_seconds(), WRITING_SHARE * (time.monotonic() - began))
        while not self._stopping and time.monotonic() < began + pause:  # noqa: ASYNC110  (polls, so that a stop takes effect soon)
            await asyncio.sleep(WRITE_EVERY.total_seconds() / 4)

    async def _send(self) -> int:
        sent = await send_due(
            self.service, self.delivery, limit=MAX_SENT, should_stop=lambda: self._stopping
        )
        await self._seldom("delivery", lambda: heartbeats.note_delivery(self.service))
        if sent >= MAX_SENT:
            self.wake("send")
        if sent and give_back is not None:
            await self._seldom("heap", partial(give_back, 0), every=GIVE_BACK)
        await self._set_alarm()
        return sent

    async def _ping(self) -> None:
        """Send due pings. After pings have been disabled, cancel pending pings, once per process."""
        if self.pinging is None or not (self.service.config.pings.allow or self._pings_may_be_left):
            return
        self._pings_may_be_left = False
        await send_due(
            self.service,
            self.pinging,
            limit=MAX_SENT,
            should_stop=lambda: self._stopping,
            are_pings=True,
        )
        await self._set_alarm()

    async def _seldom(
        self, what: str, step: Callable[[], T], *, every: timedelta = NOTE_EVERY
    ) -> T | None:
        """Run a step in a thread, unless it ran less than `every` ago."""
        now = self.service.now()
        last = self._noted.get(what)
        if last is not None and timedelta(0) <= now - last < every:
            return None
        result = await asyncio.to_thread(step)
        self._noted[what] = now
        return result

    async def _set_alarm(self) -> None:
        due_at = await asyncio.to_thread(next_alarm, self.service)
        if due_at is not None:
            pause = REST if self._due_since is None else LOOK_AGAIN
            due_at = max(due_at, self.service.now() + pause)
        self.set_alarm(due_at)

    async def _is_all_read(self) -> bool:
        """True if all messages that arrived before the deadlines due now have been fetched."""
        if not self.transports:
            return True
        due = await asyncio.to_thread(next_deadline, self.service)
        now = self.service.now()
        if due is None or due > now:
            self._due_since = None
            return True
        since = self._due_since or now
        behind = [
            transport
            for transport in self.transports
            if transport.last_look is None or transport.last_look < since
        ]
        for transport in behind:
            transport.look()
        if not behind:
            self._due_since = None
            return True
        if self._due_since is None:
            self._due_since = now
            log.info(
                "deadlines wait for a mailbox", action="deadlines_wait", transports=len(behind)
            )
        return False


def next_deadline(service: Service) -> datetime | None:
    """Return when the next deadline or reminder is due."""
    with service.store.reading() as uow:
        return uow.projections.next_due()

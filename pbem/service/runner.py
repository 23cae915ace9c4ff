"""The running service: look at what is open, what is due, what is to be sent; sleep; look again.

Waking up too often does no harm, a missed wake-up is made good by the next tick. The database calls
run in threads, so that intake stays awake.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from pbem.errors import SchemaError, StoreError, VersionConflictError
from pbem.mail_out.deliver import Delivery
from pbem.service.context import Service
from pbem.service.fire_due import fire_due, next_alarm
from pbem.service.handle_mail import handle_all
from pbem.service.send_due import send_due

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Runner:
    """Two loops beside each other: decisions, and sending, so that a slow server delays no move.

    Attributes:
        set_alarm: told when time will do something next; None = nothing is waiting.
    """

    service: Service
    delivery: Delivery
    set_alarm: Callable[[datetime | None], None]
    _work: asyncio.Event = field(default_factory=asyncio.Event)
    _outbox: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False

    def wake(self) -> None:
        """Look now; call from the loop's own thread."""
        self._work.set()
        self._outbox.set()

    def stop(self) -> None:
        """End after what is being done now."""
        self._stopping = True
        self.wake()

    async def run(self) -> None:
        """Run until `stop`. Raises: SchemaError if the database is not ours."""
        self.wake()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._loop(self._work, self._decide))
            group.create_task(self._loop(self._outbox, self._send))

    async def run_once(self) -> int:
        """Do everything that can be done now; for one-shot commands and tests. Gives the mails sent."""
        await self._decide()
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
                log.error("database trouble", action="store_error", error=str(error))

    async def _decide(self) -> None:
        handled = await asyncio.to_thread(handle_all, self.service)
        fired = await asyncio.to_thread(fire_due, self.service)
        if handled or fired:
            self._outbox.set()
        self.set_alarm(await asyncio.to_thread(next_alarm, self.service))

    async def _send(self) -> int:
        sent = await send_due(self.service, self.delivery, should_stop=lambda: self._stopping)
        self.set_alarm(await asyncio.to_thread(next_alarm, self.service))
        return sent

"""Kill services with SIGKILL, at random moments and when a message could be lost or handled twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random  # noqa: TID251  (when to kill, not what is played)

from trials.chaos.processes import ServiceProcess
from trials.chaos.wire import Moments

MOMENTS = {
    "start": "while it starts",
    "any": "at any moment",
    "half": "in the middle of a mail that comes in",
    "kept": "right after its 250 for a mail",
    "posting": "in the middle of a form that comes in",
    "stored": "when a form is stored, before it is carried out",
    "played": "when a form is carried out, before its answer",
    "shown": "right after the answer to a form",
    "leaving": "when a mail is about to leave",
    "handed": "when a mail left, before it hears the 250",
    "sent": "right after it heard the 250",
}
_EXACT = ("half", "posting", "stored", "played", "leaving", "handed")
LONGEST_LIFE = 1.2
AIM_SECONDS = 8.0


async def at_once() -> None:
    """Return immediately, as the occasion of a kill that needs none."""


@dataclass(slots=True)
class Killer:
    """Kills services until the planned number of kills is reached.

    Attributes:
        occasion: awaited before each kill.
        done: number of kills, by moment.
    """

    services: Sequence[ServiceProcess]
    moments: Moments
    chance: Random
    kills: int
    occasion: Callable[[], Awaitable[None]] = at_once
    done: Counter[str] = field(default_factory=Counter)
    is_over: bool = False
    _bag: list[str] = field(default_factory=list)

    async def hunt(self) -> None:
        """Kill services until the planned number is reached."""
        try:
            while self.done.total() < self.kills:
                await self.occasion()
                victim = self.chance.choice(self.services)
                await victim.spawned.wait()
                moment = await self._kill(victim, self._next_moment())
                if moment is None:
                    await asyncio.sleep(0.05)
                else:
                    self.done[moment] += 1
        finally:
            self.is_over = True
            self.moments.are_over()

    def _next_moment(self) -> str:
        """Draw a moment. Each moment occurs once before any occurs again."""
        if not self._bag:
            self._bag = self.chance.sample(list(MOMENTS), len(MOMENTS))
        return self._bag.pop()

    async def _kill(self, victim: ServiceProcess, moment: str) -> str | None:
        """Kill once. Return the moment, or None if there was no process to kill."""
        if moment == "start":
            await asyncio.sleep(self.chance.uniform(0, victim.start_seconds))
            moment = "any" if victim.ready.is_set() else "start"
            return moment if victim.kill() else None
        await victim.ready.wait()
        if moment != "any":
            return await self._aim(victim, moment)
        await asyncio.sleep(self.chance.uniform(0, LONGEST_LIFE))
        return moment if victim.kill() else None

    async def _aim(self, victim: ServiceProcess, moment: str) -> str | None:
        """Kill at the given moment, or after a timeout if it does not come."""
        if self.chance.random() < 0.5:  # not always the very first: let it do some work
            await asyncio.sleep(self.chance.uniform(0, LONGEST_LIFE))
        is_exact = moment in _EXACT or self.chance.random() < 0.5
        delay = 0.0 if is_exact else self.chance.uniform(0, 0.03)
        loop = asyncio.get_running_loop()
        shot: asyncio.Future[bool] = loop.create_future()

        def shoot() -> None:
            if delay == 0:
                fire()
            else:
                loop.call_later(delay, fire)

        def fire() -> None:
            if not shot.done():
                shot.set_result(victim.kill())

        self.moments.aim, self.moments.shoot = moment, shoot
        try:
            async with asyncio.timeout(AIM_SECONDS):
                return moment if await shot else None
        except TimeoutError:
            self.moments.aim = None
            return "any" if victim.kill() else None

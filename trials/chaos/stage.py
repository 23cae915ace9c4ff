"""Carry out one run with services, players, games and a killer, followed by the checks."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random  # noqa: TID251  (what goes wrong, not what is played)

from sqlalchemy import select

from pbem.bootstrap import build_service
from pbem.config import load_config
from pbem.demo.clients import CLIENTS
from pbem.demo.post_office import free_port
from pbem.domain.terms.timing import Timing
from pbem.service.core.context import Service
from pbem.service.intake.accepting import idempotency_key
from pbem.service.lobby import creation as lobby
from pbem.service.upkeep.setup import Installation, MailAccount, write_config
from pbem.store.rows.core import INBOX
from pbem.store.seal.keyring import Key, KeyRing
from tests.patience import patience
from trials.chaos.browsers import Browser, Sent
from trials.chaos.checks import Evidence, examine
from trials.chaos.killer import Killer
from trials.chaos.office import TroubledOffice, open_troubled_office
from trials.chaos.people import Person
from trials.chaos.processes import ServiceError, ServiceProcess
from trials.chaos.troubles import (
    LEASE_SECONDS,
    SERVICE_NAME,
    SMTP_SECONDS,
    Troubles,
    patiently,
    write_whole,
)
from trials.chaos.wire import Letter, Moments, Wire, WireError

NAMES = ("Anna", "Bob", "Carol")
PHRASES = ("green tea on Sunday", None, "Grüße aus Łódź")
PAGE_SEAT = 1
"""The player of this seat of each game joins by mail and plays on the seat page."""
MAX_GAMES = 500
LONG_GAME, SHORT_GAME, LONG_ONES = 200, 40, 6
"""Maximum plies of long and of short games, and the interval between the numbers of long games."""
TIME_PER_MOVE = 3 * 86400
"""Seconds per move, so many that no deadline passes during a run."""
QUIET_SECONDS = 60.0
MORE_SECONDS = 12.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a run.

    Attributes:
        name: display name.
        url: of a migrated, empty database.
        kills: number of kills. With troubles, each kill happens at the start of a trouble.
        troubles: number of other faults.
        disk: a small file system that contains the database, or None for an ordinary one.
        at_once: number of concurrent games. New games begin until the planned kills are done.
        first_game: number of the first game. The cards follow from seed and number.
        least_games: minimum number of games.
        patience: timeout in seconds, which is extended for each kill and trouble.
    """

    name: str
    url: str
    folder: Path
    seed: int
    kills: int
    services: int = 1
    at_once: int = 4
    first_game: int = 0
    least_games: int = 1
    patience: float = 900.0
    troubles: int = 0
    disk: Path | None = None

    @property
    def is_calm(self) -> bool:
        """True if the plan has neither kills nor other faults."""
        return not self.kills and not self.troubles


@dataclass(slots=True)
class Stage:
    """The current run, and its progress."""

    plan: Plan
    service: Service
    office: TroubledOffice
    wire: Wire
    processes: list[ServiceProcess]
    killer: Killer
    troubles: Troubles
    moments: Moments
    chance: Random
    web_ports: Sequence[int]
    forms: list[Sent] = field(default_factory=list)
    games: dict[int, str] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)
    over: int = 0
    links_cut: int = 0

    async def run(self) -> Evidence:
        """Play and kill, wait until the service is idle, stop it, and examine the results."""
        watchers = [asyncio.create_task(process.supervise()) for process in self.processes]
        hunt = asyncio.create_task(self.killer.hunt())
        haunt = asyncio.create_task(self.troubles.haunt())
        hurry = asyncio.create_task(self.troubles.hurry())
        cutter = asyncio.create_task(self._cut_links())
        tables = [asyncio.create_task(self._games()) for _ in range(self.plan.at_once)]
        try:
            seconds = self.plan.patience + MORE_SECONDS * (self.plan.kills + self.plan.troubles)
            async with asyncio.timeout(patience(seconds)):
                await self._watch(
                    [*watchers, hunt, haunt, cutter, *tables], until=[hunt, haunt, *tables]
                )
                settled = asyncio.create_task(self._settle())
                await self._watch([*watchers, settled], until=[settled])
                for process in self.processes:
                    await process.ready.wait()
                    process.stop()
                await asyncio.gather(*watchers)
        except TimeoutError:
            raise ServiceError(f"the games do not end: {self._open()}") from None
        finally:
            self.wire.cancel()
            tasks = (*watchers, hunt, haunt, hurry, cutter, *tables)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return examine(self)

    async def _watch(
        self, tasks: list[asyncio.Task[None]], *, until: list[asyncio.Task[None]]
    ) -> None:
        """Wait for some tasks, and end at the first failure of any."""
        while not all(task.done() for task in until):
            await asyncio.wait(tasks, timeout=0.5, return_when=asyncio.FIRST_EXCEPTION)
            self.wire.check()
            for task in tasks:
                if task.done():
                    task.result()

    async def check_kept(self, letter: Letter) -> None:
        """Check that an accepted letter (reply 250) is stored. Raises: WireError."""
        key = idempotency_key(letter.raw, letter.raw, letter.recipient)
        if not await patiently(lambda: self._has(key)):
            raise WireError("a mail got its 250 and is not in the database")

    def _has(self, key: str) -> bool:
        with self.service.store.reading() as uow:
            row = uow.connection.execute(select(INBOX.c.id).where(INBOX.c.key == key))
            return row.first() is not None

    def _status(self, key: str) -> str | None:
        with self.service.store.reading() as uow:
            row = uow.inbox.with_key(key)
        return None if row is None else row.status

    async def _cut_links(self) -> None:
        """End connections of services in the middle of their work, on PostgreSQL only."""
        if not self.plan.kills or self.service.store.is_sqlite:
            return
        while not self.killer.is_over:
            await asyncio.sleep(self.chance.uniform(0.5, 3))
            if self.troubles.are_there():
                self.links_cut += await self.troubles.cut(in_work=self.chance.random() < 0.5)

    async def _games(self) -> None:
        """Play one game after another until the kills and faults are done."""
        while len(self.games) < MAX_GAMES - self.plan.first_game:
            is_over = self.killer.is_over and self.troubles.is_over
            if len(self.games) >= self.plan.least_games and is_over:
                return
            number = self.plan.first_game + len(self.games)
            self.games[number] = ""
            await self._play(number)
            self.over += 1

    async def _play(self, number: int) -> None:
        people = self._people(number)
        self.people += people
        self.games[number] = await patiently(lambda: self._create(number, people))
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.play())

    def _people(self, number: int) -> list[Person]:
        count = 2 + number % 2
        people: list[Person] = []
        for seat, name in enumerate(NAMES[:count]):
            address = address_of(name, number)
            people.append(
                Person(
                    name=name,
                    address=address,
                    client=list(CLIENTS.values())[(seat + number) % len(CLIENTS)],
                    mailbox=self.office.mailboxes[address],
                    wire=self.wire,
                    chance=self.chance,
                    phrase=PHRASES[seat],
                    sits_down_after=people[-1] if people else None,
                    is_nasty=self.wire.is_rough and seat != PAGE_SEAT,
                    browser=self._browser(address) if seat == PAGE_SEAT else None,
                )
            )
        return people

    def _browser(self, address: str) -> Browser:
        return Browser(
            address=address,
            ports=self.web_ports,
            chance=self.chance,
            moments=self.moments,
            is_rough=self.wire.is_rough,
            on_status=lambda key: patiently(lambda: self._status(key)),
            later=self.wire.start,
            forms=self.forms,
        )

    def _create(self, number: int, people: list[Person]) -> str:
        """Create a game whose id and cards follow from seed and number."""
        own = dataclasses.replace(self.service, random_bytes=_bytes_of(self.plan.seed, number))
        game = lobby.create_game(
            own,
            [lobby.Person(person.name, person.address) for person in people],
            lobby.GamePlan(
                "phyliss",
                options={"max_plies": SHORT_GAME if number % LONG_ONES else LONG_GAME},
                timing=Timing(TIME_PER_MOVE),
                server_secret=hashlib.sha256(f"{self.plan.seed}:{number}:secret".encode()).digest(),
            ),
        )
        return str(game.id)

    async def _settle(self) -> None:
        """Wait until every letter has arrived twice and the service has nothing left to do."""
        try:
            async with asyncio.timeout(patience(QUIET_SECONDS)):
                await self.wire.settle()
                while await patiently(self._is_busy):  # noqa: ASYNC110  (another process is)
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise ServiceError(f"it does not become quiet: {self._open()}") from None

    def _open(self) -> str:
        """Describe the messages that are still waiting, for the error after a timeout."""
        with self.service.store.reading() as uow:
            waiting = [(mail.id, mail.attempts) for mail in uow.inbox.list("new")]
            leaving = [
                (mail.key, mail.attempts, str(mail.not_before), str(mail.lease_until))
                for mail in uow.outbox.list("pending")
            ]
        logs = "\n".join(process.tail() for process in self.processes)
        return f"{self.wire.under_way} letters, incoming {waiting}, outgoing {leaving}\n{logs}"

    def _is_busy(self) -> bool:
        with self.service.store.reading() as uow:
            return bool(uow.inbox.list("new", 1) or uow.outbox.list("pending", 1))


async def run(plan: Plan, *, on_stage: Callable[[Stage], None] = lambda _: None) -> Evidence:
    """Carry out a plan. `on_stage` gets the stage, which shows the progress."""
    addresses = [address_of(name, number) for number in range(MAX_GAMES) for name in NAMES]
    async with open_troubled_office(addresses) as office:
        plan.folder.mkdir(parents=True, exist_ok=True)
        chance = Random(f"{plan.seed}:{plan.name}")  # noqa: S311
        moments = Moments()
        ports = [free_port() for _ in range(plan.services)]
        web_ports = [free_port() for _ in ports]
        config = _write_config(plan, office.port, ports[0], web_ports[0])
        env = _ENV
        if plan.url.startswith("postgresql"):
            env = env | {"PBEM_DATABASE__URL": f"{plan.url}&application_name={SERVICE_NAME}"}
        clock_file = plan.folder / "clock"
        write_whole(clock_file, "0")
        processes = [
            ServiceProcess(
                config,
                port,
                env | {"PBEM_WEB__LISTEN": f"127.0.0.1:{web_ports[number]}"},
                moments,
                plan.folder / f"service-{number}.log",
                clock_file,
            )
            for number, port in enumerate(ports)
        ]
        _tell_deliveries(office, moments, chance)
        service = build_service(load_config(config, {}))
        try:
            troubles = Troubles(
                service=service,
                office=office,
                clock_file=clock_file,
                disk=plan.disk,
                chance=chance,
                count=plan.troubles,
                processes=processes,
            )
            for process in processes:
                process.is_excused = troubles.was_database_ill
            killer = Killer(processes, moments, chance, plan.kills)
            if plan.troubles:
                killer.occasion = troubles.another
            stage = Stage(
                plan=plan,
                service=service,
                office=office,
                wire=Wire(ports, chance, moments, is_rough=not plan.is_calm),
                processes=processes,
                killer=killer,
                troubles=troubles,
                moments=moments,
                chance=chance,
                web_ports=web_ports,
            )
            stage.wire.on_kept = stage.check_kept
            on_stage(stage)
            return await stage.run()
        finally:
            service.store.close()


_ENV = {
    "PBEM_SERVE__TICK_SECONDS": "0.25",
    "PBEM_SERVE__LEASE_SECONDS": str(LEASE_SECONDS),
    "PBEM_SERVE__OUTAGE_AFTER": "1d",
    "PBEM_SMTP__TIMEOUT": str(SMTP_SECONDS),
    "PBEM_LOG__JSON": "true",
}


def address_of(name: str, number: int) -> str:
    """Return the address of a person in game `number`."""
    return f"{name.lower()}-{number}@friends.example"


def _write_config(plan: Plan, smtp_port: int, listen_port: int, web_port: int) -> Path:
    file = plan.folder / "pbem.toml"
    write_config(
        file,
        plan.folder,
        Installation(
            address="game@play.example.org",
            smtp=MailAccount("127.0.0.1", smtp_port, "none"),
            time_zone="Europe/Berlin",
            listen=f"smtp:127.0.0.1:{listen_port}",
            web_url=f"http://127.0.0.1:{web_port}",
            database=plan.url,
            key=hashlib.sha256(f"{plan.seed}:key".encode()).hexdigest(),
            ring=KeyRing((Key.made(date(2026, 11, 1)),), sealed_only=True),
        ),
    )
    return file


def _tell_deliveries(office: TroubledOffice, moments: Moments, chance: Random) -> None:
    """Signal moments of a delivery to the killer: its announcement, before our 250, and after it."""

    async def delivered() -> None:
        moments.happens("handed")
        await asyncio.sleep(chance.uniform(0, 0.01))
        asyncio.get_running_loop().call_later(0.001, moments.happens, "sent")

    office.on_announced = lambda: moments.happens("leaving")
    office.on_delivered = delivered


def _bytes_of(seed: int, number: int) -> Callable[[int], bytes]:
    calls = itertools.count()
    return lambda length: hashlib.shake_256(f"{seed}:{number}:{next(calls)}".encode()).digest(
        length
    )

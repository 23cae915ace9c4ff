"""Send hostile requests to a real `pbem serve`: `python -m trials.load.hostile --requests 10000`.

Strangers have the link of a seat, whose table has moved on. They send random paths, headers and bodies, and keep
connections open on which half a request has been sent, while players answer their messages by mail. Exit code 1 if a
mail was lost or carried out twice, a request made a move, an answer contained a card or status 500, or a mail was
not handled at once afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from random import Random

from bench.house import House
from bench.seats import Page, pages_of, with_pages
from pbem.demo.post_office import free_port
from pbem.service.upkeep import maintenance
from tests.patience import patience
from tests.web import hostile
from trials.load.run import Load, examine, quiet
from trials.load.seats import Site, serving
from trials.load.traffic import Traffic

SENDERS = 16
CALM_MAILS = 20
"""Mails after the requests, each of which must be handled at once."""
AT_ONCE_SECONDS = 2.0
_CARD = b'data-t="'
_ANSWER = "HTTP/1.1 "


async def attack(
    house: House, port: int, page: Page, requests: int, rate: float
) -> tuple[Traffic, list[str]]:
    """Send requests while players answer mails. Return the traffic and descriptions of failed checks."""
    traffic = Traffic(sys.maxsize, rate, seconds=3600.0)
    problems: list[str] = []
    async with serving(house, traffic, port) as site:
        answering = asyncio.create_task(traffic.run([site.service.port]))
        while _CARD.decode() in (await site.ask(page)).text:  # noqa: ASYNC110  (another process plays)
            await asyncio.sleep(0.5)
        begun = len(traffic.accepted)
        began, began_at = time.monotonic(), house.service.now()
        with hostile.slow_senders(port, page.path):
            answers = await asyncio.to_thread(_send, port, page.path, requests)
        seconds, calm_at = time.monotonic() - began, house.service.now()
        print(f"{requests} requests in {seconds:.0f} s: {_statuses(answers)}")
        print(f"{(len(traffic.accepted) - begun) / seconds:.1f} mails/s were accepted meanwhile")
        if any(_CARD in answer for answer in answers):
            problems.append("an answer contains a card")
        if any(answer.startswith(f"{_ANSWER}500".encode()) for answer in answers):
            problems.append("a request was answered with 500")
        traffic.mails = len(traffic.accepted) + CALM_MAILS
        await answering
        await quiet(house, 100)
        problems += await asyncio.to_thread(_late, house, began_at, calm_at)
        problems += _faults(site)
    return traffic, problems


def _send(port: int, link: str, count: int) -> list[bytes]:
    luck = Random(1)  # noqa: S311
    requests = (hostile.request(luck, link, "pbem-x=y") for _ in range(count))
    with ThreadPoolExecutor(SENDERS) as pool:
        return [*pool.map(partial(hostile.send, port), requests)]


def _statuses(answers: Sequence[bytes]) -> str:
    counts = Counter(
        answer[len(_ANSWER) :][:3].decode("ascii", "replace") or "no answer" for answer in answers
    )
    return ", ".join(f"{status}: {count}" for status, count in sorted(counts.items()))


def _late(house: House, began_at: datetime, calm_at: datetime) -> list[str]:
    """Print how long mails waited during the requests and afterwards. Return a problem if they waited afterwards."""
    with house.service.store.reading() as uow:
        rows = [row for row in uow.inbox.list(limit=10**9) if row.transport == "lmtp"]
    waits = [
        (row.arrived_at, (row.handled_at - row.arrived_at).total_seconds())
        for row in rows
        if row.handled_at
    ]
    during = [seconds for at, seconds in waits if began_at <= at < calm_at]
    after = [seconds for at, seconds in waits if at >= calm_at]
    for title, seconds in (("during the requests", during), ("afterwards", after)):
        print(
            f"{len(seconds)} mails {title}: handled after {statistics.median(seconds):.2f} s,"
            f" the last one after {max(seconds):.2f} s"
        )
    is_late = max(after) > patience(AT_ONCE_SECONDS)
    return ["a mail was not handled at once afterwards"] if is_late else []


def _faults(site: Site) -> list[str]:
    """Return the events in the service's log that are errors, which no request may cause, with their numbers."""
    lines = (site.house.folder / "serve.log").read_text(encoding="utf-8").splitlines()
    errors = Counter(
        str(json.loads(line)["event"])[:80] for line in lines if '"level": "error"' in line
    )
    return [f"{count} times in the log: {event}" for event, count in errors.items()]


def main() -> int:
    """Run the trial and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m trials.load.hostile", description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000, help="hostile requests (10,000)")
    parser.add_argument("--rate", type=float, default=2.0, help="moves a second by mail (2)")
    parser.add_argument("--games", type=int, default=20, help="running games (20)")
    given = parser.parse_args()
    house, port = House(), free_port()
    with_pages(house, port)
    started = house.start_games(given.games, deals=50)
    page = pages_of(house, started[:1])[0]
    stranger = Page(page.game_id, page.seat, page.path, {})
    traffic, problems = asyncio.run(attack(house, port, stranger, given.requests, given.rate))
    load = Load(len(traffic.accepted), given.games, 1, "sqlite", given.rate)
    examine(load, house, traffic)
    problems += load.problems + maintenance.check(house.service, lambda _: None)
    for problem in problems:
        print(f"WRONG {problem}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())

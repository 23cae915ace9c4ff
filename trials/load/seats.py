"""Load the seat pages of a real `pbem serve`: `python -m trials.load.seats open` or `taps`.

`open` keeps pages open like their script: while no moves are made, while moves arrive by mail, and during a restart
of the service. `taps` sends moves from pages while answers arrive by mail, and measures the time until the page shows
the result. Exit code 1 if a page does not show the newest state at the end, or a tap was not carried out.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode

from bench.house import House
from bench.seats import Page, pages_of, with_pages
from bench.served import Served, cpu_seconds, megabytes, start
from pbem.demo.post_office import free_port
from pbem.service.core import games
from pbem.service.intake import page_acts
from trials.load.run import KEY, config_of, quiet
from trials.load.traffic import Traffic

SEATS = 4
PAUSE = 5.0
"""Minimum seconds until a page is fetched again after its stream has ended, as in `seat.js`."""
SETTLED_SECONDS = 400.0
_FIELD = re.compile(r'name="(once|digest)" value="([^"]*)"')
_MOVE = re.compile(r'name="move" form="act" value="([^"]+)"')


@dataclass(slots=True)
class Site:
    """A house with a running service, its mail traffic, and the address of its pages."""

    house: House
    traffic: Traffic
    port: int
    service: Served

    async def ask(
        self, page: Page, tail: str = "", body: str | None = None, etag: str = ""
    ) -> Answer:
        """Send a request on a new connection and read the whole answer."""
        reader, writer = await self.request(page, tail, body, etag)
        head, _, text = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        return Answer(int(head.split(" ", 2)[1]), head, text)

    async def request(
        self, page: Page, tail: str = "", body: str | None = None, etag: str = ""
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request, and return the connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        method = "GET" if body is None else "POST"
        lines = [f"{method} {page.path}{tail} HTTP/1.1", "Host: cards.example.org"]
        lines += [f"{name}: {value}" for name, value in page.headers.items()]
        lines += ["Connection: close", f"If-None-Match: {etag}" if etag else "Accept: */*"]
        if body is not None:
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", body or ""]).encode())
        await writer.drain()
        return reader, writer


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request."""

    status: int
    head: str
    text: str

    @property
    def fields(self) -> dict[str, str]:
        """Return the hidden fields of a page."""
        return dict(_FIELD.findall(self.text))


@dataclass(slots=True)
class Open:
    """A page that is open in a browser and follows its table like `seat.js`.

    Attributes:
        digest: digest of the shown page.
        is_fetching: True to fetch the page again when its stream reports a change.
    """

    site: Site
    page: Page
    digest: str = ""
    is_streaming: bool = False
    is_fetching: bool = True

    async def run(self) -> None:
        """Follow the table until cancelled."""
        while True:
            with suppress(OSError, EOFError, LookupError, ValueError):
                await self._renew()
                await self._follow()
            self.is_streaming = False
            await asyncio.sleep(PAUSE * (1 + Random().random()))  # noqa: S311

    async def _renew(self) -> None:
        answer = await self.site.ask(self.page, etag=f'"{self.digest}"')
        if answer.status == 200:
            self.digest = answer.fields["digest"]

    async def _follow(self) -> None:
        reader, writer = await self.site.request(self.page, "/live")
        try:
            if b" 200 " not in await reader.readline():
                return
            while line := await reader.readline():
                name, _, value = line.decode().strip().partition(": ")
                if name != "data":
                    continue
                self.is_streaming = True
                if value != self.digest and self.is_fetching:
                    await self._renew()
        finally:
            writer.close()


@asynccontextmanager
async def serving(house: House, traffic: Traffic, port: int) -> AsyncIterator[Site]:
    """Serve the pages of a house at a port, and wait until the first messages have left."""
    server = await traffic.listen()
    site = Site(house, traffic, port, await _started(house, traffic, port))
    try:
        await quiet(house, 100)
        yield site
    finally:
        await site.service.stop()
        server.close()


async def _started(house: House, traffic: Traffic, port: int) -> Served:
    return await start(config_of(house, traffic.port, port), KEY, house.folder / "serve.log")


# --- many open pages ----------------------------------------------------------------------------------


async def keep_open(
    house: House, port: int, pages: list[Page], rate: float, seconds: float
) -> list[str]:
    """Keep pages open, print the load of the service, and return descriptions of failed checks."""
    traffic = Traffic(0, rate, seconds=seconds)
    async with serving(house, traffic, port) as site:
        await asyncio.gather(*(site.ask(page) for page in pages[:SEATS]))
        await _measured(f"no page, {rate:g} moves/s", site, seconds, moves=True)
        without = await _measured("no page", site, seconds)
        opened = [Open(site, page) for page in pages]
        tasks = [asyncio.create_task(each.run()) for each in opened]
        await _until(lambda: all(each.is_streaming for each in opened))
        grown = await _measured(f"{len(pages)} pages", site, seconds) - without
        for each in opened:
            each.is_fetching = False
        await _measured(
            f"{len(pages)} pages, {rate:g} moves/s, streams alone", site, seconds, moves=True
        )
        for each in opened:
            each.is_fetching = True
        await _measured(f"{len(pages)} pages, {rate:g} moves/s", site, seconds, moves=True)
        print(f"memory for {len(pages)} pages: {grown:.0f} MB")
        await site.service.stop()
        await _until(lambda: not any(each.is_streaming for each in opened))
        site.service = await _started(house, traffic, port)
        began, used = time.monotonic(), cpu_seconds(site.service.pid)
        await _until(lambda: all(each.is_streaming for each in opened))
        used = cpu_seconds(site.service.pid) - used
        print(
            f"after a restart all follow again in {time.monotonic() - began:.1f} s, {used:.1f} s of processor time"
        )
        await _measured(f"after it, {rate:g} moves/s", site, seconds, moves=True)
        await asyncio.sleep(2)
        stale = [each for each in opened if each.digest != _newest(house, each.page)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [f"{len(stale)} pages do not show the newest state"] if stale else []


async def _measured(title: str, site: Site, seconds: float, *, moves: bool = False) -> float:
    """Print the share of a core that the service uses for some seconds. Return its memory in MB."""
    before, began = cpu_seconds(site.service.pid), time.monotonic()
    arrived = len(site.traffic.accepted)
    if moves:
        site.traffic.mails = sys.maxsize
        await site.traffic.run([site.service.port])
        await asyncio.sleep(2)
    else:
        await asyncio.sleep(seconds)
    used, passed = cpu_seconds(site.service.pid) - before, time.monotonic() - began
    memory = megabytes(site.service.pid)
    count = len(site.traffic.accepted) - arrived
    each = f", {1000 * used / count:.0f} ms for each of {count} moves" if count else ""
    print(f"{title}: {100 * used / passed:.1f} % of a core{each}, {memory:.0f} MB", flush=True)
    return memory


async def _until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(SETTLED_SECONDS):
        while not is_true():  # noqa: ASYNC110  (another process is)
            await asyncio.sleep(0.1)


def _newest(house: House, page: Page) -> str:
    with house.service.store.reading() as uow:
        visit = page_acts.find_visit(house.service, uow, page.token, page.cookies)
        return "" if visit is None else page_acts.page_content(house.service, uow, visit).digest


# --- taps ---------------------------------------------------------------------------------------------


async def tap(
    house: House, port: int, pages: list[Page], silent: Iterable[str], rate: float, taps: int
) -> list[str]:
    """Send moves from pages while answers arrive by mail, and print the response times.

    Returns descriptions of failed checks.
    """
    traffic = Traffic(sys.maxsize, rate, seconds=3600.0, silent=frozenset(silent))
    problems: list[str] = []
    times: list[float] = []
    stored: list[float] = []
    luck = Random(1)  # noqa: S311
    async with serving(house, traffic, port) as site:
        answering = asyncio.create_task(traffic.run([site.service.port]))
        await asyncio.sleep(5)
        before, began, accepted = (
            cpu_seconds(site.service.pid),
            time.monotonic(),
            len(traffic.accepted),
        )
        for _ in range(taps):
            page = await asyncio.to_thread(_to_move, house, luck.choice(pages), pages)
            shown = await site.ask(page)
            move = luck.choice(_MOVE.findall(shown.text))
            await asyncio.sleep(luck.random())
            start_at = time.perf_counter()
            posted = await site.ask(page, body=urlencode({**shown.fields, "words": move}))
            stored.append(time.perf_counter() - start_at)
            result = await site.ask(page, f"?after={shown.fields['once']}")
            times.append(time.perf_counter() - start_at)
            if posted.status != 303 or 'class="result bad' in result.text:
                problems.append(f"a tap was answered with {posted.status}, {result.status}")
        passed = time.monotonic() - began
        used, count = cpu_seconds(site.service.pid) - before, len(traffic.accepted) - accepted
        answering.cancel()
        with suppress(asyncio.CancelledError):
            await answering
    print(
        f"{count / passed:.1f} answers/s by mail, {taps / passed:.1f} taps/s, {100 * used / passed:.0f} % of a core"
    )
    for title, values in (
        ("until stored and handled", stored),
        ("until the page has the result", times),
    ):
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        shown_cuts = "  ".join(
            f"{percent} %: {1000 * cuts[percent - 1]:.0f} ms" for percent in (50, 90, 95, 99)
        )
        print(f"{title}: {shown_cuts}  longest: {1000 * max(values):.0f} ms")
    return problems


def _to_move(house: House, of: Page, pages: Iterable[Page]) -> Page:
    """Return the page of the seat whose turn it is in the game of page `of`."""
    with house.service.store.reading() as uow:
        seat = int(games.load(uow, of.game_id).to_act[0])
    return next(page for page in pages if (page.game_id, page.seat) == (of.game_id, seat))


def main() -> int:
    """Run a trial and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m trials.load.seats", description=__doc__)
    parser.add_argument("trial", choices=("open", "taps"))
    parser.add_argument("--pages", type=int, default=1000, help="open pages (1000)")
    parser.add_argument("--rate", type=float, help="moves a second by mail (open: 1, taps: 10)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement (20)")
    parser.add_argument("--games", type=int, default=60, help="taps: running games (60)")
    parser.add_argument("--taps", type=int, default=100, help="moves from pages (100)")
    given = parser.parse_args()
    house, port = House(), free_port()
    with_pages(house, port)
    is_open = given.trial == "open"
    count = given.pages // SEATS if is_open else given.games
    started = house.start_games(count, deals=50, seats=SEATS)
    print(f"{count} games started", flush=True)
    if is_open:
        problems = asyncio.run(
            keep_open(house, port, pages_of(house, started), given.rate or 1.0, given.seconds)
        )
    else:
        tapped = started[: count // 6]
        with house.service.store.reading() as uow:
            silent = [
                uow.players.addresses(seat.player)[0]
                for game_id in tapped
                for seat in games.load(uow, game_id).seats
            ]
        problems = asyncio.run(
            tap(house, port, pages_of(house, tapped), silent, given.rate or 10.0, given.taps)
        )
    for problem in problems:
        print(f"WRONG {problem}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())

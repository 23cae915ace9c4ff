"""Measure the cost of a seat page: `python -m bench.seats`.

It prints milliseconds of processor time for each ruleset, in the middle of a game: for a page, an unchanged page
(304), the check of a stream for one seat, and a page of a real `pbem serve` with its HTTP server. Other programs
can only slow a request down, so each figure is the minimum of some rounds.
"""

from __future__ import annotations

import asyncio
import gc
import http.client
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from random import Random

from bench.house import House
from bench.served import cpu_seconds, start
from engine import registry
from pbem.demo.post_office import free_port
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide
from pbem.sections import Web
from pbem.service.change import changing
from pbem.service.core import games
from pbem.service.core.names import seat_page_address
from pbem.service.intake import page_acts
from pbem.web.live import Live
from pbem.web.pages import SeatPages
from trials.load.run import KEY, config_of, quiet
from trials.load.traffic import Traffic

PLIES = 25
"""Number of moves of a game before the measurement."""
ROUNDS, REQUESTS = 5, 5
OPTIONS = {"phyliss": {"deals": 20}, "cathedral": {"deals": 20}, "phalanx": {"max_battles": 20}}


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a seat, with the cookies of its player's browser."""

    game_id: GameId
    seat: int
    path: str
    cookies: dict[str, str]

    @property
    def token(self) -> str:
        """Return the secret part of the page's address."""
        return self.path.rpartition("/")[2]

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of a request for the page."""
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}


def with_pages(house: House, port: int = 8025) -> Web:
    """Switch on the seat pages of a house."""
    web = Web(url="https://cards.example.org", listen=f"127.0.0.1:{port}")
    config = house.service.config.model_copy(update={"web": web})
    house.service = replace(house.service, config=config)
    return web


def pages_of(house: House, game_ids: Sequence[GameId]) -> list[Page]:
    """Return the pages of all seats of some games, by the links in their newest messages."""
    service, pages = house.service, []
    with service.store.reading() as uow:
        for game_id in game_ids:
            game = games.load(uow, game_id)
            for number, seat in enumerate(game.seats):
                player = uow.players.get(seat.player)
                if player is None:
                    raise LookupError(seat.player)
                path = seat_page_address(service, game, number, player).partition(".org")[2]
                cookie = page_acts.browser_cookie(service, uow, player)
                pages.append(Page(game_id, number, path, dict([cookie])))
    return pages


def play_on(house: House, game_id: GameId, plies: int, luck: Random) -> None:
    """Continue a game for some plies by random legal moves."""
    with (
        house.service.store.unit_of_work() as uow,
        changing(house.service, uow, game_id, actor="system", cause=None) as change,
    ):
        for _ in range(plies):
            game = change.game
            if not game.to_act:
                break
            seat = luck.choice(game.to_act)
            move = luck.choice(list(game.ruleset.legal_moves(game.state, seat)))
            order = game.ruleset.format_move(game.state, seat, move)
            decide.play(change.decision, int(seat), order, source="mail")
            decide.settle(change.decision)


def _cost(step: Callable[[], object], used: Callable[[], float] = time.process_time) -> float:
    """Return the milliseconds of processor time of a step, in the best round.

    Args:
        used: returns the processor seconds used so far.
    """
    costs = []
    for _ in range(ROUNDS):
        began = used()
        for _ in range(REQUESTS):
            step()
        costs.append(1000 * (used() - began) / REQUESTS)
    return min(costs)


def _in_process(house: House, web: Web, page: Page) -> tuple[float, float, float]:
    """Return the cost of a page, of an unchanged page, and of the check of a stream."""
    pages = SeatPages(house.service, web, lambda: None)
    live = Live(house.service)
    with house.service.store.reading() as uow:
        visit = page_acts.find_visit(house.service, uow, page.token, page.cookies)
    if visit is None:
        raise LookupError(page.game_id)
    tag = pages.show(page.token, page.cookies).headers["etag"]
    return (
        _cost(lambda: pages.show(page.token, page.cookies)),
        _cost(lambda: pages.show(page.token, page.cookies, etag=tag)),
        _cost(lambda: live._digests(page.game_id, {visit.holder})),
    )


async def _served(house: House, port: int, shown: dict[str, list[Page]]) -> list[float]:
    """Return the cost of a page of each ruleset in a real service, after its first messages."""
    traffic = Traffic(0, 0.0)
    server = await traffic.listen()
    config = config_of(house, traffic.port, web_port=port)
    service = await start(config, KEY, house.folder / "serve.log")
    costs = []
    try:
        await quiet(house, len(shown))
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            for pages in shown.values():
                step = partial(_get, connection, itertools.cycle(pages))
                used = partial(cpu_seconds, service.pid)
                costs.append(await asyncio.to_thread(_cost, step, used))
    finally:
        await service.stop()
        server.close()
    return costs


def _get(connection: http.client.HTTPConnection, pages: Iterator[Page]) -> None:
    page = next(pages)
    connection.request("GET", page.path, headers=page.headers)
    response = connection.getresponse()
    response.read()
    if response.status != HTTPStatus.OK:
        raise RuntimeError(f"a page was answered with {response.status}")


def main() -> None:
    """Play a game of each ruleset to its middle, and measure the pages of its seats."""
    house, port = House(), free_port()
    web = with_pages(house, port)
    shown: dict[str, list[Page]] = {}
    for name in registry.names():
        game_id = house.start_game(name, OPTIONS.get(name, {}))
        play_on(house, game_id, PLIES, Random(7))  # noqa: S311
        shown[name] = pages_of(house, [game_id])
    served = asyncio.run(_served(house, port, shown))
    gc.collect()
    gc.freeze()  # like `pbem`
    print("ms of processor time: page, unchanged, check of a stream, page of pbem serve")
    for (name, pages), cost in zip(shown.items(), served, strict=True):
        ours = zip(*(_in_process(house, web, page) for page in pages), strict=True)
        figures = [sum(values) / len(pages) for values in ours]
        print(f"{name:15} {'  '.join(f'{figure:6.1f}' for figure in (*figures, cost))}", flush=True)


if __name__ == "__main__":
    main()

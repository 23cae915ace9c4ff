"""Measure pages of many games: all at once, on request, and per reply (`python -m bench.pages`).

It prints seconds of processor time. Games are played by answers to messages, as in `bench.turns`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from sqlalchemy import func, select

from bench.house import House, Kept
from bench.turns import BATCH, Intake, Replies
from engine.api import Seat
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide
from pbem.sections import Pages
from pbem.service.change import changing
from pbem.service.pages import building, club
from pbem.service.pages.files import INDEX
from pbem.store.rows.core import EVENT

MIN = 0.9
"""Minimum share of the replies that must be moves."""


def _play_on(house: House, game_id: GameId, plies: int) -> None:
    """Continue a game for some plies by standby moves, without messages."""
    store = house.service.store
    with (
        store.unit_of_work() as uow,
        changing(house.service, uow, game_id, actor="system", cause=None) as change,
    ):
        for _ in range(plies):
            game = change.game
            if not game.to_act:
                break
            seat = Seat(int(game.to_act[0]))
            move = game.ruleset.standby_move(game.state, seat)
            order = game.ruleset.format_move(game.state, seat, move)
            decide.play(change.decision, int(seat), order, source="mail")
        decide.settle(change.decision)  # otherwise no player is asked for the next move


def _moves(house: House) -> int:
    """Return the number of moves of all games."""
    with house.service.store.reading() as uow:
        moves = select(func.count()).where(EVENT.c.type == "MovePlayed")
        return uow.connection.execute(moves).scalar_one()


def main() -> None:
    """Play games, build their pages, then process answers with and without pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument(
        "--plies", type=int, default=20, help="of each game, before the first answer"
    )
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    house = House()
    with tempfile.TemporaryDirectory() as folder:
        started = house.start_games(given.games)
        while house.send(Kept()):
            pass  # answers to these messages would concern an earlier position
        for game_id in started:
            _play_on(house, game_id, given.plies)
        without = house.service
        config = without.config.model_copy(
            update={"pages": Pages(folder=Path(folder) / "pages", url="https://example.org")}
        )
        with_pages = replace(without, config=config)
        replies = Replies(house)
        intake = Intake(replies, one_by_one=True)
        for _ in range(3):
            intake.prepare()
            intake()
        begin = time.process_time()
        built = building.build(with_pages)
        print(
            f"{built.games} games in one go: {time.process_time() - begin:.1f} s, {built.files} files"
        )
        sizes = [file.stat().st_size for file in Path(folder).rglob("*.*") if file.is_file()]
        print(f"{sum(sizes) / 1e6:.1f} MB, the largest file {max(sizes) / 1e3:.1f} kB", flush=True)
        costs: dict[bool, list[float]] = {False: [], True: []}
        moves = _moves(house)
        for number in range(2 * given.rounds):
            has_pages = number % 4 in (1, 2)  # so that neither variant always comes first
            house.service = with_pages if has_pages else without
            intake.prepare()
            begin = time.process_time()
            intake()
            costs[has_pages].append((time.process_time() - begin) / BATCH)
        share = (_moves(house) - moves) / (2 * given.rounds * BATCH)
        if share < MIN:
            sys.exit(f"{share:.0%} of the replies moved a game: their cost says nothing")
        off, on = (median(costs[which]) for which in (False, True))
        times = sorted(b / a for a, b in zip(costs[False], costs[True], strict=True))
        print(
            f"a reply: {1000 * off:.2f} ms, with pages {1000 * on:.2f} ms, {median(times):.3f} ×"
            f" ({times[0]:.2f} to {times[-1]:.2f} in {given.rounds} pairs of {BATCH})"
        )
        with with_pages.store.reading() as uow:
            entries: club.Entries = {}
            for name in (INDEX, f"game/{started[0]}.html", INDEX):
                begin = time.process_time()
                club.page(with_pages, uow, name, club.read(uow, entries))
                print(f"{name} on request: {1000 * (time.process_time() - begin):.0f} ms")


if __name__ == "__main__":
    main()

"""Draw a thousand random league seasons and play one by mail: `python -m trials.soak.league`.

Exit code 1 if a pair met again although that was avoidable, or if the league by mail does not verify.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import starmap
from pathlib import Path

from pbem import logs
from pbem.domain.league.league import points
from pbem.service.league import verify
from pbem.service.upkeep import maintenance
from tests.databases import sqlite_store
from tests.domain.league.seasons import Season, season
from tests.service.conftest import make_table
from tests.service.league.club import Club, named

FIELDS = (
    (24, 4, 5),
    (23, 4, 5),
    (16, 3, 5),
    (12, 2, 5),
    (11, 2, 5),
    (40, 4, 6),
    (9, 3, 4),
)
"""Number of players, seats per table and rounds of each kind of season."""


def seasons(players: int, most: int, rounds: int, count: int) -> list[Season]:
    """Play `count` seasons of one size."""
    return [season(players, most, rounds, seed) for seed in range(count)]


def told(field: tuple[int, int, int], found: Sequence[Season]) -> str:
    """Return the line of the printed table for the seasons of one size."""
    players, largest, rounds = field
    some = sum(result.repeats > 0 for result in found)
    mean = sum(result.spread for result in found) / len(found)
    cells = (
        f"{players} at tables of {largest}, {rounds} rounds",
        len(found),
        f"{some} ({sum(result.repeats for result in found)} pairs)",
        sum(result.avoidable for result in found),
        f"{mean:.2f}",
        max(result.deals for result in found),
        max(result.seats for result in found),
        max(result.byes for result in found),
    )
    return f"| {' | '.join(map(str, cells))} |"


def by_mail(folder: Path) -> str:
    """Play a league of 23 people and a bot over five rounds. Return the problems."""
    names = [*named(23)]
    silent, gone = names[20:22], names[5]
    with sqlite_store(folder) as store:
        table = make_table(store)
        club = Club(table, names, silent)
        club.write(
            names[0],
            "new league phyliss, 5 rounds, tables of 4, 1d per move, called winter, bots fill the tables",
        )
        for name in names[1:]:
            club.write(name, "join league winter")
        club.write(names[0], "start league winter")
        for number in range(5):
            club.get_ready()
            table.clock.forward(days=1, minutes=1)
            table.run()
            for game in club.running():
                club.play_on(game, 60)
            if number == 1:
                club.write(gone, "leave league winter")
            for _ in range(15):
                table.clock.forward(days=1)
                table.run()
        league = club.league("winter")
        with store.reading() as uow:
            report = verify.verify_league(uow, league.id)
            verify.verify_file(verify.export(uow, league.id))
        broken = maintenance.check(table.service, lambda _: None)
        bots = sum(
            player.startswith("bot:") for t in league.rounds[0].tables for player in t.players
        )
        best = [
            f"{club.ids[player]} {points(league, player) / 120:.2f}"
            for player in league.ranking[:3]
        ]
        lines = [
            *report.checks,
            f"{bots} bot, {len(table.delivery.mails)} mails, {', '.join(best)}",
        ]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        if league.status != "finished" or len(league.rounds) != len(range(5)):
            return f"the league is {league.status} after {len(league.rounds)} rounds"
        return "; ".join(broken)


def main() -> int:
    """Play the seasons and print the results."""
    parser = argparse.ArgumentParser(prog="python -m trials.soak.league", description=__doc__)
    parser.add_argument("--seasons", type=int, default=143, help="of each of seven sizes (143)")
    parser.add_argument("--no-mails", action="store_true", help="only the draws")
    given = parser.parse_args()
    logs.configure("error", as_json=False)
    avoidable = 0
    with ProcessPoolExecutor() as pool:
        runs = [pool.submit(seasons, *field, given.seasons) for field in FIELDS]
        results = [run.result() for run in runs]
    for line in starmap(told, zip(FIELDS, results, strict=True)):
        sys.stdout.write(f"{line}\n")
    avoidable = sum(result.avoidable for some in results for result in some)
    wrong = ""
    if not given.no_mails:
        with tempfile.TemporaryDirectory() as folder:
            wrong = by_mail(Path(folder))
    sys.stderr.write(f"{wrong}\n" if wrong else "")
    return 1 if wrong or avoidable else 0


if __name__ == "__main__":
    sys.exit(main())

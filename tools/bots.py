"""Rate the bots by games against each other: `python -m tools.bots`, for `make bots`.

A cell is a game with a number of seats. Each level of a pair gets half of the seats, and the first
level gets the extra seat if the number is odd. openskill computes ratings from the ranks in all
these games, on the scale of docs/standings.md. Results are appended to a file of JSON lines, so
that an interrupted run can be continued. Each game depends only on the seed and its number. Results
with another search budget are ignored. Delete the file after changing a bot.

The pages docs/bots.md and pbem/bots/ratings.json are written from that file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine import registry
from engine.api import OptionValue
from pbem.bots import find_level
from pbem.bots.arena import Pairing, estimate, play
from pbem.domain.terms.ratings import Rating, rated
from pbem.games.profile import knowledge_of

FIGURES = "## Figures"
"""Heading of the section that contains the figures."""
LEVELS = ("standby", "random", "easy", "medium", "hard")
FEWER = ("random", "medium", "hard")
"""Levels that play fewer games, because they are slow or give little information."""
SEATS = {"phyliss": (2, 4, 5), "cathedral": (2, 4, 6), "phalanx": (2, 4, 6), "phase10": (2, 4, 6)}
OPTIONS: dict[str, dict[str, OptionValue]] = {
    "phalanx": {"max_battles": 2},
    "phase10": {"phases_to_win": 2},
}
SEED = "make bots"
ENOUGH = 40
"""Minimum number of games of a level before its rating is shown to players."""
PASSES = 3
"""Number of passes over all games for the ratings, so that their order does not matter."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A ruleset and the number of seats."""

    ruleset: str
    seats: int

    @property
    def name(self) -> str:
        """Return the ruleset and the number of seats, such as `phyliss 4`."""
        return f"{self.ruleset} {self.seats}"


@dataclass(frozen=True, slots=True)
class Row:
    """A finished game: levels, wins and ranks (as shares) by seat, and thinking time by level."""

    cell: str
    first: str
    second: str
    number: int
    budget: str
    bots: tuple[str, ...]
    wins: tuple[float, ...]
    shares: tuple[float, ...]
    seconds: dict[str, tuple[int, float, float]]


def budget(cell: Cell, *levels: str) -> str:
    """Return the search budget of each level in this game, as `0 400`."""
    known = knowledge_of(cell.ruleset)
    thoughts = [find_level(level).thought for level in levels]
    return " ".join(
        str(known.iterations[each] if isinstance(each, int) else 0) for each in thoughts
    )


def one_game(cell: Cell, first: str, second: str, number: int) -> Row:
    """Play game `number` of a pair of levels, which sit in alternating seats."""
    rules = registry.find(cell.ruleset)
    options = rules.check_options(cell.seats, OPTIONS.get(cell.ruleset, {}))
    bots = tuple((first, second)[seat % 2] for seat in range(cell.seats))
    played = play(Pairing(rules.id, options, bots, f"{SEED}/{cell.name}"), number)
    seconds = {}
    for level in {first, second}:
        its = [played.thought[seat] for seat, bot in enumerate(played.bots) if bot == level]
        seconds[level] = (
            sum(search.count for search in its),
            sum(search.total for search in its),
            max(search.longest for search in its),
        )
    return Row(
        cell.name,
        first,
        second,
        number,
        budget(cell, first, second),
        played.bots,
        played.wins,
        played.shares,
        seconds,
    )


def pairs(levels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of levels to compare, the better level first."""
    for worse, better in combinations(levels, 2):
        if worse != "random" or better == "easy":
            yield better, worse


def kept(file: Path) -> list[Row]:
    """Return the games of earlier runs whose search budgets are still current."""
    if not file.exists():
        return []
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        data |= {name: tuple(data[name]) for name in ("bots", "wins", "shares")}
        row = Row(**data)
        ruleset, _, seats = row.cell.partition(" ")
        if row.budget == budget(Cell(ruleset, int(seats)), row.first, row.second):
            rows.append(row)
    return rows


def run(wanted: Sequence[tuple[Cell, str, str, int]], file: Path, workers: int) -> None:
    """Play the wanted games that the file does not contain, in `workers` processes."""
    done = {(row.cell, row.first, row.second, row.number) for row in kept(file)}
    todo = [each for each in wanted if (each[0].name, *each[1:]) not in done]
    file.parent.mkdir(parents=True, exist_ok=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    fresh = multiprocessing.get_context("spawn")
    with (
        bar,
        ProcessPoolExecutor(workers, mp_context=fresh) as pool,
        file.open("a", encoding="utf-8") as out,
    ):
        task = bar.add_task("games", total=len(todo))
        waiting = [pool.submit(one_game, *each) for each in todo]
        try:
            for future in as_completed(waiting):
                row = future.result()
                fields = {name: getattr(row, name) for name in Row.__slots__}
                out.write(json.dumps(fields) + "\n")
                out.flush()
                bar.advance(task)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def ratings(rows: Iterable[Row]) -> dict[str, Rating]:
    """Return the rating of each level, computed from the ranks in the games of one cell."""
    games = sorted(rows, key=lambda row: (row.number, row.first, row.second))
    result: dict[str, Rating] = defaultdict(Rating)
    for _ in range(PASSES):
        for row in games:
            places = [1 + sum(other > share for other in row.shares) for share in row.shares]
            after = rated([result[bot] for bot in row.bots], places, [False] * len(places))
            for bot in set(row.bots):
                its = [rating for rating, who in zip(after, row.bots, strict=True) if who == bot]
                result[bot] = Rating(
                    sum(rating.mu for rating in its) / len(its),
                    sum(rating.sigma for rating in its) / len(its),
                )
    return result


def page(rows: Sequence[Row]) -> str:
    """Return the Markdown tables of docs/bots.md."""
    cells: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        cells[row.cell].append(row)
    parts = [
        "### Ratings\n",
        "| game, seats | " + " | ".join(LEVELS) + " |",
        "| --- " * (len(LEVELS) + 1) + "|",
    ]
    for name, its in sorted(cells.items()):
        found = ratings(its)
        enough = {level for level in found if sum(level in row.bots for row in its) >= ENOUGH}
        said = [f"{found[level].mu:.0f}" if level in enough else "–" for level in LEVELS]
        parts.append(f"| {name.replace(' ', ', ')} | " + " | ".join(said) + " |")
    parts += [
        "",
        "### Who beats whom\n",
        "| game, seats | bots | games | won (95 %) | even | place (95 %) | ms a move, longest |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, its in sorted(cells.items()):
        for first, second in pairs(LEVELS):
            met = [row for row in its if (row.first, row.second) == (first, second)]
            if met:
                parts.append(_met(name, first, second, met))
    return "\n".join([*parts, ""])


def _met(name: str, first: str, second: str, met: Sequence[Row]) -> str:
    wins, shares = [], []
    for row in met:
        own = [seat for seat, bot in enumerate(row.bots) if bot == first]
        wins.append(sum(row.wins[seat] for seat in own))
        shares.append(sum(row.shares[seat] for seat in own) / len(own))
    seats = len(met[0].bots)
    won, share = estimate(wins), estimate(shares)
    thought = [row.seconds[first] for row in met]
    count = sum(each[0] for each in thought) or 1
    mean = 1000 * sum(each[1] for each in thought) / count
    longest = 1000 * max(each[2] for each in thought)
    return (
        f"| {name.replace(' ', ', ')} | {first}, {second} | {len(met)}"
        f" | {won.mean:.2f} ({won.low:.2f}–{won.high:.2f}) | {(seats + 1) // 2 / seats:.2f}"
        f" | {share.mean:.2f} ({share.low:.2f}–{share.high:.2f}) | {mean:.1f}, {longest:.0f} |"
    )


def levels_by_game(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Return the rating of each level in each game as an integer, over all numbers of seats.

    A level with fewer than `ENOUGH` games is left out.
    """
    result: dict[str, dict[str, int]] = {}
    for ruleset in SEATS:
        by_level: dict[str, list[float]] = defaultdict(list)
        for name in sorted({row.cell for row in rows if row.cell.split()[0] == ruleset}):
            its = [row for row in rows if row.cell == name]
            for level, rating in ratings(its).items():
                if sum(level in row.bots for row in its) >= ENOUGH:
                    by_level[level].append(rating.mu)
        if by_level:
            result[ruleset] = {
                level: round(sum(by_level[level]) / len(by_level[level]))
                for level in LEVELS
                if level in by_level
            }
    return result


def main() -> None:
    """Play the missing games and write the pages."""
    parser = argparse.ArgumentParser(prog="python -m tools.bots", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each pair (1000)")
    parser.add_argument("--random", type=int, default=100, help="with random (100)")
    parser.add_argument("--medium", type=int, default=200, help="with medium (200)")
    parser.add_argument("--hard", type=int, default=100, help="with hard (100)")
    parser.add_argument("--cells", nargs="*", help="as `phyliss:4`; all")
    parser.add_argument("--levels", nargs="*", default=LEVELS, help="levels; all")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes; all cores"
    )
    parser.add_argument(
        "--file", type=Path, default=Path("build/bots.jsonl"), help="what was played"
    )
    parser.add_argument("--page", type=Path, help="put the tables at the end of this page")
    parser.add_argument("--ratings", type=Path, help="write the ratings of the levels there")
    given = parser.parse_args()
    every = [Cell(name, seats) for name, numbers in SEATS.items() for seats in numbers]
    if given.cells:
        every = [Cell(name, int(seats)) for name, seats in (one.split(":") for one in given.cells)]
    levels = [level for level in LEVELS if level in given.levels]
    games = {
        pair: min([given.games, *[getattr(given, level) for level in FEWER if level in pair]])
        for pair in pairs(levels)
    }
    wanted = [
        (cell, first, second, number)
        for number in range(max(games.values(), default=0))
        for cell in every
        for first, second in games
        if number < games[first, second]
    ]
    run(wanted, given.file, given.workers)
    rows = kept(given.file)
    if given.page is not None:
        text, _, _ = given.page.read_text(encoding="utf-8").partition(FIGURES)
        given.page.write_text(f"{text}{FIGURES}\n\n{page(rows)}", encoding="utf-8")
    if given.ratings is not None:
        given.ratings.write_text(
            json.dumps(levels_by_game(rows), indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()

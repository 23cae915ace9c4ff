"""Play every ruleset, option set and number of seats, many times over: `python -m trials.soak`.

Exit code 1 if a check failed. The printed line explains how to reproduce it.
"""

import argparse
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from engine import registry
from trials.soak.cells import Cell, cells
from trials.soak.trial import Told, Trial

BATCH = 10


def play_some(cell: Cell, numbers: range) -> tuple[list[Told], list[str]]:
    """Play some games of a cell. Return their statistics and the problems."""
    results, wrong = [], []
    for number in numbers:
        try:
            results.append(Trial(cell, number).play())
        except Exception as error:  # noqa: BLE001  (whatever broke is told, and the run goes on)
            wrong.append(
                f"{cell}: {type(error).__name__}: {error}; again: python -m trials.soak "
                f"--ruleset {cell.ruleset} --first {number} --games 1"
            )
    return results, wrong


def main() -> int:
    """Play all cells and print a table and the problems."""
    parser = argparse.ArgumentParser(prog="python -m trials.soak", description=__doc__)
    parser.add_argument("--ruleset", choices=registry.names(), help="only this one")
    parser.add_argument("--games", type=int, default=100, help="per cell (100)")
    parser.add_argument("--first", type=int, default=1, help="number of the first game (1)")
    given = parser.parse_args()

    kinds = list(cells(given.ruleset))
    end = given.first + given.games
    batches = [
        (cell, range(begin, min(begin + BATCH, end)))
        for begin in range(given.first, end, BATCH)
        for cell in kinds
    ]
    results: dict[str, list[Told]] = defaultdict(list)
    broken: list[str] = []
    with ProcessPoolExecutor() as pool, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("games", total=given.games * len(kinds))
        runs = [(cell, pool.submit(play_some, cell, numbers)) for cell, numbers in batches]
        for cell, run in runs:
            good, wrong = run.result()
            results[cell.ruleset] += good
            broken += wrong
            progress.advance(task, len(good) + len(wrong))
    Console().print(table(results))
    for line in broken:
        sys.stderr.write(f"{line}\n")
    return 1 if broken else 0


def table(told: dict[str, list[Told]]) -> Table:
    """Return the statistics of the played games, with a line per ruleset."""
    result = Table(title="Games in which every promise held", title_justify="left")
    for name in ("ruleset", "games", "plies", "longest", "looked at closely", "how they ended"):
        result.add_column(
            name, justify="left" if name in ("ruleset", "how they ended") else "right"
        )
    for ruleset, games in told.items():
        reasons = Counter(game.reason for game in games).most_common()
        result.add_row(
            ruleset,
            f"{len(games):,}",
            f"{sum(game.plies for game in games):,}",
            f"{max((game.plies for game in games), default=0):,}",
            f"{sum(game.looked for game in games):,}",
            ", ".join(f"{count:,} {reason}" for reason, count in reasons),
        )
    return result


if __name__ == "__main__":
    sys.exit(main())

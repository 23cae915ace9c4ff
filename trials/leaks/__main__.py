"""Compare many possible deals of every ruleset: `python -m trials.leaks --games 100`.

Exit code 1 if hidden cards changed a byte of the output for a player, the command line or the log.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from engine import registry
from tests.engine.chance import chance
from tests.service.conftest import NAMES
from trials.leaks.worlds import differences, story
from trials.soak.cells import OPTION_SETS

OTHERS = 4
"""Number of other worlds with which each game is compared."""
PLIES = ([6, 12, 25], [12, 25, 45])
"""Number of plies of a game. A battle of Phalanx with chips needs more than thirty."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one world with others.

    Attributes:
        pairs: number of other worlds.
        exchanged: number of exchanged pairs of cards.
        happened: kinds of facts in the game.
        places: names of the outputs in which they differ.
    """

    pairs: int
    exchanged: int
    happened: set[str]
    places: list[str]


def compare(ruleset: str, number: int) -> Compared:
    """Play a game of a ruleset and compare its world with some others."""
    luck = chance(f"worlds {ruleset} {number}")
    players = luck.choice([n for n in registry.find(ruleset).players if n <= len(NAMES)])
    options = luck.choice(OPTION_SETS[ruleset])
    plies = luck.choice(PLIES[ruleset == "phalanx"])
    with tempfile.TemporaryDirectory() as folder:
        try:
            worlds = story(
                ruleset, players, options, number % 256, luck, plies=plies, others=OTHERS
            )
            seen = list(differences(worlds, luck, Path(folder)))
        except Exception as error:  # noqa: BLE001  (whatever broke is told, and the run goes on)
            return Compared(0, 0, set(), [f"{type(error).__name__}: {error}"])
    where = [difference for _, difference in seen if difference is not None]
    return Compared(len(seen), sum(count for count, _ in seen), worlds.happened, where)


def main() -> int:
    """Compare worlds and print the differences."""
    parser = argparse.ArgumentParser(prog="python -m trials.leaks", description=__doc__)
    parser.add_argument("--ruleset", choices=registry.names(), help="only this one")
    parser.add_argument(
        "--games", type=int, default=100, help=f"per ruleset, with {OTHERS} other worlds each (100)"
    )
    parser.add_argument("--processes", type=int, help="so many at once (one for each processor)")
    parser.add_argument("--first", type=int, default=1, help="number of the first (1)")
    given = parser.parse_args()
    names = [given.ruleset] if given.ruleset else registry.names()
    wanted = [(name, given.first + index) for index in range(given.games) for name in names]
    done: list[Compared] = []
    happened: dict[str, set[str]] = {name: set() for name in names}
    console = Console(stderr=True)
    with ProcessPoolExecutor(given.processes) as pool, Progress(console=console) as progress:
        task = progress.add_task("games", total=len(wanted))
        runs = [(name, number, pool.submit(compare, name, number)) for name, number in wanted]
        for name, number, run in runs:
            compared = run.result()
            done.append(compared)
            happened[name] |= compared.happened
            for difference in compared.places:
                console.print(f"{name} {number}: {difference}", markup=False, highlight=False)
            progress.advance(task)
    for name, kinds in happened.items():
        print(f"{name}: {', '.join(sorted(kinds))}")  # noqa: T201
    pairs, exchanged = (
        sum(comparison.pairs for comparison in done),
        sum(comparison.exchanged for comparison in done),
    )
    broken = sum(len(comparison.places) for comparison in done)
    print(  # noqa: T201
        f"{pairs} pairs of worlds, {exchanged} pairs of cards exchanged, {broken} told apart"
    )
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

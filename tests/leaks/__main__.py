"""Many worlds, every ruleset and number of seats: `python -m tests.leaks --games 100`.

Exit code 1 if hidden cards changed a byte of what a player, the command line or the log was told.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from engine import registry
from tests.engine.chance import chance
from tests.leaks.worlds import differences
from tests.service.conftest import NAMES
from tests.soak.cells import OPTION_SETS

OTHERS = 4
"""Other worlds that each game is compared with."""


def compare(ruleset: str, number: int) -> tuple[int, int, list[str]]:
    """Compare one world with some others.

    Gives how many there were, how many pairs of cards lay otherwise, and where they can be told apart.
    """
    luck = chance(f"worlds {ruleset} {number}")
    players = luck.choice([n for n in registry.find(ruleset).players if n <= len(NAMES)])
    options = luck.choice(OPTION_SETS[ruleset])
    plies = luck.choice([6, 12, 25])
    with tempfile.TemporaryDirectory() as folder:
        try:
            seen = list(
                differences(
                    ruleset,
                    players,
                    options,
                    number % 256,
                    luck,
                    Path(folder),
                    plies=plies,
                    others=OTHERS,
                )
            )
        except Exception as error:  # noqa: BLE001  (whatever broke is told, and the run goes on)
            return 0, 0, [f"{type(error).__name__}: {error}"]
    where = [place for _, place in seen if place is not None]
    return len(seen), sum(count for count, _ in seen), where


def main() -> int:
    """Compare worlds, and print what differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("--ruleset", choices=registry.names(), help="only this one")
    parser.add_argument(
        "--games", type=int, default=100, help=f"per ruleset, with {OTHERS} other worlds each (100)"
    )
    parser.add_argument("--first", type=int, default=1, help="number of the first (1)")
    given = parser.parse_args()
    names = [given.ruleset] if given.ruleset else registry.names()
    wanted = [(name, given.first + at) for at in range(given.games) for name in names]
    pairs, exchanged, broken, console = 0, 0, 0, Console(stderr=True)
    with ProcessPoolExecutor() as pool, Progress(console=console) as progress:
        task = progress.add_task("games", total=len(wanted))
        runs = [(name, number, pool.submit(compare, name, number)) for name, number in wanted]
        for name, number, run in runs:
            count, cards, places = run.result()
            pairs, exchanged, broken = pairs + count, exchanged + cards, broken + len(places)
            for place in places:
                console.print(f"{name} {number}: {place}", markup=False, highlight=False)
            progress.advance(task)
    Console().print(
        f"{pairs} pairs of worlds, {exchanged} pairs of cards exchanged, {broken} told apart"
    )
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

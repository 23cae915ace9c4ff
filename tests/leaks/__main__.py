"""Many worlds, every ruleset and number of seats: `python -m tests.leaks --worlds 100`.

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
from tests.leaks.worlds import difference
from tests.service.conftest import NAMES


def compare(ruleset: str, number: int) -> tuple[int, str | None]:
    """Compare two worlds; gives how many pairs of cards differ, and where they can be told apart."""
    luck = chance(f"worlds {ruleset} {number}")
    players = luck.choice([n for n in registry.find(ruleset).players if n <= len(NAMES)])
    plies = luck.choice([6, 12, 25])
    with tempfile.TemporaryDirectory() as folder:
        try:
            return difference(ruleset, players, number % 256, luck, Path(folder), plies=plies)
        except Exception as error:  # noqa: BLE001  (whatever broke is told, and the run goes on)
            return 0, f"{type(error).__name__}: {error}"


def main() -> int:
    """Compare worlds, and print what differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("--ruleset", choices=registry.names(), help="only this one")
    parser.add_argument("--worlds", type=int, default=400, help="per ruleset (400)")
    parser.add_argument("--first", type=int, default=1, help="number of the first (1)")
    given = parser.parse_args()
    names = [given.ruleset] if given.ruleset else registry.names()
    wanted = [(name, given.first + at) for at in range(given.worlds) for name in names]
    exchanged, broken, console = 0, 0, Console(stderr=True)
    with ProcessPoolExecutor() as pool, Progress(console=console) as progress:
        task = progress.add_task("worlds", total=len(wanted))
        runs = [(name, number, pool.submit(compare, name, number)) for name, number in wanted]
        for name, number, run in runs:
            count, where = run.result()
            exchanged += count
            if where is not None:
                broken += 1
                console.print(f"{name} {number}: {where}", markup=False, highlight=False)
            progress.advance(task)
    Console().print(
        f"{len(wanted)} pairs of worlds, {exchanged} pairs of cards exchanged, {broken} told apart"
    )
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

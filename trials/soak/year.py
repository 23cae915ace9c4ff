"""Simulate a year of many games: `python -m trials.soak.year`.

Exit code 1 if a deadline was early, late, handled twice or lost. The printed line explains how to
reproduce it.
"""

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pbem import logs
from tests.databases import sqlite_store
from trials.soak.deadlines import Year

TABLES = 10
"""Number of tables in the database. Each has one game after another during the year."""


def play(seed: int, days: int) -> tuple[Counter[str], str]:
    """Simulate a year at some tables. Return the statistics and the problems."""
    logs.configure("error", as_json=False)
    with tempfile.TemporaryDirectory() as folder, sqlite_store(Path(folder)) as store:
        year = Year(store, seed=seed, tables=TABLES, days=days)
        try:
            year.run()
            counts = year.judge()
        except Exception as error:  # noqa: BLE001  (whatever broke is told, and the run goes on)
            again = f"python -m trials.soak.year --first {seed} --games 1"
            return Counter(), f"{type(error).__name__}: {error}; again: {again}"
        counts["games"] = len(year.played)
        counts["outages"] = len(year.down)
        return counts, ""


def main() -> int:
    """Simulate years until the requested number of games was played."""
    parser = argparse.ArgumentParser(prog="python -m trials.soak.year", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="at least (1000)")
    parser.add_argument("--days", type=int, default=365, help="days that pass (365)")
    parser.add_argument("--first", type=int, default=1, help="first seed (1)")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    broken: list[str] = []
    seed = given.first
    with ProcessPoolExecutor() as pool:
        while counts["games"] < given.games and not broken:
            runs = [pool.submit(play, seed + ahead, given.days) for ahead in range(4)]
            seed += len(runs)
            for run in runs:
                some, wrong = run.result()
                counts += some
                broken += [wrong] if wrong else []
            sys.stderr.write(f"{dict(counts)}\n")
    for line in broken:
        sys.stderr.write(f"{line}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the benchmarks: `python -m bench`, or `python -m bench playouts --rounds 3`."""

from __future__ import annotations

import argparse
import json
import platform
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.contests import CONTESTS
from bench.measure import Result, run


def main() -> None:
    """Measure what was asked for, print tables, and write JSON if wanted."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("contests", nargs="*", metavar="CONTEST", help=f"of {', '.join(CONTESTS)}")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="per contender and round (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    given = parser.parse_args()
    unknown = sorted(set(given.contests) - set(CONTESTS))
    if unknown:
        parser.error(f"no contest {', '.join(unknown)}; there are: {', '.join(CONTESTS)}")

    results = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for name in given.contests or CONTESTS:
            task = progress.add_task(name, total=given.rounds + 1)
            advance = partial(progress.advance, task)
            results.append(run(CONTESTS[name](), given.rounds, given.seconds, advance))
    for result in results:
        Console().print(table(result))
    if given.json is not None:
        report = {
            "python": platform.python_version(),
            "rounds": given.rounds,
            "seconds": given.seconds,
            "contests": [asdict(result) for result in results],
        }
        given.json.write_text(json.dumps(report, indent=2) + "\n")


def table(result: Result) -> Table:
    """Return one contest as a table."""
    made = Table(title=f"{result.title} ({result.unit} per second)", title_justify="left")
    made.add_column("what")
    made.add_column(f"{result.unit}/s here", justify="right")
    made.add_column("beside")
    made.add_column("times", justify="right")
    made.add_column("least – greatest", justify="right")
    made.add_column("aim", justify="right")
    ratios = {ratio.name: ratio for ratio in result.ratios}
    for name, figure in result.rates.items():
        ratio = ratios.get(name)
        if ratio is None:
            made.add_row(name, f"{figure:,.0f}", "", "", "", "")
            continue
        made.add_row(
            name,
            f"{figure:,.0f}",
            ratio.peer,
            f"{ratio.median:.2f}",
            f"{ratio.least:.2f} – {ratio.greatest:.2f}",
            "" if ratio.aim is None else f"{ratio.aim:g}{' ✓' if ratio.is_reached else ''}",
        )
    return made


if __name__ == "__main__":
    main()

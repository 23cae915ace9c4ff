"""Run the benchmarks: `python -m bench`, or `python -m bench playouts --rounds 3`."""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.contests import CONTESTS
from bench.measure import Result, run

FIGURES = "## Figures"
"""Heading of the section that contains the figures."""


def main() -> None:
    """Run the selected contests, print tables, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("contests", nargs="*", metavar="CONTEST", help=f"of {', '.join(CONTESTS)}")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="per contender and round (1)")
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="put the figures at the end of this page; those of some"
        " contests alone take the place of their tables",
    )
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
            contest = CONTESTS[name]()
            gc.collect()
            gc.freeze()  # like `pbem` after importing its command
            results.append(run(contest, given.rounds, given.seconds, advance))
            progress.remove_task(task)
    for result in results:
        Console().print(table(result))
    if given.page is not None:
        page = given.page.read_text(encoding="utf-8")
        taken = f"{datetime.now(UTC):%d %B %Y}, {given.rounds} rounds, load of the machine {os.getloadavg()[1]:.0f} at {os.cpu_count()} cores"
        page = in_part(page, results, taken) if given.contests else in_full(page, results, taken)
        given.page.write_text(page, encoding="utf-8")
    if given.json is not None:
        report = {
            "python": platform.python_version(),
            "rounds": given.rounds,
            "seconds": given.seconds,
            "contests": [asdict(result) for result in results],
        }
        given.json.write_text(json.dumps(report, indent=2) + "\n")


def in_full(page: str, results: Sequence[Result], taken: str) -> str:
    """Return the page with the figures of a whole run."""
    text, _, _ = page.partition(FIGURES)
    return "".join([text, f"{FIGURES} ({taken})\n", *map(as_markdown, results)])


def in_part(page: str, results: Sequence[Result], taken: str) -> str:
    """Return the page with some tables replaced, each with the date of its measurement below."""
    for result in results:
        text = as_markdown(result)
        heading = text.split("\n")[1]
        before, heading_found, rest = page.partition(f"\n{heading}\n")
        if not heading_found:
            raise SystemExit(f"the page has no {heading!r}: measure all")
        _, following, after = rest.partition("\n### ")
        page = f"{before}{text}\nMeasured separately: {taken}.\n{following}{after}"
    return page


def as_markdown(result: Result) -> str:
    """Return the result of a contest as a Markdown table."""
    lines = [
        f"\n### {result.title[0].upper()}{result.title[1:]}\n\n",
        f"| what | {result.unit}/{result.per} here | reference | ratio | min – max | required | target |\n",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: |\n",
    ]
    lines += [f"| {' | '.join(row)} |\n" for row in _rows(result)]
    return "".join(lines)


def table(result: Result) -> Table:
    """Return the result of a contest as a table for the terminal."""
    made = Table(title=f"{result.title} ({result.unit} per {result.per})", title_justify="left")
    made.add_column("what")
    made.add_column(f"{result.unit}/{result.per} here", justify="right")
    made.add_column("reference")
    made.add_column("ratio", justify="right")
    made.add_column("min – max", justify="right")
    made.add_column("required", justify="right")
    made.add_column("target", justify="right")
    for row in _rows(result):
        made.add_row(*row)
    return made


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each contender: name, rate and ratios."""
    for name, figure in result.rates.items():
        ratios = [ratio for ratio in result.ratios if ratio.name == name]
        if not ratios:
            yield name, f"{figure:,.0f}", "", "", "", "", ""
        for ratio in ratios:
            yield (
                name,
                f"{figure:,.0f}",
                ratio.peer,
                f"{ratio.median:.2f}",
                f"{ratio.least:.2f} – {ratio.greatest:.2f}",
                *(f"{aim:.3g} {'✓' if ratio.median >= aim else '✗'}" for aim in ratio.aims or ()),
                *(() if ratio.aims else ("", "")),
            )


if __name__ == "__main__":
    main()

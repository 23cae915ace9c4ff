"""`python -m trials.chaos`: kill the service, inject faults, and compare with an undisturbed run.

Exit codes: 0 all checks passed, 1 a check failed (the seed is printed), 2 usage.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tests.databases import postgres_server, sqlite_file
from trials.chaos import checks
from trials.chaos.checks import Evidence
from trials.chaos.disk import small_disk
from trials.chaos.killer import MOMENTS
from trials.chaos.processes import ServiceError
from trials.chaos.stage import Plan, Stage, run
from trials.chaos.troubles import TROUBLES
from trials.chaos.wire import WireError

SHARE_OF_TWO = 5
"""Number of kills of a single service for each kill of two concurrent services."""
SHARE_OF_MIXED = 4
"""Number of other faults for each kill, in a run with both."""
SHARE_OF_SECOND = 2
"""Number of kills on SQLite for each kill on PostgreSQL, if both databases are used."""


def main() -> int:
    args = _arguments()
    console = Console(highlight=False)
    console.print(f"seed {args.seed}")
    with tempfile.TemporaryDirectory(prefix="pbem-chaos-") as folder, ExitStack() as stack:
        plans = list(_plans(args, Path(folder), stack, console))
        began = time.monotonic()
        try:
            results = [_show_run(plan, console) for plan in plans]
        except (ServiceError, WireError, TimeoutError) as error:
            console.print(f"WRONG {str(error) or repr(error)}", markup=False, style="red")
            console.print(f"Again: python -m trials.chaos --seed {args.seed}", markup=False)
            return 1
        games = 1 + max(number for evidence in results for number in evidence.events)
        calm_folder = Path(folder) / "calm"
        calm_folder.mkdir()
        calm = _show_run(
            replace(
                plans[0],
                name="undisturbed",
                url=f"sqlite:///{sqlite_file(calm_folder)}",
                folder=calm_folder,
                kills=0,
                troubles=0,
                disk=None,
                services=1,
                first_game=0,
                least_games=games,
            ),
            console,
        )
    for evidence in results:
        evidence.problems += checks.compare(evidence, calm)
    return _report([*results, calm], args.seed, time.monotonic() - began, console)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m trials.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="kills (50); see docs/dev/chaos.md")
    parser.add_argument("--faults", type=int, default=32, help="other faults (32)")
    parser.add_argument("--games", type=int, default=4, help="games at once (4)")
    parser.add_argument("--seed", type=int, help="of an earlier run; drawn if left out")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument(
        "--services", type=int, choices=(1, 2), help="kill only one alone, or only two; both"
    )
    parser.add_argument("--disk", type=int, default=192, help="megabytes of the small disk (192)")
    args = parser.parse_args()
    if args.kills < 0 or args.faults < 0 or args.kills + args.faults < 1 or args.games < 1:
        parser.error("at least one kill or fault, and one game")
    if args.seed is None:
        args.seed = secrets.randbelow(10**6)
    return args


def _plans(
    args: argparse.Namespace, folder: Path, stack: ExitStack, console: Console
) -> Iterator[Plan]:
    """Run one killed service, then two at once, then one with other faults, on each database."""
    urls: dict[str, list[str]] = {}
    disks: dict[str, Path] = {}

    def small(database: str, place: Path) -> Path | None:
        try:
            disks[database] = stack.enter_context(small_disk(place, args.disk))
        except OSError as error:
            console.print(
                f"LEFT OUT: no small disk can be made here, so {database} has room: {error}",
                markup=False,
                style="yellow",
            )
        return disks.get(database)

    if args.database != "postgresql":
        places = [folder / f"sqlite-{number}" for number in (1, 2, 3)]
        for place in places:
            place.mkdir()
        places[2] = small("sqlite", folder / "sqlite-disk") or places[2]
        urls["sqlite"] = [f"sqlite:///{sqlite_file(place)}" for place in places]
    if args.database != "sqlite":
        try:
            server = stack.enter_context(postgres_server())
        except Exception as error:
            if args.database == "postgresql":
                raise
            console.print(f"PostgreSQL cannot be started here, left out: {error}", markup=False)
        else:
            disk = small("postgresql", server.folder / "disk")
            urls["postgresql"] = [
                stack.enter_context(server.database(place=place)) for place in (None, None, disk)
            ]
    for number, (database, (alone, shared, troubled)) in enumerate(urls.items()):
        share = SHARE_OF_SECOND if number else 1
        kills = -(-args.kills // share)
        plan = Plan(
            name=database,
            url=alone,
            folder=folder / f"{database}-1",
            seed=args.seed,
            kills=kills,
            at_once=args.games,
        )
        if kills and args.services != 2:
            yield plan
        if kills and args.services != 1:
            yield replace(
                plan,
                name=f"{database}, two services",
                url=shared,
                folder=folder / f"{database}-2",
                kills=kills if args.services else max(1, kills // SHARE_OF_TWO),
                services=2,
                first_game=1,
                at_once=min(args.games, 2),
            )
        if args.faults:
            yield replace(
                plan,
                name=f"{database}, faults",
                url=troubled,
                folder=folder / f"{database}-3",
                kills=min(kills, -(-args.faults // share // SHARE_OF_MIXED)),
                troubles=-(-args.faults // share),
                services=1 if database == "sqlite" else 2,
                first_game=1,
                disk=disks.get(database),
            )


def _show_run(plan: Plan, console: Console) -> Evidence:
    """Carry out a plan and show its progress."""
    stages: list[Stage] = []
    began = time.monotonic()

    def state() -> Text:
        text = f"{plan.name}: {time.monotonic() - began:4.0f} s"
        if stages:
            stage = stages[0]
            text += (
                f", {stage.killer.done.total()}/{plan.kills} kills,"
                f" {stage.troubles.done.total()}/{plan.troubles} faults, {stage.over}/{len(stage.games)}"
                f" games over, {stage.wire.accepted} mails in, {len(stage.office.delivered)} out"
            )
        return Text(text)

    class Shown:
        def __rich__(self) -> Text:
            return state()

    try:
        with Live(Shown(), console=console, refresh_per_second=4, transient=True):
            return asyncio.run(run(plan, on_stage=stages.append))
    finally:
        console.print(state())


def _report(found: list[Evidence], seed: int, seconds: float, console: Console) -> int:
    table = Table(title=f"Chaos, seed {seed}, {seconds:.0f} s", title_justify="left")
    table.add_column("")
    for evidence in found:
        table.add_column(evidence.name, justify="right")
    for figure in found[0].figures:
        table.add_row(figure, *(str(evidence.figures[figure]) for evidence in found))
    console.print(table)
    moments: Counter[str] = sum((evidence.moments for evidence in found), Counter())
    for moment, words in MOMENTS.items():
        console.print(f"  {moments[moment]:4} kills {words}")
    troubles: Counter[str] = sum((evidence.troubles for evidence in found), Counter())
    for trouble, words in TROUBLES.items():
        console.print(f"  {troubles[trouble]:4} times: {words}")
    problems = [
        f"{evidence.name}: {problem}" for evidence in found for problem in evidence.problems
    ]
    for problem in problems:
        console.print(f"WRONG {problem}", markup=False, style="red")
    if problems:
        console.print(f"Again: python -m trials.chaos --seed {seed}", markup=False)
        return 1
    console.print("The same games, no mail missing, none twice under another name: all held.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

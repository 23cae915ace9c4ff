"""`pbem doctor` and `pbem health`: problems of the installation, with remedies."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem import serving
from pbem.bootstrap import build_service
from pbem.cli.common import out, say, second
from pbem.cli.frame import REFUSED, ConfigOption, JsonOption, Shown, commands
from pbem.cli.opening import OpenService, read_config
from pbem.config import find_config
from pbem.errors import PbemError
from pbem.resources import config_example
from pbem.service.upkeep.doctor import examine
from pbem.service.upkeep.health import FAIL, Finding, check_safely

ROUND_TRIP_SECONDS = 60.0
_STYLES = {"ok": "green", "hint": "cyan", "warn": "yellow", "fail": "red"}

app = commands()


@app.command()
def doctor(
    config: ConfigOption = None,
    round_trip: Annotated[
        bool,
        typer.Option(
            "--round-trip", help="Also send a message to the service itself, and wait for it."
        ),
    ] = False,
    patience: Annotated[
        float, typer.Option(min=1, help="Seconds to wait for that message.")
    ] = ROUND_TRIP_SECONDS,
    as_json: JsonOption = False,
) -> Shown:
    """Check configuration, files, database, disk, clock and mail; exit with 1 on a failure.

    It changes nothing and sends no message, but logs in to the mail server. With --round-trip it
    sends a message to the service itself and fetches new messages like `pbem serve`.

    Example: pbem doctor --round-trip
    """
    results = []
    for finding in _findings(config, patience if round_trip else None):
        results.append(finding)
        if not as_json:
            print_finding(finding)
    failed = [f"{check.name}: {check.text}" for check in results if check.status == FAIL]
    checks = [asdict(check) for check in results]
    return Shown(
        {"ok": not failed, "error": "; ".join(failed), "checks": checks},
        code=REFUSED if failed else 0,
    )


def _findings(path: Path | None, round_trip: float | None) -> Iterator[Finding]:
    """Run the checks and yield their findings.

    Args:
        round_trip: seconds to wait for a message to ourselves, or None to skip this check.
    """
    try:
        source = find_config(path, os.environ)
        config = read_config(path)
        service = build_service(config)
        with closing(service.store):
            yield from examine(service, source)
        if round_trip is not None:
            yield asyncio.run(serving.take_round_trip(config, round_trip))
    except PbemError as error:
        yield Finding("configuration", FAIL, str(error), f"{config_example()} explains every key")


def print_finding(finding: Finding) -> None:
    """Print a finding with its remedy."""
    out.print(f"{finding.status:<5}", style=_STYLES[finding.status], end="")
    say(f"{finding.name}: {finding.text}")
    if finding.remedy:
        say(f"     → {finding.remedy}")


@app.command()
def health(service: OpenService) -> Shown:
    """Report whether the service is healthy; exit with 0 if it is, 1 if not.

    Example: pbem health --json
    """
    report = check_safely(service)
    words = [
        "All is well.",
        *(
            f"{heartbeat.name}: last at work {second(heartbeat.at)} UTC"
            for heartbeat in report.figures["pulses"]
        ),
    ]
    return Shown(
        {
            "ok": not report.problems,
            "error": "; ".join(report.problems),
            **report.figures,
            "problems": report.problems,
        },
        *(words if not report.problems else ()),
        problems=report.problems,
        code=REFUSED if report.problems else 0,
    )

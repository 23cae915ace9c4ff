"""`pbem doctor`: what is wrong with this installation, and what helps."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem import bootstrap
from pbem.cli.common import (
    REFUSED,
    ConfigOption,
    JsonOption,
    commands,
    complain,
    iso,
    out,
    print_json,
    read_config,
    refusals,
    service_of,
)
from pbem.config import find_config
from pbem.errors import PbemError
from pbem.resources import config_example
from pbem.service.upkeep.health import FAIL, Finding, look_or_say

app = commands()


ROUND_TRIP_SECONDS = 60.0
_STYLES = {"ok": "green", "hint": "cyan", "warn": "yellow", "fail": "red"}


@app.command()
def doctor(
    config: ConfigOption = None,
    round_trip: Annotated[
        bool,
        typer.Option("--round-trip", help="Also send a mail to ourselves, and wait for it."),
    ] = False,
    patience: Annotated[
        float, typer.Option(min=1, help="Seconds to wait for that mail.")
    ] = ROUND_TRIP_SECONDS,
    as_json: JsonOption = False,
) -> None:
    """Check configuration, files, database, disk, clock and every way of mails; exit 1 if one fails.

    Nothing is changed, and no mail is sent, the mail server is only logged in to; but for --round-trip,
    which sends one to ourselves and takes in what has arrived, as `pbem serve` does.

    Example: pbem doctor --round-trip
    """
    found = []
    for finding in _findings(config, patience if round_trip else None):
        found.append(finding)
        if not as_json:
            print_finding(finding)
    failed = [f"{one.name}: {one.text}" for one in found if one.status == "fail"]
    if as_json:
        checks = [asdict(one) for one in found]
        print_json({"ok": not failed, "error": "; ".join(failed), "checks": checks})
    if failed:
        raise typer.Exit(REFUSED)


def _findings(path: Path | None, round_trip: float | None) -> Iterator[Finding]:
    """Return one finding after the other; `round_trip`: seconds to wait for a mail to ourselves."""
    try:
        source = find_config(path, os.environ)
        config = read_config(path)
        yield from bootstrap.examine(config, source)
        if round_trip is not None:
            yield asyncio.run(bootstrap.take_round_trip(config, round_trip))
    except PbemError as error:
        yield Finding("configuration", FAIL, str(error), f"{config_example()} explains every key")


def print_finding(finding: Finding) -> None:
    """Print a line of the check-up, and what helps."""
    out.print(f"{finding.status:<5}", style=_STYLES[finding.status], end="", highlight=False)
    out.print(f"{finding.name}: {finding.text}", soft_wrap=True, highlight=False, markup=False)
    if finding.remedy:
        out.print(f"     → {finding.remedy}", soft_wrap=True, highlight=False, markup=False)


@app.command()
def health(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """True if all is well; exit 0 if it is, 1 if not.

    Example: pbem health --json
    """
    with refusals(as_json=as_json), service_of(config) as service:
        found = look_or_say(service)
    if as_json:
        told = asdict(found)
        told["heartbeat"] = iso(found.heartbeat)
        told["pulses"] = [{**asdict(pulse), "at": iso(pulse.at)} for pulse in found.pulses]
        print_json({"ok": not found.problems, "error": "; ".join(found.problems), **told})
    elif found.problems:
        for problem in found.problems:
            complain(problem)
    else:
        out.print("All is well.")
        for pulse in found.pulses:
            out.print(f"{pulse.name}: last at work {pulse.at:%Y-%m-%d %H:%M:%S} UTC")
    if found.problems:
        raise typer.Exit(REFUSED)

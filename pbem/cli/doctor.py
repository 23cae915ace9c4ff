"""`pbem doctor`: what is wrong with this installation, and what helps."""

from __future__ import annotations

import asyncio
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.common import REFUSED, ConfigOption, JsonOption, out, print_json, read_config
from pbem.errors import PbemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.service.upkeep.checkup import Finding

ROUND_TRIP_SECONDS = 60.0
_STYLES = {"ok": "green", "hint": "cyan", "warn": "yellow", "fail": "red"}


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command()(doctor)


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
    from pbem import bootstrap  # noqa: PLC0415  (keeps --help fast)
    from pbem.config import find_config  # noqa: PLC0415
    from pbem.resources import config_example  # noqa: PLC0415
    from pbem.service.upkeep.checkup import FAIL, Finding  # noqa: PLC0415

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

"""`pbem doctor`: what is wrong with this installation, and what helps."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from pbem.cli.common import REFUSED, ConfigOption, JsonOption, out, print_json, read_config
from pbem.errors import PbemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.service.checkup import Finding

_STYLES = {"ok": "green", "hint": "cyan", "warn": "yellow", "fail": "red"}


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command()(doctor)


def doctor(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check configuration, files, database, disk, clock and every way of mails; exit 1 if one fails.

    Nothing is changed, and no mail is sent: the mail server is only logged in to.

    Example: pbem doctor
    """
    found = []
    for finding in _findings(config):
        found.append(finding)
        if not as_json:
            _print(finding)
    failed = [f"{one.name}: {one.text}" for one in found if one.status == "fail"]
    if as_json:
        checks = [asdict(one) for one in found]
        print_json({"ok": not failed, "error": "; ".join(failed), "checks": checks})
    if failed:
        raise typer.Exit(REFUSED)


def _findings(path: Path | None) -> Iterator[Finding]:
    from pbem import bootstrap  # noqa: PLC0415  (keeps --help fast)
    from pbem.config import find_config  # noqa: PLC0415
    from pbem.service.checkup import FAIL, Finding  # noqa: PLC0415

    try:
        source = find_config(path, os.environ)
        config = read_config(path)
        yield from bootstrap.examine(config, source)
    except PbemError as error:
        yield Finding("configuration", FAIL, str(error), "config.example.toml explains every key")


def _print(finding: Finding) -> None:
    out.print(f"{finding.status:<5}", style=_STYLES[finding.status], end="", highlight=False)
    out.print(f"{finding.name}: {finding.text}", soft_wrap=True, highlight=False, markup=False)
    if finding.remedy:
        out.print(f"     → {finding.remedy}", soft_wrap=True, highlight=False, markup=False)

"""`pbem mail prune`: the bytes of old mails go, what is known of them stays."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    counted,
    out,
    print_json,
    print_table,
    progress,
    refusals,
    service_of,
)
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.service.upkeep import pruning


def prune(
    older_than: Annotated[
        str, typer.Option(help="What is younger stays: 365d, 52w; at least 30d.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do it, without asking.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete the bytes of old mails of games that are over, and of no game; without --yes it only says how many.

    Who wrote, when, hashes, Message-IDs and what became of each mail stay, so that logs verify, audits tell
    it, and a mail that comes a second time is known. At a terminal it asks. `pbem db vacuum` then makes the
    file smaller.

    Example: pbem mail prune --older-than 365d
    """
    with refusals(as_json=as_json), service_of(config) as service:
        try:
            age = parse_duration(older_than)
        except ValueError as error:
            raise Refusal("time", f"--older-than: {error}") from None
        found = pruning.look(service, age)
        if not as_json:
            print_table(
                f"Older than {found.before:%Y-%m-%d %H:%M} UTC, of games over by then, or of none",
                ("mails", "count"),
                [
                    ("that came in", len(found.mails_in)),
                    ("that went out", len(found.mails_out)),
                    ("megabytes of them", f"{found.size / 1_000_000:.1f}"),
                ],
            )
            if found.count and not yes and sys.stdin.isatty():
                yes = typer.confirm("Delete their bytes? Nothing brings them back but a backup")
        if yes:
            pruning.prune(service, found, progress("pruning", "mails"))
    if as_json:
        print_json(
            {
                "ok": True,
                "before": found.before.isoformat(),
                "mails_in": len(found.mails_in),
                "mails_out": len(found.mails_out),
                "characters": found.size,
                "pruned": yes,
            }
        )
    elif yes:
        out.print(
            f"Pruned: {counted(found.count, 'mail')}. `pbem db vacuum` makes the file smaller."
        )
    else:
        out.print("Nothing was changed; --yes does it.")

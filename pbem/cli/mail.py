"""`pbem mail …`: mails, looked at."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from engine.api import JsonObject
from pbem.cli import outbox, preview, prune, shunted
from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    commands,
    counted,
    iso,
    kilobytes,
    out,
    print_json,
    print_table,
    read_bytes,
    refusals,
    service_of,
)
from pbem.errors import Refusal
from pbem.mail_in.sandbox.reader import WorkerReader
from pbem.service.core.verdict import proof_words
from pbem.service.intake.parsing import Describer
from pbem.store.post.inbox import InboxEntry
from pbem.store.post.pruning import pruned_on

app = commands()
app.add_typer(outbox.app, name="outbox", help="Mails that go out.")
app.add_typer(shunted.app, name="shunted", help="Mails set aside because our code failed on them.")
app.command()(preview.preview)
app.command()(prune.prune)


@app.command()
def parse(
    files: Annotated[list[Path], typer.Argument(help="Raw mails (.eml).")],
    answered: Annotated[
        Path | None, typer.Option(help="Our raw mail that they answer, to recognise quoted lines.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The output is JSON anyway; accepted for symmetry.")
    ] = True,
) -> None:
    """Print what the service understands of raw mails: one JSON line per file; does nothing else.

    Example: pbem mail parse --answered turn.eml reply1.eml reply2.eml
    """
    reader = WorkerReader()
    with refusals(as_json=as_json):
        ours = None if answered is None else read_bytes(answered)
        describer = Describer(answered=ours, reader=reader)
        try:
            for file in files:
                print_json({"file": str(file), **describer.describe(read_bytes(file))})
        finally:
            reader.close()


@app.command()
def inbox(
    status: Annotated[
        Literal["new", "done", "ignored", "held", "asked", "shunted", "dropped"] | None,
        typer.Option(help="Only mails of this status."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List mails that came in, newest first, without their contents.

    Of a mail that is done the day is told, and not whose it is: what players write in private must not
    show beside the log. `pbem audit` tells who sent the mail behind a move.

    Example: pbem mail inbox --status shunted
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            rows = uow.inbox.list(status)
        if as_json:
            for row in rows:
                verdict = row.verdict or {}
                print_json(
                    {
                        "id": row.id,
                        "arrived_at": _when(row, row.arrived_at),
                        "game": row.game_id,
                        "seat": row.seat if row.is_open else None,
                        "status": row.status,
                        "why": verdict.get("why"),
                    }
                )
            return
        print_table(
            f"{counted(len(rows), 'mail')} in",
            ("id", "arrived (UTC)", "game", "seat", "status", "why"),
            [
                (
                    row.id,
                    (_when(row, row.arrived_at) or "").removesuffix("+00:00").replace("T", " "),
                    row.game_id or "",
                    row.seat if row.is_open and row.seat is not None else "",
                    row.status,
                    (row.verdict or {}).get("why", ""),
                )
                for row in rows
            ],
        )


@app.command()
def show(
    number: Annotated[int, typer.Argument(help="Number of the mail, as the list shows it.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is known of one mail that came in, without its contents and addresses.

    Who and when is told while it waits, as in the list.

    Example: pbem mail show 17
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            row = uow.inbox.get(number)
        if row is None:
            raise Refusal("mail", f"there is no mail {number} in the inbox")
        known: JsonObject = {
            "id": row.id,
            "sha256": row.raw_sha256,
            "kilobytes": kilobytes(row.raw),
            "transport": row.transport,
            "arrived_at": _when(row, row.arrived_at),
            "handled_at": _when(row, row.handled_at),
            "game": row.game_id,
            "seat": row.seat if row.is_open else None,
            "player": row.player_id if row.is_open else None,
            "status": row.status,
            "triage": (row.verdict or {}).get("triage"),
            "why": (row.verdict or {}).get("why"),
            "pruned": pruned_on(row.verdict),
            "authentication": row.authentication,
        }
    if as_json:
        print_json(known)
        return
    known["authentication"] = proof_words(row.authentication)
    for name, value in known.items():
        if value is not None:
            out.print(f"{name}: {value}", markup=False, highlight=False)


def _when(row: InboxEntry, at: datetime | None) -> str | None:
    """Return an instant of a mail that waits; of one that is done the day."""
    text = iso(at)
    return text if row.is_open or text is None else text[:10]

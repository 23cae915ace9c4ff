"""`pbem mail shunted …`: quarantined messages, which caused an error in our code."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import ask_reason, counted, kilobytes, second, write_stdout
from pbem.cli.frame import JsonOption, Row, Shown, commands, framed, table
from pbem.cli.opening import OpenService
from pbem.service.intake import shunted
from pbem.store.rows.core import InboxMail

app = commands()

Number = Annotated[int, typer.Argument(help="Message number from the list.")]
Numbers = Annotated[list[int], typer.Argument(help="Message numbers from the list.")]


@app.callback(invoke_without_command=True)
@framed
def list_shunted(context: typer.Context, service: OpenService) -> Shown:
    """List the quarantined messages, oldest first, without their contents.

    Their senders were notified. If a message may contain a move that arrived in time, the deadline
    of its seat waits.

    Example: pbem mail shunted
    """
    rows = shunted.list_shunted(service)
    return Shown(
        [_row(row) for row in rows],
        table(
            f"{counted(len(rows), 'mail')} set aside",
            ("id", "arrived (UTC)", "game", "seat", "tries", "reason"),
            [
                (row.id, second(row.arrived_at), row.game_id, row.seat, row.attempts, _reason(row))
                for row in rows
            ],
        ),
    )


@app.command()
def show(
    service: OpenService,
    number: Number,
    raw: Annotated[bool, typer.Option("--raw", help="Write the raw message to stdout.")] = False,
    reason: Annotated[
        str | None,
        typer.Option(help="Reason for --raw, shown to every player of a running game."),
    ] = None,
    as_json: JsonOption = False,
) -> Shown | None:
    """Show one message: why it was quarantined, and where in the program.

    A message quotes its sender's hand: in a running game --raw is recorded in the log and needs
    --reason.

    Example: pbem mail shunted show 17 --raw --reason "it crashes the program" > mail.eml
    """
    found = shunted.show(service, number)
    if raw:
        reason = reason if as_json else ask_reason(reason)
        mail = shunted.open_raw(service, number, reason)
        write_stdout(mail)
        return None
    return Shown(
        {**_row(found), "error": found.error, "kilobytes": kilobytes(found.raw)},
        f"mail {found.id}, {counted(kilobytes(found.raw), 'kilobyte')}, by {found.transport},"
        f" arrived {second(found.arrived_at)} UTC",
        *(found.error or "no reason was kept").splitlines(),
    )


@app.command()
def retry(service: OpenService, numbers: Numbers) -> Shown:
    """Queue messages for processing by the running service, in order of arrival.

    Example: pbem mail shunted retry 17 18
    """
    shunted.retry(service, numbers)
    return Shown(
        {"ok": True, "retried": numbers}, f"{counted(len(numbers), 'mail')} will be handled again."
    )


@app.command()
def drop(
    service: OpenService,
    number: Number,
    reason: Annotated[str, typer.Option(help="Reason, stored with the message.")],
) -> Shown:
    """Discard a message without notifying its sender. Its bytes stay in the database.

    Example: pbem mail shunted drop 17 --reason "spam with a stolen address"
    """
    shunted.drop(service, number, reason)
    return Shown({"ok": True, "dropped": number}, f"Mail {number} is dropped.")


def _reason(row: InboxMail) -> str:
    return (row.error or "").partition("\n")[0]


def _row(row: InboxMail) -> Row:
    return {
        "id": row.id,
        "arrived_at": row.arrived_at,
        "game": row.game_id,
        "seat": row.seat,
        "attempts": row.attempts,
        "reason": _reason(row),
    }

"""`pbem mail shunted …`: mails that our code failed on."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from engine.api import JsonObject
from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    commands,
    counted,
    kilobytes,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.service.intake import shunted
from pbem.store.post.inbox import InboxEntry

app = commands()

Number = Annotated[int, typer.Argument(help="Number of the mail, as the list shows it.")]
Numbers = Annotated[list[int], typer.Argument(help="Numbers of mails, as the list shows them.")]


@app.callback(invoke_without_command=True)
def list_shunted(
    context: typer.Context, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """List the mails that are set aside, oldest first, without their contents.

    Their senders were told. While one of them may still hold a move that came in time, the
    deadline of its seat waits. Example: pbem mail shunted
    """
    if context.invoked_subcommand is not None:
        return

    with refusals(as_json=as_json), service_of(config) as service:
        rows = shunted.list_shunted(service)
        if as_json:
            for row in rows:
                print_json(_as_json(row))
            return
        print_table(
            f"{counted(len(rows), 'mail')} set aside",
            ("id", "arrived (UTC)", "game", "seat", "tries", "reason"),
            [
                (
                    row.id,
                    f"{row.arrived_at:%Y-%m-%d %H:%M:%S}",
                    row.game_id or "",
                    "" if row.seat is None else row.seat,
                    row.attempts,
                    _reason(row),
                )
                for row in rows
            ],
        )


@app.command()
def show(
    number: Number,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write the mail itself, byte by byte, to stdout.")
    ] = False,
    reason: Annotated[
        str | None,
        typer.Option(help="Why you look; every player of a running game reads it. With --raw."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one mail: why it was set aside, and where in the program.

    A mail quotes the hand of who wrote it: in a running game --raw is an event and needs --reason.
    Example: pbem mail shunted show 17 --raw --reason "it crashes the program" > mail.eml
    """
    with refusals(as_json=as_json), service_of(config) as service:
        found = shunted.show(service, number)
        if raw:
            if reason is None and not as_json and sys.stdin.isatty():
                reason = typer.prompt("Why? Every player will read it", err=True)
            sys.stdout.buffer.write(shunted.open_raw(service, number, reason))
            sys.stdout.buffer.flush()
        elif as_json:
            print_json({**_as_json(found), "error": found.error, "kilobytes": kilobytes(found.raw)})
        else:
            out.print(
                f"mail {found.id}, {counted(kilobytes(found.raw), 'kilobyte')}, by {found.transport},"
                f" arrived {found.arrived_at:%Y-%m-%d %H:%M:%S} UTC",
                highlight=False,
            )
            out.print(found.error or "no reason was kept", markup=False, highlight=False)


@app.command()
def retry(numbers: Numbers, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Have mails handled again, in the order of their arrival; the running service does it.

    Example: pbem mail shunted retry 17 18
    """
    with refusals(as_json=as_json), service_of(config) as service:
        shunted.retry(service, numbers)
        if as_json:
            print_json({"ok": True, "retried": numbers})
        else:
            out.print(f"{counted(len(numbers), 'mail')} will be handled again.")


@app.command()
def drop(
    number: Number,
    reason: Annotated[str, typer.Option(help="Why; kept with the mail.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Return a mail up. Its bytes stay in the database; nothing is told to its sender.

    Example: pbem mail shunted drop 17 --reason "spam with a stolen address"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        shunted.drop(service, number, reason)
        if as_json:
            print_json({"ok": True, "dropped": number})
        else:
            out.print(f"Mail {number} is dropped.")


def _reason(row: InboxEntry) -> str:
    return (row.error or "").partition("\n")[0]


def _as_json(row: InboxEntry) -> JsonObject:
    return {
        "id": row.id,
        "arrived_at": row.arrived_at.isoformat(),
        "game": row.game_id,
        "seat": row.seat,
        "attempts": row.attempts,
        "reason": _reason(row),
    }

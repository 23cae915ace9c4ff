"""`pbem mail outbox …`: mails that go out: looked at, tried again, cancelled."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    commands,
    counted,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.service.people import mail_acts
from pbem.store.post.outgoing import Outgoing
from pbem.store.post.pruning import pruned_on

app = commands()

MailArgument = Annotated[int, typer.Argument(help="Number of the mail, as `list` shows it.")]


@app.command("list")
def list_mails(
    status: Annotated[
        Literal["pending", "sent", "superseded", "failed", "cancelled"] | None,
        typer.Option(help="Only mails of this status."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List mails, newest first, without their contents.

    Whom a mail is for is told where it did not leave at once; of the others the day. `pbem audit` tells
    who was mailed after a move.

    Example: pbem mail outbox list --status pending
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            rows = uow.outbox.list(status)
        if as_json:
            for row in rows:
                print_json(_shown(row))
            return
        print_table(
            f"{counted(len(rows), 'mail')} out",
            ("id", "kind", "game", "seat", "status", "failures", "error"),
            [
                (
                    row.id,
                    row.kind,
                    row.game_id or "",
                    row.seat if row.is_in_trouble and row.seat is not None else "",
                    row.status,
                    row.failures,
                    row.last_error or "",
                )
                for row in rows
            ],
        )


@app.command()
def show(mail: MailArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show what is known of one mail, without its contents.

    Example: pbem mail outbox show 17
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            shown = _shown(mail_acts.outgoing(uow, mail))
        if as_json:
            print_json(shown)
            return
        rows = [(name, "" if value is None else value) for name, value in shown.items()]
        print_table(f"mail {mail}", ("what", "value"), rows)


@app.command()
def retry(
    mail: Annotated[
        int | None,
        typer.Argument(help="Number of a mail that waits, failed or was cancelled; all that wait."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Have all mails that wait tried now, or one: that waits, failed or was cancelled.

    Example: pbem mail outbox retry
    """
    with refusals(as_json=as_json), service_of(config) as service:
        if mail is None:
            count = mail_acts.retry_all(service)
            if as_json:
                print_json({"ok": True, "count": count})
            else:
                out.print(f"Tried now: {counted(count, 'mail')}; those that were given up are not.")
            return
        mail_acts.retry(service, mail)
        if as_json:
            print_json({"ok": True, "mail": mail})
        else:
            out.print(f"Mail {mail} is tried now, with the same Message-ID.")


@app.command()
def cancel(
    mail: MailArgument,
    reason: Annotated[str, typer.Option(help="Why; it is kept with the mail.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Cancel a mail that was not sent; its game and the clock go on.

    Example: pbem mail outbox cancel 17 --reason "the address is wrong"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        mail_acts.cancel(service, mail, reason)
        if as_json:
            print_json({"ok": True, "mail": mail})
        else:
            out.print(f"Mail {mail} is cancelled.")


def _shown(row: Outgoing) -> dict[str, Any]:
    """Return what an admin may see: no address, nothing of the contents.

    Nor whom the mail is for, and when, unless it is in trouble: a player who is an admin could lay that
    beside the log and see who wrote in private.
    """
    is_known = row.is_in_trouble
    return {
        "id": row.id,
        "kind": row.kind,
        "player": row.player_id if is_known else None,
        "game": row.game_id,
        "seat": row.seat if is_known else None,
        "status": row.status,
        "failures": row.failures,
        "attempts": row.attempts,
        "message_id": row.message_id,
        "created_at": _day(row.created_at),
        "not_before": row.not_before.isoformat() if is_known else _day(row.not_before),
        "sent_at": None if row.sent_at is None else _day(row.sent_at),
        "pruned": pruned_on(row.params),
        "error": row.last_error,
    }


def _day(at: datetime) -> str:
    return at.date().isoformat()

"""`pbem mail outbox …`: list, show, retry and cancel outgoing messages."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from pbem.cli.common import counted, shown_message_id
from pbem.cli.frame import Row, Shown, commands, table
from pbem.cli.opening import OpenService
from pbem.service.people import mail_acts
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import OutboxMail

app = commands()

MailArgument = Annotated[int, typer.Argument(help="Message number from `list`.")]


@app.command("list")
def list_mails(
    service: OpenService,
    status: Annotated[
        Literal["pending", "sent", "superseded", "failed", "cancelled"] | None,
        typer.Option(help="Limit to messages with this status."),
    ] = None,
) -> Shown:
    """List messages, newest first, without their contents.

    A message that was not sent at once shows its recipient. Others show only the day. `pbem
    audit` names the people who got mail after a move.

    Example: pbem mail outbox list --status pending
    """
    with service.store.reading() as uow:
        rows = [_row(mail) for mail in uow.outbox.list(status)]
    columns = ("id", "kind", "game", "seat", "status", "failures", "error")
    return Shown(
        rows,
        table(
            f"{counted(len(rows), 'mail')} out",
            columns,
            [[row[column] for column in columns] for row in rows],
        ),
    )


@app.command()
def show(service: OpenService, mail: MailArgument) -> Shown:
    """Show what is known about one message, without its contents.

    Example: pbem mail outbox show 17
    """
    with service.store.reading() as uow:
        row = _row(mail_acts.outgoing(uow, mail))
    return Shown(row, table(f"mail {mail}", ("what", "value"), row.items()))


@app.command()
def retry(
    service: OpenService,
    mail: Annotated[
        int | None,
        typer.Argument(
            help="Number of a pending, failed or cancelled message (default: all pending, and "
            "all failed within two weeks)."
        ),
    ] = None,
) -> Shown:
    """Retry one message now, or all that wait or were given up within two weeks.

    Example: pbem mail outbox retry
    """
    if mail is None:
        count = mail_acts.retry_all(service)
        return Shown(
            {"ok": True, "count": count},
            f"Tried now: {counted(count, 'mail')}, with those given up within two weeks.",
        )
    mail_acts.retry(service, mail)
    return Shown({"ok": True, "mail": mail}, f"Mail {mail} is tried now, with the same Message-ID.")


@app.command()
def cancel(
    service: OpenService,
    mail: MailArgument,
    reason: Annotated[str, typer.Option(help="Reason, stored with the message.")],
) -> Shown:
    """Cancel an unsent message. Its game and the clock continue.

    Example: pbem mail outbox cancel 17 --reason "the address is wrong"
    """
    mail_acts.cancel(service, mail, reason)
    return Shown({"ok": True, "mail": mail}, f"Mail {mail} is cancelled.")


def _row(mail: OutboxMail) -> Row:
    """Return the fields that an admin may see, without address and content.

    Recipient and time are included only for a message with delivery problems. An admin who also
    plays could otherwise compare them with the log and see who wrote in private.
    """
    is_known = mail.is_in_trouble
    return {
        "id": mail.id,
        "kind": mail.kind,
        "player": mail.player_id if is_known else None,
        "game": mail.game_id,
        "seat": mail.seat if is_known else None,
        "status": mail.status,
        "failures": mail.failures,
        "attempts": mail.attempts,
        "message_id": shown_message_id(mail.message_id),
        "created_at": mail.created_at.date(),
        "not_before": mail.not_before if is_known else mail.not_before.date(),
        "sent_at": None if mail.sent_at is None else mail.sent_at.date(),
        "pruned": pruned_on(mail.params),
        "error": mail.last_error,
    }

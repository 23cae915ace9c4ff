"""`pbem db …`: the schema, backups, and the tables that can be rebuilt from the log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import counted, minute, progress
from pbem.cli.frame import REFUSED, ConfigOption, Shown, commands, table
from pbem.cli.opening import OpenService, service_of
from pbem.config import find_config, given_variables, load_config, secret_files
from pbem.mail_out.times import left_text
from pbem.service.upkeep import backup as backups
from pbem.service.upkeep import maintenance, restoring

app = commands()


@app.command()
def upgrade(service: OpenService) -> Shown:
    """Create the tables, or upgrade them to this program's schema.

    The log is never changed. Missing triggers that protect the log are restored, and the admins get
    a message that names them.

    Example: pbem db upgrade
    """
    state, count = maintenance.upgrade(service, progress("rebuilding", "games"))
    return Shown(
        {"ok": True, "schema": state.current, "rebuilt": count},
        f"The database has schema {state.current}.",
        *([] if count is None else [_rebuilt(count)]),
    )


@app.command()
def check(service: OpenService) -> Shown:
    """Check schema, triggers, log and projections, even while `serve` runs. It only reads.

    Example: pbem db check
    """
    problems = maintenance.check(service, progress("checking", "games"))
    sound = [] if problems else ["Schema, guards, log and projections are sound."]
    return Shown(
        {"ok": not problems, "problems": problems},
        *sound,
        problems=problems,
        code=REFUSED if problems else 0,
    )


@app.command()
def rebuild(service: OpenService) -> Shown:
    """Drop the projections, and rebuild them from the log.

    Example: pbem db rebuild
    """
    count = maintenance.rebuild(service, progress("rebuilding", "games"))
    return Shown({"ok": True, "games": count}, _rebuilt(count))


def _rebuilt(count: int) -> str:
    return f"Projections of {counted(count, 'game')} are rebuilt from the log."


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="File to write, which must not exist.")],
    config: ConfigOption = None,
) -> Shown:
    """Copy the database while `serve` runs, then check the copy and compare it.

    Example: pbem db backup /var/backups/pbem/pbem-2026-11-21.sqlite3
    """
    source = find_config(config, os.environ)
    settings = load_config(config, os.environ)
    needed = [source, *secret_files(settings, source)]
    if settings.service.templates is not None:
        needed.append(settings.service.templates)
    variables = given_variables(os.environ)
    with service_of(config) as service:
        report = backups.take(service, file, progress("checking the copy", "games"))
    rows = ", ".join(f"{count} in {name}" for name, count in report.counts.items())
    return Shown(
        {
            "ok": True,
            "file": report.file,
            "bytes": report.size,
            "games": report.games,
            "rows": report.counts,
            "needed_too": needed,
            "variables": variables,
        },
        f"{report.file}: {counted(report.games, 'game')}; rows: {rows}. Opened, checked, compared.",
        "Not in it, and needed to run from it; keep them apart from it:",
        *(f"  {path}" for path in needed),
        f"  PBEM_ variables, here {', '.join(variables) or 'none'}; the service may be given others",
    )


@app.command()
def restored(
    service: OpenService,
    unmarked: Annotated[
        bool,
        typer.Option(
            help="The database was restored without `pbem db backup` (pg_restore, disk snapshot)."
        ),
    ] = False,
) -> Shown:
    """Prepare a database that was restored from a backup. Run it once before `serve`.

    An answer to a message from the lost time must not count as an answer to a newer message.
    Therefore all reply addresses become invalid, mail numbers skip ahead, and deadlines are
    extended by the lost time. Every player of a running game gets a message with its state. Each
    game's log records it.

    Example: pbem db restored
    """
    done = restoring.restored(service, is_unmarked=unmarked)
    gap = None if done.gap is None else int(done.gap.total_seconds())
    return Shown(
        {
            "ok": True,
            "state_at": done.state_at,
            "players": done.players,
            "games": done.games,
            "mails": done.mails,
            "replaced": done.replaced,
            "gap_seconds": gap,
            "inbox_from": done.inbox_from,
            "outbox_from": done.outbox_from,
            "unread": done.unread,
        },
        table(
            "Put back, and fit to be served",
            ("what", ""),
            [
                ("the state of", f"{minute(done.state_at)} UTC"),
                ("reply addresses void, of", counted(done.players, "player")),
                ("games whose players are mailed", len(done.games)),
                ("mails to them", done.mails),
                ("unsent mails that these replace", done.replaced),
                ("given back to deadlines", "none that counts" if gap is None else left_text(gap)),
                ("incoming mails are numbered from", done.inbox_from + 1),
                ("outgoing mails are numbered from", done.outbox_from + 1),
            ],
        ),
        problems=[
            f"game {game}: its log cannot be read, so nobody in it was mailed"
            for game in done.unread
        ],
    )


@app.command()
def vacuum(service: OpenService) -> Shown:
    """Rewrite the database, so that erased data cannot be read from its bytes.

    Example: pbem db vacuum
    """
    service.store.vacuum()
    return Shown({"ok": True}, "The database was rewritten.")

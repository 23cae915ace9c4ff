"""`pbem db …`: the schema, and what can be rebuilt from the log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import (
    REFUSED,
    ConfigOption,
    JsonOption,
    commands,
    complain,
    counted,
    iso,
    out,
    print_json,
    print_table,
    progress,
    refusals,
    service_of,
)
from pbem.config import find_config, given_variables, load_config, secret_files
from pbem.service.logbook.event_words import duration
from pbem.service.upkeep import backup as backups
from pbem.service.upkeep import maintenance, restoring

app = commands()


@app.command()
def upgrade(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Make the tables, or bring them to this program's schema; the log is never changed.

    Guards of the log that are missing are put back, and the admins are mailed which they were.

    Example: pbem db upgrade
    """
    with refusals(as_json=as_json), service_of(config) as service:
        state, count = maintenance.upgrade(service, progress("rebuilding", "games"))
        if as_json:
            print_json({"ok": True, "schema": state.current, "rebuilt": count})
            return
        out.print(f"The database has schema {state.current}.")
        if count is not None:
            out.print(f"Projections of {counted(count, 'game')} are rebuilt from the log.")


@app.command()
def check(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """True if schema, guards, log, projections and snapshots are sound, also while `serve` runs.

    It only reads; but a snapshot that is not what a fold from the first event gives is dropped.

    Example: pbem db check
    """
    with refusals(as_json=as_json), service_of(config) as service:
        problems = maintenance.check(service, progress("checking", "games"))
        if as_json:
            print_json({"ok": not problems, "problems": problems})
        elif not problems:
            out.print("Schema, guards, log, projections and snapshots are sound.")
        for problem in problems if not as_json else []:
            complain(problem)
        if problems:
            raise typer.Exit(REFUSED)


@app.command()
def rebuild(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Drop projections and snapshots and make them again from the log.

    Example: pbem db rebuild
    """
    with refusals(as_json=as_json), service_of(config) as service:
        count = maintenance.rebuild(service, progress("rebuilding", "games"))
        if as_json:
            print_json({"ok": True, "games": count})
        else:
            out.print(f"Projections of {counted(count, 'game')} are rebuilt from the log.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="File to write; it must not exist.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the database while `serve` runs; the copy is opened, checked and compared.

    Example: pbem db backup /var/backups/pbem/pbem-2026-11-21.sqlite3
    """
    with refusals(as_json=as_json):
        source = find_config(config, os.environ)
        settings = load_config(config, os.environ)
        needed = [source, *secret_files(settings, source)]
        if settings.service.templates is not None:
            needed.append(settings.service.templates)
        variables = given_variables(os.environ)
        with service_of(config) as service:
            made = backups.take(service, file, progress("checking the copy", "games"))
    if as_json:
        print_json(
            {
                "ok": True,
                "file": str(made.file),
                "bytes": made.size,
                "games": made.games,
                "rows": made.counts,
                "needed_too": [str(path) for path in needed],
                "variables": variables,
            }
        )
        return
    rows = ", ".join(f"{count} in {name}" for name, count in made.counts.items())
    out.print(
        f"{made.file}: {counted(made.games, 'game')}; rows: {rows}. Opened, checked, compared.",
        soft_wrap=True,
        highlight=False,
        markup=False,
    )
    out.print("Not in it, and needed to run from it; keep them apart from it:")
    for path in needed:
        out.print(f"  {path}", soft_wrap=True, highlight=False, markup=False)
    told = (
        f"PBEM_ variables, here {', '.join(variables) or 'none'}; the service may be given others"
    )
    out.print(f"  {told}", soft_wrap=True, highlight=False, markup=False)


@app.command()
def restored(
    unmarked: Annotated[
        bool,
        typer.Option(help="It was put back by other means: pg_restore, a snapshot of the disk."),
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a database that was put back from a backup fit to be served; run it once, before `serve`.

    What players hold of the time that is lost must not be read as an answer to what happens now:
    every reply address is made void, the numbers of mails skip ahead, the gap is given back to the
    deadlines, and everybody who plays is mailed where the game stands. Each game's log says so.

    Example: pbem db restored
    """
    with refusals(as_json=as_json), service_of(config) as service:
        done = restoring.restored(service, is_unmarked=unmarked)
    if as_json:
        print_json(
            {
                "ok": True,
                "state_at": iso(done.state_at),
                "players": done.players,
                "games": list(done.games),
                "mails": done.mails,
                "replaced": done.replaced,
                "gap_seconds": None if done.gap is None else int(done.gap.total_seconds()),
                "inbox_from": done.inbox_from,
                "outbox_from": done.outbox_from,
                "unread": list(done.unread),
            }
        )
        return
    gap = "none that counts" if done.gap is None else duration(int(done.gap.total_seconds()))
    print_table(
        "Put back, and fit to be served",
        ("what", ""),
        [
            ("the state of", f"{done.state_at:%Y-%m-%d %H:%M} UTC"),
            ("reply addresses void, of", counted(done.players, "player")),
            ("games whose players are mailed", len(done.games)),
            ("mails to them", done.mails),
            ("unsent mails that these replace", done.replaced),
            ("given back to deadlines", gap),
            ("incoming mails are numbered from", done.inbox_from + 1),
            ("outgoing mails are numbered from", done.outbox_from + 1),
        ],
    )
    for game in done.unread:
        complain(f"game {game}: its log cannot be read, so nobody in it was mailed")


@app.command()
def vacuum(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Write the database anew, so that nothing that was erased can be read from its bytes.

    Example: pbem db vacuum
    """
    with refusals(as_json=as_json), service_of(config) as service:
        service.store.vacuum()
        if as_json:
            print_json({"ok": True})
        else:
            out.print("The database is written anew.")

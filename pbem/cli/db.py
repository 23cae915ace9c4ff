"""`pbem db …`: the schema, and what can be rebuilt from the log."""

from __future__ import annotations

import typer

from pbem.cli.common import (
    REFUSED,
    ConfigOption,
    JsonOption,
    complain,
    err,
    out,
    print_json,
    refusals,
    service_of,
)

app = typer.Typer(help="The database: schema and projections.", no_args_is_help=True)


@app.command()
def upgrade(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Make the tables, or bring them to this program's schema; the log is never changed.

    Example: pbem db upgrade
    """
    from pbem.store import schema  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        state = schema.upgrade(service.store)
        if as_json:
            print_json({"ok": True, "schema": state.current})
        else:
            out.print(f"The database has schema {state.current}.")


@app.command()
def check(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Say whether schema, log and projections are sound; changes nothing.

    Example: pbem db check
    """
    from pbem.service import maintenance  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        problems = maintenance.check(service, _progress("checking"))
        if as_json:
            print_json({"ok": not problems, "problems": problems})
        elif not problems:
            out.print("Schema, log and projections are sound.")
        for problem in problems if not as_json else []:
            complain(problem)
        if problems:
            raise typer.Exit(REFUSED)


@app.command()
def rebuild(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Drop projections and snapshots and make them again from the log.

    Example: pbem db rebuild
    """
    from pbem.service import maintenance  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        count = maintenance.rebuild(service, _progress("rebuilding"))
        if as_json:
            print_json({"ok": True, "games": count})
        else:
            out.print(f"Projections of {count} games are rebuilt from the log.")


def _progress(what: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Give a callback that shows how many games are done, on a terminal only."""
    status = err.status(f"{what} …")
    if not err.is_terminal:
        return lambda _done: None
    status.start()
    return lambda done: status.update(f"{what}: {done} games")

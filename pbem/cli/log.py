"""`pbem verify`, `export` and `import`: the log, checked, handed out and taken in."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    commands,
    complain,
    out,
    print_json,
    read_bytes,
    refusals,
    require_free,
    service_of,
)
from pbem.clock import SystemClock
from pbem.domain.log.chain import GameId
from pbem.errors import LogError, Refusal, UpcastError
from pbem.service.logbook import importing
from pbem.service.logbook import verify as checks
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import checked_export
from pbem.store.db.uow import UnitOfWork

app = commands()


@app.command()
def verify(
    what: Annotated[str, typer.Argument(help="Id of a game, or a file that `export` wrote.")],
    head: Annotated[
        list[str] | None,
        typer.Option(help="A head from a mail that the log must contain, whole or its six words."),
    ] = None,
    redacted: Annotated[
        bool, typer.Option("--redacted", help="Of a game: only what is public; needs no key.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a log: chain, commitments, shuffles, every move, the result. A file needs no database.

    Example: pbem verify game.jsonl --head 5f0c…
    """
    with refusals(as_json=as_json):
        try:
            path = Path(what)
            if path.is_file():
                now = SystemClock().now()
                report = checks.verify_file(read_bytes(path), heads=head or [], now=now)
            elif path.suffix or "/" in what:
                raise Refusal("file", f"There is no file {what}.")
            else:
                check = checks.verify_public if redacted else checks.verify_game
                with service_of(config) as service, service.store.reading() as uow:
                    report = check(uow, GameId(what), heads=head or [])
                    if not redacted:
                        causes = checks.verify_causes(uow, GameId(what))
                        report = replace(report, checks=(*report.checks, causes))
        except LogError as error:
            if as_json:
                print_json({"ok": False, "error": str(error), "event": error.version})
                raise typer.Exit(1) from None
            raise
    if as_json:
        print_json(
            {
                "ok": True,
                "game": report.game_id,
                "events": report.events,
                "head": report.head,
                "complete": report.complete,
                "checks": list(report.checks),
            }
        )
        return
    for line in report.checks:
        out.print(f"ok  {line}", highlight=False, markup=False)
    out.print(
        f"verified: game {report.game_id}, head {report.head}", soft_wrap=True, highlight=False
    )


@app.command()
def export(
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="File to write; it must not exist (default: stdout)."),
    ] = None,
    even_if_broken: Annotated[
        bool,
        typer.Option(
            "--even-if-broken", help="Write a log that does not verify, too, and say what is wrong."
        ),
    ] = False,
    config: ConfigOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="An export is JSON anyway; for what --out says.")
    ] = False,
) -> None:
    """Write a game as a file that anybody can verify; secrets stay closed while it runs.

    A log that does not verify is not written, unless --even-if-broken asks for it.

    Example: pbem export k7q2m3x9ab --out game.jsonl
    """
    with refusals(as_json=as_json), service_of(config) as service:
        if file is not None:
            require_free(file)
        with service.store.reading() as uow:
            data = _exported(uow, GameId(game), even_if_broken=even_if_broken)
        if file is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        try:
            file.write_bytes(data)
        except OSError as error:
            raise Refusal("file", f"{file}: {error.strerror}") from None
        if as_json:
            print_json({"ok": True, "game": game, "file": str(file)})
        else:
            out.print(f"{file} holds game {game}.", soft_wrap=True, markup=False, highlight=False)


def _exported(uow: UnitOfWork, game: GameId, *, even_if_broken: bool) -> bytes:
    """Return an export; of a log that does not hold only if it is asked for. Raises: Refusal."""
    try:
        return checked_export(uow, game)
    except (LogError, UpcastError) as error:
        if not even_if_broken:
            raise Refusal(
                "log",
                f"The log of game {game} does not hold: {error}. Nothing was written; with"
                " --even-if-broken it is written as it is.",
            ) from error
        complain(f"THE LOG DOES NOT HOLD: {error}")
        return b"".join(line + b"\n" for line in export_lines(uow, game, even_if_broken=True))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `export` wrote.")],
    rated: Annotated[
        bool, typer.Option("--rated", help="The game counts in standings, as those played here do.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a finished game of another installation.

    What does not verify is refused. The game counts in standings only with --rated, which may be said
    later, too.

    Example: pbem import game.jsonl
    """
    with refusals(as_json=as_json):
        data = read_bytes(file)
        with service_of(config) as service:
            imported = importing.take_in(service, data, is_rated=rated)
    report = imported.report
    if as_json:
        print_json(
            {
                "ok": True,
                "game": report.game_id,
                "events": report.events,
                "head": report.head,
                "imported": imported.is_new,
                "rated": imported.is_rated,
            }
        )
        return
    for check in report.checks:
        out.print(f"ok  {check}", highlight=False, markup=False)
    done = "is here already" if rated else "is here already, nothing was changed"
    done = "is imported" if imported.is_new else done
    counts = "it counts" if imported.is_rated else "it does not count (see --rated)"
    out.print(f"game {report.game_id} {done}; {counts} in standings", highlight=False, markup=False)

"""`pbem verify`, `export` and `import`: logs as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import complain, read_bytes, require_free, waiting, write, write_stdout
from pbem.cli.frame import ConfigOption, Row, Shown, commands
from pbem.cli.opening import GameArgument, OpenService, complete_game_id, service_of
from pbem.clock import SystemClock
from pbem.domain.log.chain import GameId
from pbem.errors import LogError, Refusal, UpcastError
from pbem.service.logbook import importing
from pbem.service.logbook import verify as checks
from pbem.service.logbook.exports import export_lines
from pbem.store.db.uow import UnitOfWork

app = commands()


@app.command()
def verify(
    what: Annotated[str, typer.Argument(help="Id of a game, or a file written by `export`.")],
    head: Annotated[
        list[str] | None,
        typer.Option(
            help="Log head from a message, complete or as its six words, that the log must contain."
        ),
    ] = None,
    redacted: Annotated[
        bool, typer.Option("--redacted", help="Check only the public part of a game, without keys.")
    ] = False,
    config: ConfigOption = None,
) -> Shown:
    """Check a log: chain, commitments, shuffles, every move, the result.

    A file needs no database.

    Example: pbem verify game.jsonl --head 5f0c…
    """
    path, heads = Path(what), head or []
    if path.is_file():
        report = checks.verify_file(read_bytes(path), heads=heads, now=SystemClock().now())
    elif path.suffix or "/" in what:
        raise Refusal("file", f"There is no file {what}.")
    else:
        check = checks.verify_public if redacted else checks.verify_game
        waiting.begin("verifying …")
        with service_of(config) as service, service.store.reading() as uow:
            game = complete_game_id(service, what)
            report = check(uow, game, heads=heads)
            if not redacted:
                causes = checks.verify_causes(uow, game)
                report = replace(report, checks=(*report.checks, causes))
    return Shown(
        {**_row(report), "complete": report.complete, "checks": list(report.checks)},
        *(f"ok  {line}" for line in report.checks),
        f"verified: game {report.game_id}, head {report.head}",
    )


def _row(report: checks.Verification) -> Row:
    return {"ok": True, "game": report.game_id, "events": report.events, "head": report.head}


@app.command()
def export(
    service: OpenService,
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="File to write, which must not exist (default: stdout)."),
    ] = None,
    even_if_broken: Annotated[
        bool,
        typer.Option(
            "--even-if-broken",
            help="Write even a log that fails verification, and report the errors.",
        ),
    ] = False,
) -> Shown | None:
    """Write a game to a file that anyone can verify. Secrets of a running game stay closed.

    A log that fails verification is only written with --even-if-broken.

    Example: pbem export k7q2m3x9ab --out game.jsonl
    """
    if file is not None:
        require_free(file)
    with service.store.reading() as uow:
        data = _exported(uow, game, even_if_broken=even_if_broken)
    if file is None:
        write_stdout(data)
        return None
    write(file, data)
    return Shown({"ok": True, "game": game, "file": file}, f"{file} holds game {game}.")


def _exported(uow: UnitOfWork, game: GameId, *, even_if_broken: bool) -> bytes:
    """Return an export. A log that fails verification is exported only on request.

    Raises: Refusal.
    """
    try:
        return checks.checked_export(uow, game)
    except (LogError, UpcastError) as error:
        if not even_if_broken:
            raise Refusal(
                "log",
                f"The log of game {game} does not hold: {error}. Nothing was written; with"
                " --even-if-broken it is written as it is.",
            ) from error
        complain(f"the log does not hold: {error}")
        return b"".join(line + b"\n" for line in export_lines(uow, game, even_if_broken=True))


@app.command("import")
def import_(
    service: OpenService,
    file: Annotated[Path, typer.Argument(help="File written by `export`.")],
    rated: Annotated[
        bool,
        typer.Option("--rated", help="Count the game in the standings, like games played here."),
    ] = False,
    known_players: Annotated[
        bool,
        typer.Option("--known-players", help="Allow a game that names players of this server."),
    ] = False,
) -> Shown:
    """Import a finished game of another installation.

    A game that does not verify is refused. It counts in standings only with --rated, which you can
    also give later. A game that names players of this server is refused without --known-players.

    Example: pbem import game.jsonl
    """
    imported = importing.take_in(
        service, read_bytes(file), is_rated=rated, may_name_players=known_players
    )
    report = imported.report
    done = "is here already" if rated else "is here already, nothing was changed"
    done = "is imported" if imported.is_new else done
    counts = "it counts" if imported.is_rated else "it does not count (see --rated)"
    return Shown(
        {**_row(report), "imported": imported.is_new, "rated": imported.is_rated},
        *(f"ok  {check}" for check in report.checks),
        f"game {report.game_id} {done}; {counts} in standings",
    )

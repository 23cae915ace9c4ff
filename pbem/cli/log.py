"""`pbem verify`, `export` and `import`: the log, checked, handed out and taken in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    PassphraseOption,
    ask_passphrase,
    complain,
    out,
    print_json,
    read_bytes,
    refusals,
    require_free,
    service_of,
    write_private,
)
from pbem.errors import Refusal

if TYPE_CHECKING:
    from pbem.domain.log import GameId


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(verify)
    app.command()(export)
    app.command("import")(import_)


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
    from pbem.domain.log import GameId  # noqa: PLC0415
    from pbem.errors import LogError  # noqa: PLC0415
    from pbem.service import verify as checks  # noqa: PLC0415

    with refusals(as_json=as_json):
        try:
            path = Path(what)
            if path.is_file():
                report = checks.verify_file(read_bytes(path), heads=head or [])
            elif path.suffix or "/" in what:
                raise Refusal("file", f"There is no file {what}.")
            else:
                check = checks.verify_public if redacted else checks.verify_game
                with service_of(config) as service, service.store.reading() as uow:
                    report = check(uow, GameId(what), heads=head or [])
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


def export(
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="File to write; it must not exist (default: stdout)."),
    ] = None,
    sealed: Annotated[
        bool,
        typer.Option(help="Send a running game to another server: ALL secrets, for a passphrase."),
    ] = False,
    reason: Annotated[str, typer.Option(help="Why it is sent away; every player reads it.")] = "",
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="An export is JSON anyway; for what --out says.")
    ] = False,
) -> None:
    """Write a game as a file that anybody can verify; secrets stay closed while it runs.

    Example: pbem export k7q2m3x9ab --out game.jsonl
    """
    from pbem.domain.log import GameId  # noqa: PLC0415
    from pbem.service.exports import export_lines  # noqa: PLC0415

    if sealed:
        _send_away(GameId(game), file, reason, passphrase_file, config, as_json=as_json)
        return
    with refusals(as_json=as_json), service_of(config) as service:
        if file is not None:
            require_free(file)
        with service.store.reading() as uow:
            data = b"".join(line + b"\n" for line in export_lines(uow, GameId(game)))
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


def _send_away(
    game: GameId,
    file: Path | None,
    reason: str,
    passphrase_file: Path | None,
    config: Path | None,
    *,
    as_json: bool,
) -> None:
    from pbem.service import moving  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        if file is None:
            raise Refusal("file", "A sealed game needs a file: --out FILE.")
        passphrase = ask_passphrase(passphrase_file, is_new=True)
        after = moving.send_away(
            service, game, reason, passphrase, lambda text: write_private(file, text.encode())
        )
    if as_json:
        print_json({"ok": True, "game": game, "events": after.version, "head": after.head})
        return
    out.print(f"{file} holds game {game}, and nobody can move here any more.", soft_wrap=True)
    complain(
        "WITH ITS PASSPHRASE IT SHOWS ALL HANDS, NAMES AND ADDRESSES. Carry the two apart, run"
        f" `pbem import {file}` at the other server (here: to take the game back), then delete it."
    )


def import_(
    file: Annotated[Path, typer.Argument(help="A file that `export` wrote.")],
    passphrase_file: PassphraseOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a finished game of another installation, or a sealed one, which goes on here.

    What does not verify is refused. Players of a sealed game are mailed.

    Example: pbem import game.jsonl
    """
    from pbem.service import importing, moving  # noqa: PLC0415

    with refusals(as_json=as_json):
        data = read_bytes(file)
        with service_of(config) as service:
            if moving.is_sealed(data):
                passphrase = ask_passphrase(passphrase_file, is_new=False)
                imported = moving.take_in_sealed(service, data, passphrase, str(file))
            else:
                imported = importing.take_in(service, data)
    report = imported.report
    if as_json:
        print_json(
            {
                "ok": True,
                "game": report.game_id,
                "events": report.events,
                "head": report.head,
                "imported": imported.is_new,
            }
        )
        return
    for check in report.checks:
        out.print(f"ok  {check}", highlight=False, markup=False)
    done = "is imported" if imported.is_new else "is here already, nothing was changed"
    out.print(f"game {report.game_id} {done}", highlight=False, markup=False)

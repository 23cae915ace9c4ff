"""`pbem replay`, `verify`, `export`: the log, looked at and checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.errors import Refusal

if TYPE_CHECKING:
    from pbem.service.looking import Replay

GameArgument = Annotated[str, typer.Argument(help="Id of the game.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(replay)
    app.command()(verify)
    app.command()(export)


def replay(
    game: GameArgument,
    to: Annotated[int | None, typer.Option(help="Last event to show (default: all).")] = None,
    as_seat: Annotated[
        int | None, typer.Option("--as", help="Through the eyes of this seat (0 is the first).")
    ] = None,
    reveal: Annotated[
        bool, typer.Option(help="Look at hidden cards of a running game; is recorded and mailed.")
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Why; every player reads it.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a game from its log: every event, and the table as it is at the end of them.

    Hidden cards stay hidden unless --reveal, which is an event in a running game and needs --reason.

    Example: pbem replay k7q2m3x9ab --to 17
    """
    from pbem.domain.log import GameId  # noqa: PLC0415
    from pbem.service import looking  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            seats = range(len(uow.projections.seats(GameId(game))))
            row = uow.projections.game(GameId(game))
        runs = row is not None and row.status in ("running", "inviting")
        if runs and as_seat is not None and not reveal:
            raise Refusal(
                "reveal",
                "The game runs, and a seat's eyes see hidden cards: add --reveal and"
                " --reason TEXT. It becomes an event, and every player reads it.",
            )
        if runs and reveal and reason is None and sys.stdin.isatty():
            reason = typer.prompt("Why? Every player will read it")
        eyes = [as_seat] if as_seat is not None else list(seats) if reveal else []
        found = looking.replay(service, GameId(game), up_to=to, seats=eyes, reason=reason)
        if as_json:
            _print_json(found)
        else:
            _print(found)


def verify(
    what: Annotated[str, typer.Argument(help="Id of a game, or a file that `export` wrote.")],
    head: Annotated[
        list[str] | None, typer.Option(help="A head from a mail that the log must contain.")
    ] = None,
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
                report = checks.verify_file(_read(path), heads=head or [])
            elif path.suffix or "/" in what:
                raise Refusal("file", f"There is no file {what}.")
            else:
                with service_of(config) as service, service.store.reading() as uow:
                    report = checks.verify_game(uow, GameId(what), heads=head or [])
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
    for check in report.checks:
        out.print(f"ok  {check}", highlight=False, markup=False)
    out.print(
        f"verified: game {report.game_id}, head {report.head}", soft_wrap=True, highlight=False
    )


def export(
    game: GameArgument,
    file: Annotated[
        Path | None, typer.Option("--out", help="File to write (default: stdout).")
    ] = None,
    config: ConfigOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The export is JSON Lines anyway; accepted for symmetry.")
    ] = False,
) -> None:
    """Write a game as a file that anybody can verify; secrets stay closed while it runs.

    Example: pbem export k7q2m3x9ab --out game.jsonl
    """
    from pbem.domain.log import GameId  # noqa: PLC0415
    from pbem.service.exports import export_lines  # noqa: PLC0415

    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            data = b"".join(line + b"\n" for line in export_lines(uow, GameId(game)))
        if file is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            try:
                file.write_bytes(data)
            except OSError as error:
                raise Refusal("file", f"{file}: {error.strerror}") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refusal("file", f"{path}: {error.strerror}") from None


def _print_json(found: Replay) -> None:
    print_json(
        {
            "game": found.game.id,
            "status": found.game.status,
            "players": list(found.names),
            "events": [
                {
                    "version": step.version,
                    "recorded_at": step.recorded_at,
                    "actor": step.actor,
                    "text": step.text,
                }
                for step in found.steps
            ],
            "view": found.steps[-1].view,
        }
    )


def _print(found: Replay) -> None:
    print_table(
        f"{found.game.ruleset.title} {found.game.id}",
        ("event", "at (UTC)", "actor", "what"),
        [(step.version, step.recorded_at, step.actor, step.text) for step in found.steps],
    )
    view = found.steps[-1].view
    if view is not None:
        _print_view(view, found.names)


def _print_view(view: dict[str, Any], names: tuple[str, ...]) -> None:
    """Draw the table: one row per seat, then what lies open for all."""
    seats = view["seats"]
    columns = [key for key in seats[0] if key != "hand_size"]
    print_table(
        "The table",
        ("seat", "name", *columns),
        [
            (number, names[number], *(_cell(seat, key) for key in columns))
            for number, seat in enumerate(seats)
        ],
    )
    for key, value in view.items():
        if key != "seats":
            out.print(f"{key.replace('_', ' ')}: {_text(value)}", markup=False, highlight=False)


def _cell(seat: dict[str, Any], key: str) -> str:
    if key == "hand" and seat["hand"] is None:
        return f"{seat['hand_size']} hidden"
    return _text(seat[key])


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(_text(item) for item in value) or "–"
    return "–" if value is None else str(value)

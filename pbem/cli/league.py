"""`pbem league …`: rounds of games with a winner (docs/leagues.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import ReasonOption, minute, read_bytes, require_free, write, write_stdout
from pbem.cli.frame import ConfigOption, Row, Shown, commands, table
from pbem.cli.opening import OpenService, service_of
from pbem.domain.league.league import UNIT, League, standings
from pbem.errors import Refusal
from pbem.service.core import games
from pbem.service.league import changing, orders
from pbem.service.league import verify as checks

LeagueArgument = Annotated[str, typer.Argument(help="Name or id of the league.")]

app = commands()


@app.command()
def new(
    service: OpenService,
    text: Annotated[
        str, typer.Argument(help="League description, as after `new league` in a message.")
    ],
) -> Shown:
    """Create a league. Players join it by mail.

    Example: pbem league new "phyliss, 5 rounds, tables of 4, 2d per move, called winter"
    """
    actor, cause = games.LOCAL_ADMIN, service.new_cause()
    with service.store.unit_of_work() as uow:
        league = orders.make(service, uow, text, actor=actor, cause=cause)
    return Shown(
        _row(league),
        f'The league {league.terms.name} is open: "join league {league.terms.name}" by mail, until'
        f" {minute(league.terms.joins_until)}.",
        f"seal  {league.terms.commitment}",
    )


@app.command("list")
def list_(service: OpenService) -> Shown:
    """List all leagues.

    Example: pbem league list --json
    """
    with service.store.reading() as uow:
        known = [changing.load(uow, one.id) for one in uow.leagues.every()]
    rows = [_row(league) for league in known]
    columns = ("league", "ruleset", "status", "players", "round", "rounds")
    return Shown(rows, table("leagues", columns, [[row[name] for name in columns] for row in rows]))


@app.command()
def show(service: OpenService, league: LeagueArgument) -> Shown:
    """Show the cross table of a league, and the tables of the last round.

    Example: pbem league show winter
    """
    with service.store.reading() as uow:
        shown = changing.find(uow, league)
        is_over = shown.status == "finished"
        lines = standings(shown, bytes.fromhex(shown.terms.secret) if is_over else None)
        names = games.shown_names(uow, [line.player for line in lines])
        tables = [
            {
                "game": table_.game,
                "players": list(table_.players),
                "names": list(games.shown_names(uow, table_.players)),
                "ranking": table_.ranking,
            }
            for table_ in (shown.rounds[-1].tables if shown.rounds else ())
        ]
    rounds = [str(number) for number in range(1, len(shown.rounds) + 1)]
    cells = [
        [line.place, name, *(_points(points) for points in line.rounds), _points(line.points)]
        for line, name in zip(lines, names, strict=True)
    ]
    data: Row = {
        **_row(shown),
        "standings": [
            {
                "place": line.place,
                "player": line.player,
                "name": name,
                "points": round(line.points / UNIT, 4),
                "rounds": [
                    None if points is None else round(points / UNIT, 4) for points in line.rounds
                ],
                "left": line.has_left,
            }
            for line, name in zip(lines, names, strict=True)
        ],
        "tables": tables,
    }
    return Shown(data, table(shown.terms.name, ("place", "player", *rounds, "points"), cells))


@app.command()
def start(service: OpenService, league: LeagueArgument) -> Shown:
    """Draw the first round now, before its time.

    Example: pbem league start winter
    """
    with service.store.unit_of_work() as uow:
        row = changing.find(uow, league)
        orders.begin(service, uow, row)
    return Shown({"ok": True, "league": row.terms.name}, "The first round is drawn.")


@app.command()
def announce(service: OpenService, league: LeagueArgument) -> Shown:
    """Ask all players of this server to join a league, each of them only once.

    Players who want no invitations are left out.

    Example: pbem league announce winter
    """
    with service.store.unit_of_work() as uow:
        row = changing.find(uow, league)
        count = orders.invite(service, uow, row, [player.id for player in uow.players.list()])
    people = f"{count} {'player is' if count == 1 else 'players are'}"
    return Shown({"ok": True, "league": row.terms.name, "asked": count}, f"{people} asked.")


@app.command()
def stop(service: OpenService, league: LeagueArgument, reason: ReasonOption) -> Shown:
    """End a league without a winner. Running games continue.

    Example: pbem league stop winter --reason "Too many are away."
    """
    result = orders.stop(service, league, reason)
    return Shown({"ok": True, "league": result.terms.name}, f"{result.terms.name} is stopped.")


@app.command()
def score(
    service: OpenService,
    league: LeagueArgument,
    game: Annotated[str, typer.Argument(help="A game of the current round with a damaged log.")],
) -> Shown:
    """Score a damaged game with half a point per player, so that its round can end.

    `verify` and `db check` still report the game, since its log stays damaged.

    Example: pbem league score winter k7q2m3x9ab
    """
    result = orders.score(service, league, game)
    return Shown(
        {"ok": True, "league": result.terms.name}, f"Game {game} counts half a point each."
    )


@app.command()
def verify(
    what: Annotated[str, typer.Argument(help="Name or id of a league, or a file of `export`.")],
    config: ConfigOption = None,
) -> Shown:
    """Check a league: chain, every draw, the results and logs of its games, the winner.

    A file needs no database. Its games are in separate files.

    Example: pbem league verify winter
    """
    path = Path(what)
    if path.is_file():
        report = checks.verify_file(read_bytes(path))
    elif path.suffix or "/" in what:
        raise Refusal("file", f"There is no file {what}.")
    else:
        with service_of(config) as service, service.store.reading() as uow:
            report = checks.verify_league(uow, changing.find(uow, what).id)
    return Shown(
        {"ok": True, **_row(report.league), "events": report.events, "checks": [*report.checks]},
        *(f"ok  {line}" for line in report.checks),
        f"verified: league {report.league.terms.name}, head {report.league.head}",
    )


@app.command()
def export(
    service: OpenService,
    league: LeagueArgument,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="File to write, which must not exist (default: stdout)."),
    ] = None,
) -> Shown | None:
    """Write a league to a file that anyone can verify. The secret of a running league stays closed.

    Example: pbem league export winter --out winter.jsonl
    """
    if file is not None:
        require_free(file)
    with service.store.reading() as uow:
        data = checks.export(uow, changing.find(uow, league).id)
    if file is None:
        write_stdout(data)
        return None
    write(file, data)
    return Shown({"ok": True, "file": file}, f"{file} holds the league.")


def _row(league: League) -> Row:
    return {
        "league": league.terms.name,
        "id": league.id,
        "ruleset": league.terms.ruleset,
        "status": league.status,
        "players": len(league.playing),
        "round": len(league.rounds),
        "rounds": league.terms.rounds,
    }


def _points(points: int | None) -> str:
    return "" if points is None else f"{points / UNIT:.2f}"

"""`game list` and `player list`, which only read tables and import neither rules nor messages.

`pbem.cli.app` looks here first, so that monitoring and scripts are fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Literal

import typer

from pbem.cli.common import counted, minute
from pbem.cli.frame import Shown, commands, table
from pbem.cli.opening import OpenService
from pbem.domain.terms.seats import bot_name, is_bot, is_open

app = commands()

_OPEN, _GONE = "(open)", "(gone)"


@app.command("game list")
def games(
    service: OpenService,
    status: Annotated[
        Literal["inviting", "running", "finished", "stopped"] | None,
        typer.Option(help="Limit to games with this status."),
    ] = None,
) -> Shown:
    """List the games with their players, turns, deadlines, and time since the last move.

    Example: pbem game list --status running
    """
    with service.store.reading() as uow:
        rows = uow.projections.games(status)
        names = {player.id: player.name for player in uow.players.list()}
        players: dict[str, list[str]] = {row.id: [] for row in rows}
        turns: dict[str, list[str]] = {row.id: [] for row in rows}
        dues: dict[str, datetime] = {}
        asked: dict[str, datetime] = {}
        for game, player, since, due in uow.projections.waiting_for(status):
            name = _name(player, names)
            players[game].append(name)
            if since is not None and due is not None:
                turns[game].append(name)
                dues[game] = min(due, dues.get(game, due))
                asked[game] = min(since, asked.get(game, since))
    now = service.now()
    return Shown(
        [
            {
                "game": row.id,
                "ruleset": f"{row.ruleset}/{row.ruleset_version}",
                "status": row.status,
                "version": row.version,
                "head": row.head,
                "created_at": row.created_at,
                "players": players[row.id],
                "to_act": turns[row.id],
                "due_at": dues.get(row.id),
                "silent_since": asked.get(row.id),
            }
            for row in rows
        ],
        table(
            counted(len(rows), "game"),
            ("game", "ruleset", "status", "players", "turn", "until (UTC)", "silent"),
            [
                (
                    row.id,
                    row.ruleset,
                    row.status,
                    ", ".join(players[row.id]),
                    ", ".join(turns[row.id]),
                    minute(dues.get(row.id)),
                    _span(now - asked[row.id]) if row.id in asked else "",
                )
                for row in rows
            ],
        ),
    )


def _span(time: timedelta) -> str:
    """Format a duration in its two largest units: `2d 4h`, `3h 5m`, `5m`."""
    minutes = max(0, int(time.total_seconds()) // 60)
    units = ((minutes // 1440, "d"), (minutes // 60 % 24, "h"), (minutes % 60, "m"))
    return " ".join([f"{count}{unit}" for count, unit in units if count][:2]) or "0m"


def _name(player: str, names: Mapping[str, str]) -> str:
    if is_bot(player):
        return bot_name(player)
    return _OPEN if is_open(player) else names.get(player, _GONE)


@app.command("player list")
def players(service: OpenService) -> Shown:
    """List the players, without their addresses, and whether messages reach them.

    Example: pbem player list
    """
    with service.store.reading() as uow:
        rows = [
            (player, uow.deliverability.unreachable(player.id)) for player in uow.players.list()
        ]
    return Shown(
        [
            {
                "player": player.id,
                "name": player.name,
                "language": player.language,
                "unreachable": None if unreachable is None else unreachable.reason,
            }
            for player, unreachable in rows
        ],
        table(
            counted(len(rows), "player"),
            ("player", "name", "zone", "language", "unreachable"),
            [
                (
                    player.id,
                    player.name,
                    player.zone,
                    player.language,
                    None if unreachable is None else unreachable.reason,
                )
                for player, unreachable in rows
            ],
        ),
    )

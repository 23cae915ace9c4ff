"""Lists of games and people: they read tables, and import nothing that knows rules or mails.

`pbem.cli.app` looks here first, so that monitoring and scripts get their answer at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
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
        typer.Option(help="Only games of this status."),
    ] = None,
) -> Shown:
    """List the games: who plays, whose turn it is, and until when.

    Example: pbem game list --status running
    """
    with service.store.reading() as uow:
        found = uow.projections.games(status)
        names = {player.id: player.name for player in uow.players.list()}
        players: dict[str, list[str]] = {row.id: [] for row in found}
        turns: dict[str, list[str]] = {row.id: [] for row in found}
        dues: dict[str, datetime] = {}
        for game, player, due in uow.projections.waiting_for(status):
            name = _name(player, names)
            players[game].append(name)
            if due is not None:
                turns[game].append(name)
                dues[game] = min(due, dues.get(game, due))
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
            }
            for row in found
        ],
        table(
            counted(len(found), "game"),
            ("game", "ruleset", "status", "players", "turn", "until (UTC)", "since (UTC)"),
            [
                (
                    row.id,
                    row.ruleset,
                    row.status,
                    ", ".join(players[row.id]),
                    ", ".join(turns[row.id]),
                    minute(dues.get(row.id)),
                    minute(row.created_at),
                )
                for row in found
            ],
        ),
    )


def _name(player: str, names: Mapping[str, str]) -> str:
    if is_bot(player):
        return bot_name(player)
    return _OPEN if is_open(player) else names.get(player, _GONE)


@app.command("player list")
def players(service: OpenService) -> Shown:
    """List the players, without their addresses, and whether mails reach them.

    Example: pbem player list
    """
    with service.store.reading() as uow:
        found = [(player, uow.reach.loss(player.id)) for player in uow.players.list()]
    return Shown(
        [
            {
                "player": player.id,
                "name": player.name,
                "language": player.language,
                "unreachable": None if loss is None else loss.reason,
            }
            for player, loss in found
        ],
        table(
            counted(len(found), "player"),
            ("player", "name", "zone", "language", "unreachable"),
            [
                (
                    player.id,
                    player.name,
                    player.zone,
                    player.language,
                    None if loss is None else loss.reason,
                )
                for player, loss in found
            ],
        ),
    )

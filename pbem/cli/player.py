"""`pbem player …`: the people who play."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    counted,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)

app = typer.Typer(help="The people who play.", no_args_is_help=True)


@app.command("list")
def list_players(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the players, without their addresses, and whether mails reach them.

    Example: pbem player list
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            players = [(player, uow.reach.loss(player.id)) for player in uow.players.list()]
        if as_json:
            for player, loss in players:
                reason = None if loss is None else loss.reason
                print_json({"player": player.id, "name": player.name, "unreachable": reason})
            return
        print_table(
            counted(len(players), "player"),
            ("player", "name", "zone", "unreachable"),
            [
                (player.id, player.name, player.zone, "" if loss is None else loss.reason)
                for player, loss in players
            ],
        )


@app.command()
def rotate(
    player: Annotated[str, typer.Argument(help="Id of the player, or an address of theirs.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make all reply addresses of a player void, e.g. after a mail was passed on; new ones are mailed.

    Example: pbem player rotate abcdefghij
    """
    from pbem.service import post  # noqa: PLC0415  (keeps --help fast)

    with refusals(as_json=as_json), service_of(config) as service:
        rotated = post.rotate(service, player)
        if as_json:
            print_json({"ok": True, "player": rotated.id})
        else:
            out.print(f"The reply addresses that {rotated.name} had are void.")

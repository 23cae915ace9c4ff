"""`pbem player …`: the people who play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    commands,
    complain,
    counted,
    is_wanted,
    out,
    pair,
    print_json,
    print_table,
    refusals,
    require_free,
    service_of,
    write_private,
)
from pbem.errors import StoreError
from pbem.language import own_name
from pbem.service.core.context import Service
from pbem.service.lobby import making as lobby
from pbem.service.lobby import uninvited
from pbem.service.people import forgetting, mail_acts
from pbem.service.people import stored as people

YesOption = Annotated[bool, typer.Option("--yes", help="Do it, without asking.")]
WhoArgument = Annotated[str, typer.Argument(help="Name, id or address of the player.")]

app = commands()


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
                print_json(
                    {
                        "player": player.id,
                        "name": player.name,
                        "language": player.language,
                        "unreachable": reason,
                    }
                )
            return
        print_table(
            counted(len(players), "player"),
            ("player", "name", "zone", "language", "unreachable"),
            [
                (
                    player.id,
                    player.name,
                    player.zone,
                    player.language,
                    "" if loss is None else loss.reason,
                )
                for player, loss in players
            ],
        )


@app.command()
def add(
    person: Annotated[str, typer.Argument(help="NAME=ADDRESS.")],
    language: Annotated[
        str | None, typer.Option(help="Of their mails, e.g. de; else as configured.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register somebody before their first game; games register whom they invite by themselves.

    Example: pbem player add Anna=anna@example.org --language de
    """
    with refusals(as_json=as_json), service_of(config) as service:
        who = lobby.Person(*pair(person, "NAME=ADDRESS"))
        player = lobby.add_player(service, who, language=language)
        if as_json:
            print_json({"player": player.id, "language": player.language})
        else:
            out.print(f"{player.name} is player {player.id}; mails in {own_name(player.language)}.")


@app.command()
def allow(
    address: Annotated[str, typer.Argument(help="Of somebody who once wrote never.")],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let an address be invited again whose owner asked you for it.

    Example: pbem player allow bob@example.org
    """
    with refusals(as_json=as_json), service_of(config) as service:
        uninvited.allow(service, address)
        if as_json:
            print_json({"ok": True})
        else:
            out.print("That address can be invited again.")


@app.command()
def rotate(
    who: WhoArgument,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make all reply addresses of a player void, e.g. after a mail was passed on; new ones are mailed.

    Example: pbem player rotate Anna
    """
    with refusals(as_json=as_json), service_of(config) as service:
        rotated = mail_acts.rotate(service, who)
        if as_json:
            print_json({"ok": True, "player": rotated.id})
        else:
            out.print(f"The reply addresses that {rotated.name} had are void.")


@app.command()
def address(
    who: WhoArgument,
    to: Annotated[str, typer.Argument(metavar="ADDRESS", help="Which you know to be theirs.")],
    yes: YesOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let mails to a player go to this address, e.g. after somebody changed their row in the database.

    Rows of theirs that do not fit their seals go; all addresses that do stay, and are told. At a terminal
    it asks first. What the player has to answer is mailed once more.

    Example: pbem player address k2jw7smxqp anna@example.org
    """
    with refusals(as_json=as_json), service_of(config) as service:
        question = f"Send the mails of {_called(service, who)} to {to}?"
        if not (yes or as_json or is_wanted(question)):
            out.print("Nothing was changed.")
            return
        player = mail_acts.set_address(service, who, to)
        if as_json:
            print_json({"ok": True, "player": player.id})
        else:
            out.print(f"Mails to {player.name} go there now; their other addresses are told.")


@app.command()
def export(
    who: WhoArgument,
    file: Annotated[Path, typer.Option("--out", help="File to write; it must not exist.")],
    reveal: Annotated[
        bool, typer.Option(help="With the mails of games that run; every player reads why.")
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Why, with --reveal.")] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all that is stored of a person into a file that only you may read, to be handed to them.

    Example: pbem player export Anna --out anna.json
    """
    with refusals(as_json=as_json), service_of(config) as service:
        require_free(file)
        found = people.collect(service, who, reveal=reveal, reason=reason)
        write_private(file, json.dumps(found, ensure_ascii=False, indent=1).encode() + b"\n")
        if as_json:
            print_json({"ok": True, "player": found["player"], "file": str(file)})
        else:
            out.print(f"{file} holds all that is stored of this person.", soft_wrap=True)


@app.command()
def forget(
    who: WhoArgument,
    reason: Annotated[str, typer.Option(help="Why, for the other admins; must not name them.")],
    yes: YesOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase a person for good: name, addresses, mails, words. Their games stay and verify.

    At a terminal it asks first.

    Example: pbem player forget Anna --reason "She asked for it."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        question = f"Erase {_called(service, who)} for good?"
        if not (yes or as_json or is_wanted(question)):
            out.print("Nothing was changed.")
            return
        done = forgetting.forget(service, who, reason)
        remains = _wipe(service)
        if as_json:
            print_json(
                {
                    "ok": True,
                    "player": done.player_id,
                    "games": list(done.games),
                    "mails": done.mails,
                    "texts": done.texts,
                    "wiped": remains is None,
                }
            )
            return
        out.print(
            f"Erased: {counted(done.mails, 'mail')}, {counted(done.texts, 'text')} of the log."
            f" {counted(len(done.games), 'game')} verified.",
            highlight=False,
        )
        out.print("Not erased: backups, exports, the log of the program, what others received.")
        if remains is not None:
            complain(f"Bytes may remain in the file: {remains}. Run `pbem db vacuum` later.")


def _called(service: Service, who: str) -> str:
    """Return name and id of a player, to ask whether they are meant. Raises: Refusal."""
    with service.store.reading() as uow:
        player = people.find(uow, who)
    return f"{player.name} (player {player.id})"


def _wipe(service: Service) -> StoreError | None:
    try:
        service.store.vacuum()
    except StoreError as error:
        return error
    return None

"""`pbem player …`: players and their addresses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import (
    YesOption,
    counted,
    is_confirmed,
    pair,
    require_free,
    write_private,
)
from pbem.cli.frame import JsonOption, Row, Shown, commands, table
from pbem.cli.listing import players
from pbem.cli.opening import OpenService, WhoArgument
from pbem.domain.log.chain import format_time
from pbem.errors import StoreError
from pbem.language import own_name
from pbem.service.core import names
from pbem.service.core.context import Service
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.people import data_export as people
from pbem.service.people import erasure, mail_acts

app = commands()


app.command("list")(players)


@app.command()
def add(
    service: OpenService,
    person: Annotated[str, typer.Argument(help="NAME=ADDRESS.")],
    language: Annotated[
        str,
        typer.Option(help="Language of their messages, e.g. de (default: from the configuration)."),
    ] = "",
) -> Shown:
    """Register a person before their first game.

    An invitation to a game registers them, too.

    Example: pbem player add Anna=anna@example.org --language de
    """
    who = lobby.Person(*pair(person, "NAME=ADDRESS"), language)
    player = lobby.add_player(service, who)
    return Shown(
        {"player": player.id, "language": player.language},
        f"{player.name} is player {player.id}; mails in {own_name(player.language)}.",
    )


@app.command()
def waiting(
    service: OpenService,
    admit: Annotated[
        int | None,
        typer.Option(help="Number of a message: register its sender, and handle the message."),
    ] = None,
    decline: Annotated[int | None, typer.Option(help="Number of a message to drop.")] = None,
) -> Shown:
    """List unregistered senders who were asked whether they want to play. Admit or decline one.

    A declined sender gets no answer and may write again. `[service] blocked` blocks addresses.

    Example: pbem player waiting --admit 17
    """
    for number, is_admitted, done in ((admit, True, "registered"), (decline, False, "declined")):
        if number is not None:
            who = mail_acts.admit_or_decline(service, number, is_admitted=is_admitted)
            return Shown({"ok": True, "address": who}, f"{who} is {done}.")
    with service.store.reading() as uow:
        rows: list[Row] = [
            {"mail": mail.id, "arrived_at": format_time(mail.arrived_at), "address": mail.sender}
            for mail in mail_acts.waiting(uow)
        ]
    columns = ("mail", "arrived_at", "address")
    return Shown(rows, table("waiting", columns, [[row[name] for name in columns] for row in rows]))


@app.command()
def allow(
    service: OpenService,
    address: Annotated[str, typer.Argument(help="Address that opted out with `never`.")],
) -> Shown:
    """Allow invitations to an address again, after its owner asked you.

    Example: pbem player allow bob@example.org
    """
    never_invite.allow(service, address)
    return Shown({"ok": True}, "That address can be invited again.")


@app.command()
def rotate(service: OpenService, who: WhoArgument) -> Shown:
    """Revoke all reply addresses of a player, and mail new ones.

    Use this, for example, after a message was forwarded. With the address of an admin, the reply
    addresses in messages to that admin become invalid, too.

    Example: pbem player rotate Anna
    """
    rotated = mail_acts.rotate(service, who)
    if rotated is None:
        return Shown({"ok": True, "player": None}, "The admin's reply addresses are void.")
    return Shown(
        {"ok": True, "player": rotated.id},
        f"The reply addresses that {rotated.name} had are void.",
    )


@app.command()
def address(
    service: OpenService,
    who: WhoArgument,
    to: Annotated[str, typer.Argument(metavar="ADDRESS", help="Verified address of the player.")],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> Shown:
    """Send the messages of a player to this address from now on.

    Use this, for example, after their row in the database was altered. Addresses that fail
    verification are deleted. The others stay and get a message. At a terminal it asks for
    confirmation. Messages that the player has to answer are sent again.

    Example: pbem player address k2jw7smxqp anna@example.org
    """
    question = f"Send the mails of {_called(service, who)} to {to}?"
    if not (yes or as_json or is_confirmed(question)):
        return _UNCHANGED
    player = mail_acts.set_address(service, who, to)
    return Shown(
        {"ok": True, "player": player.id},
        f"Mails to {player.name} go there now; their other addresses are told.",
    )


@app.command()
def export(
    service: OpenService,
    who: WhoArgument,
    file: Annotated[Path, typer.Option("--out", help="File to write, which must not exist.")],
    reveal: Annotated[
        bool,
        typer.Option(
            help="Include messages of running games. Needs --reason, shown to every player."
        ),
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Reason for --reveal.")] = None,
) -> Shown:
    """Write all stored data about a person into a file that only you can read.

    The file is meant for that person.

    Example: pbem player export Anna --out anna.json
    """
    require_free(file)
    data = people.collect(service, who, reveal=reveal, reason=reason)
    write_private(file, json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")
    return Shown(
        {"ok": True, "player": data["player"], "file": file},
        f"{file} holds all that is stored of this person.",
    )


@app.command()
def forget(
    service: OpenService,
    who: WhoArgument,
    reason: Annotated[
        str, typer.Option(help="Reason for the other admins, which must not name the person.")
    ],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> Shown:
    """Erase a person permanently: name, addresses, messages and texts.

    Their games stay and verify. At a terminal it asks for confirmation.

    Example: pbem player forget Anna --reason "She asked for it."
    """
    question = f"Erase {_called(service, who)} for good?"
    if not (yes or as_json or is_confirmed(question)):
        return _UNCHANGED
    done = erasure.forget(service, who, reason)
    problems = []
    try:
        service.store.vacuum()
    except StoreError as error:
        problems = [f"Bytes may remain in the file: {error}. Run `pbem db vacuum` later."]
    return Shown(
        {
            "ok": True,
            "player": done.player_id,
            "games": done.games,
            "mails": done.mails,
            "texts": done.texts,
            "wiped": not problems,
        },
        f"Erased: {counted(done.mails, 'mail')}, {counted(done.texts, 'text')} of the log."
        f" {counted(len(done.games), 'game')} verified.",
        "Not erased: backups, exports, the log of the program, what others received.",
        problems=problems,
    )


_UNCHANGED = Shown({"ok": False}, "Nothing was changed.")


def _called(service: Service, who: str) -> str:
    """Return name and ID of a player, for a confirmation prompt. Raises: Refusal."""
    with service.store.reading() as uow:
        player = names.find_player(uow, who)
    return f"{player.name} (player {player.id})"

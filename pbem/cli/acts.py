"""`pbem game stop|remove|undo|replace|adjudicate …`: acts of an admin; every player reads the reason."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    ReasonOption,
    SeatArgument,
    commands,
    out,
    pair,
    print_json,
    refusals,
    service_of,
)
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.service.admin import acts
from pbem.service.core import games
from pbem.service.lobby import making as lobby
from pbem.service.logbook import looking

app = commands()


@app.command()
def stop(
    game: GameArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """End a game without a result; its secret is opened.

    Example: pbem game stop k7q2m3x9ab --reason "All of us agreed to."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = acts.stop(service, GameId(game), reason)
        _print("The game is stopped, its secret is open.", after, as_json=as_json)


@app.command()
def remove(
    game: GameArgument,
    who: SeatArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a player out of a running game for good, as if they had resigned (GEN-7).

    Example: pbem game remove k7q2m3x9ab Bob --reason "He asked me to."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = acts.remove(service, GameId(game), who, reason)
        _print(f"{who} has left the game.", after, as_json=as_json)


@app.command()
def undo(
    game: GameArgument,
    to: Annotated[
        str, typer.Option(help="17: before move 17 was made; @41: as it was after event 41.")
    ],
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take moves back: the table is as it was, the log keeps everything, who saw a card has seen it.

    Example: pbem game undo k7q2m3x9ab --to 17 --reason "Move 17 was read wrongly."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = acts.undo(service, GameId(game), to, reason)
        said = f"{after.ruleset.ply(after.state)} moves are made now"
        _print(f"Taken back: {said}. Everybody is mailed the table.", after, as_json=as_json)


@app.command()
def replace(
    game: GameArgument,
    who: SeatArgument,
    by: Annotated[str, typer.Argument(help="NAME=ADDRESS of who plays on.")],
    reason: ReasonOption,
    agreed: Annotated[
        bool, typer.Option("--agreed", help="They have said yes already, and sit down at once.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Offer a seat to another person: with their `join` it is theirs; who sits there may come back first.

    Example: pbem game replace k7q2m3x9ab Bob Dora=dora@example.org --reason "Bob is ill."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        person = lobby.Person(*pair(by, "NAME=ADDRESS"))
        seat = looking.seat_of(service, GameId(game), who)
        after = acts.replace(service, GameId(game), who, person, reason, agreed=agreed)
        asked = next((offer.player for offer in after.offers if offer.seat == seat), None)
        with service.store.reading() as uow:
            (name,) = games.shown_names(uow, [asked or after.seats[seat].player])
        said = f"{name} plays on for {who}."
        if asked is not None:
            said = f"{name} is asked to play on for {who}."
        elif after.status == "inviting":
            said = f"{name} is invited in place of {who}."
        _print(said, after, as_json=as_json)


@app.command()
def adjudicate(
    game: GameArgument,
    ranking: Annotated[str, typer.Argument(help='All players by place: "Anna, Bob = Carol".')],
    reason: ReasonOption,
    judge: Annotated[
        str | None, typer.Option(help="Address of an admin who does not play in it.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """End a game with a ranking; its secret is opened. Who plays in it does not decide it alone.

    Example: pbem game adjudicate k7q2m3x9ab "Anna, Bob = Carol" --reason "Bob moved away."
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = acts.adjudicate(service, GameId(game), ranking, reason, judge=judge)
        _print("The game is over with that ranking, its secret is open.", after, as_json=as_json)


def _print(words: str, after: Game, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "ok": True,
                "game": after.id,
                "status": after.status,
                "version": after.version,
                "head": after.head,
            }
        )
        return
    out.print(words, markup=False, highlight=False)
    out.print(f"event {after.version}, head {after.head}", soft_wrap=True, highlight=False)

"""`pbem game deadlines|pause|resume|extend|standby|bot` and `pbem health`: time, as an admin sees it."""

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
    counted,
    iso,
    out,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import Game
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.service.admin import clock_acts
from pbem.service.admin.clock_acts import deadlines as listed
from pbem.service.logbook import looking

app = commands()


@app.command()
def deadlines(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List what is due, late or stuck, the seats of bots, and games whose clock stands still.

    Example: pbem game deadlines
    """
    with refusals(as_json=as_json), service_of(config) as service:
        found = listed(service)
    if as_json:
        for due in found:
            print_json(
                {
                    "game": due.game_id,
                    "seat": due.seat,
                    "name": due.name,
                    "due_at": iso(due.due_at),
                    "state": due.state,
                }
            )
        return
    words = {
        "running": "",
        "mail": "stuck: a mail of the player is not handled",
        "unsent": "stuck: the turn mail has not left",
        "given_up": "stuck: the turn mail was given up; it is written anew twice a day",
        "asked": "the admins are asked",
        "waiting": "waits",
    }
    print_table(
        counted(len(found), "deadline"),
        ("game", "seat", "name", "until (UTC)", ""),
        [
            (
                due.game_id,
                "" if due.seat is None else due.seat,
                due.name,
                "" if due.due_at is None else f"{due.due_at:%Y-%m-%d %H:%M}",
                words.get(due.state, due.state),
            )
            for due in found
        ],
    )


@app.command()
def pause(
    game: GameArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Stop the clock of a game; moves may be made all the same.

    Example: pbem game pause k7q2m3x9ab --reason "Bob is in hospital"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = clock_acts.pause(service, GameId(game), reason)
    _say(after, "The clock stands still; the players are told by mail.", as_json=as_json)


@app.command()
def resume(
    game: GameArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let the clock of a game run again, with the time that was left.

    Example: pbem game resume k7q2m3x9ab --reason "Bob is back"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        after = clock_acts.resume(service, GameId(game), reason)
    _say(after, "The clock runs again; the players are told by mail.", as_json=as_json)


@app.command()
def extend(
    game: GameArgument,
    time: Annotated[str, typer.Argument(help="How much more: 2d, 36h.")],
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Return the seats that are to act more time.

    Example: pbem game extend k7q2m3x9ab 2d --reason "the mail server was down"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        try:
            more = parse_duration(time)
        except ValueError as error:
            raise Refusal("time", str(error)) from None
        after = clock_acts.extend(service, GameId(game), more, reason)
    _say(after, "The players are told by mail.", as_json=as_json)


@app.command()
def bot(
    game: GameArgument,
    seat: SeatArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a bot play for a seat until its player writes.

    Example: pbem game bot k7q2m3x9ab Bob --reason "He is at sea"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        number = looking.seat_of(service, GameId(game), seat)
        after = clock_acts.hand_to_bot(service, GameId(game), number, reason)
    _say(after, "A bot plays for that seat; the players are told by mail.", as_json=as_json)


@app.command()
def standby(
    game: GameArgument,
    seat: SeatArgument,
    reason: ReasonOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play cautiously for a seat whose time is over, as a game does that asks nobody.

    Example: pbem game standby k7q2m3x9ab Bob --reason "He has not answered for a week"
    """
    with refusals(as_json=as_json), service_of(config) as service:
        number = looking.seat_of(service, GameId(game), seat)
        after = clock_acts.stand_by(service, GameId(game), number, reason)
    _say(after, "The seat was played for; the players are told by mail.", as_json=as_json)


def _say(game: Game, message: str, *, as_json: bool) -> None:
    due = None if game.deadline is None or game.paused_at else game.deadline.due_at
    if as_json:
        print_json(
            {
                "ok": True,
                "game": game.id,
                "version": game.version,
                "paused": game.paused_at is not None,
                "due_at": iso(due),
            }
        )
        return
    out.print(message)
    if due is not None:
        out.print(f"The deadline is {due:%Y-%m-%d %H:%M} UTC.")

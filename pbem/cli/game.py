"""`pbem game …`: make and look at games."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from pbem.cli import acts, clock
from pbem.cli.common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    RulesetOptions,
    commands,
    counted,
    iso,
    option_value,
    out,
    pair,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.domain.log.chain import GameId
from pbem.domain.terms.timing import to_json, with_words
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.service.core.games import load, shown_names
from pbem.service.lobby import making as lobby
from pbem.service.lobby import new_game

app = commands()


@app.command()
def new(
    ruleset: Annotated[str, typer.Argument(help="Name of the ruleset, e.g. phyliss.")],
    player: Annotated[
        list[str], typer.Option("--player", "-p", help="NAME=ADDRESS, once for each seat in order.")
    ],
    option: RulesetOptions = None,
    time_per_move: Annotated[
        str | None, typer.Option(help="Time per move: 3d, 36h, 90m, 45s (default: config).")
    ] = None,
    clock: Annotated[
        list[str] | None,
        typer.Option("--clock", help="NAME=VALUE of the clock, e.g. bank=2d, falls_at=20; repeat."),
    ] = None,
    anonymous_talk: Annotated[
        bool, typer.Option("--anonymous-talk", help="The players may say things without a name.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Create a game and invite its players by mail.

    Example: pbem game new phyliss -p Anna=anna@example.org -p Bob=bob@example.org -o deals=2
    """
    with refusals(as_json=as_json), service_of(config) as service:
        given = dict(pair(text, "--clock NAME=VALUE") for text in clock or [])
        if time_per_move is not None:
            try:
                parse_duration(time_per_move)
            except ValueError as error:
                raise Refusal("setup", f"--time-per-move: {error}") from None
            given["time_per_move"] = time_per_move
        timing = with_words(service.timing, given)
        created = lobby.create_game(
            service,
            ruleset=ruleset,
            people=[lobby.Person(*pair(text, "--player NAME=ADDRESS")) for text in player],
            options=dict(option_value(text) for text in option or []),
            timing=timing,
            anonymous_talk=anonymous_talk,
        )
        mails, proposal = new_game.expected_mails(created), new_game.shorter(created)
        if as_json:
            print_json(
                {
                    "ok": True,
                    "game": created.id,
                    "commitment": created.commitment,
                    "expected_mails": mails,
                }
            )
        else:
            out.print(f"Game {created.id} is created; {len(created.seats)} invitations are queued.")
            out.print(f"Commitment to the shuffles: {created.commitment}", soft_wrap=True)
            if mails is not None:
                out.print(f"Such a game takes about {mails} mails of all players together.")
            if proposal is not None:
                out.print(
                    f"It is a long one. With -o {proposal.option}={proposal.value} a game takes "
                    f"about {proposal.mails} mails.",
                    soft_wrap=True,
                )


@app.command("list")
def list_games(
    status: Annotated[
        Literal["inviting", "running", "finished", "stopped"] | None,
        typer.Option(help="Only games of this status."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the games.

    Example: pbem game list --status running
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            games = uow.projections.games(status)
        if as_json:
            for row in games:
                print_json(
                    {
                        "game": row.id,
                        "ruleset": f"{row.ruleset}/{row.ruleset_version}",
                        "status": row.status,
                        "version": row.version,
                        "head": row.head,
                        "created_at": row.created_at.isoformat(),
                    }
                )
            return
        print_table(
            counted(len(games), "game"),
            ("game", "ruleset", "status", "events", "created (UTC)"),
            [
                (row.id, row.ruleset, row.status, row.version, f"{row.created_at:%Y-%m-%d %H:%M}")
                for row in games
            ],
        )


@app.command()
def show(
    game: GameArgument,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show seats, whose turn it is and until when; no hidden card.

    Example: pbem game show k7q2m3x9ab
    """
    with refusals(as_json=as_json), service_of(config) as service:
        with service.store.reading() as uow:
            found = load(uow, GameId(game))
            names = shown_names(uow, [seat.player for seat in found.seats])
        due = None if found.deadline is None or found.paused_at else found.deadline.due_at
        # of a secret choice all who choose: who has is not told here (GEN-6)
        asked = [number for number in range(len(names)) if found.may_decide(number)]
        clock = service.renderer.clock(found.timing)
        if as_json:
            print_json(
                {
                    "game": found.id,
                    "ruleset": str(found.ruleset.id),
                    "status": found.status,
                    "options": found.options,
                    "seats": [
                        {
                            "seat": number,
                            "name": name,
                            "status": seat.status,
                            "controller": seat.controller,
                        }
                        for number, (name, seat) in enumerate(zip(names, found.seats, strict=True))
                    ],
                    "to_act": asked,
                    "due_at": iso(due),
                    "paused": found.paused_at is not None,
                    "clock": to_json(found.timing),
                    "version": found.version,
                    "head": found.head,
                }
            )
            return
        print_table(
            f"{found.ruleset.title} {found.id}: {found.status}",
            ("seat", "name", "status", "to act", "until (UTC)"),
            [
                (
                    number,
                    name,
                    seat.status if seat.controller == "person" else "bot",
                    "yes" if number in asked else "",
                    f"{due:%Y-%m-%d %H:%M}" if due and number in asked else "",
                )
                for number, (name, seat) in enumerate(zip(names, found.seats, strict=True))
            ],
        )
        for sentence in clock:
            out.print(sentence, soft_wrap=True, highlight=False)
        if found.paused_at is not None:
            out.print("The clock stands still at present.")
        out.print(f"event {found.version}, head {found.head}", soft_wrap=True, highlight=False)


app.add_typer(acts.app)
app.add_typer(clock.app)

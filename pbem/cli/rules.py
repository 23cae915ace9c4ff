"""`pbem rules`: the rules of the games, for people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from engine import registry, rulebook
from engine.api import AnyRuleset
from engine.errors import SetupError
from engine.rulebook import Terms
from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    RulesetOptions,
    commands,
    option_value,
    print_json,
    print_table,
    refusals,
    service_of,
)
from pbem.errors import Refusal

app = commands()


@app.command()
def rules(
    ruleset: Annotated[
        str | None, typer.Argument(help="Name of a ruleset; without one they are listed.")
    ] = None,
    option: RulesetOptions = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    game: Annotated[
        str | None, typer.Option(help="Id of a game: its ruleset, players and options.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the rules of a game with the options in force, or list the games.

    Example: pbem rules phalanx -o stakes=zones --players 3
    """
    with refusals(as_json=as_json):
        if game is not None:
            if ruleset is not None or option or players is not None:
                raise Refusal("usage", "--game brings its own ruleset, players and options.")
            found, its = _of_game(config, game)
        elif ruleset is None:
            _list(as_json=as_json)
            return
        else:
            try:
                found = _find(ruleset)
                its = rulebook.terms(found, players, dict(map(option_value, option or [])))
            except SetupError as error:
                raise Refusal("ruleset", error.message, rule=error.rule) from error
        _show(found, its, as_json=as_json)


def _list(*, as_json: bool) -> None:

    known = [(r.id.name, r.id.version, r.title, _players(r.players)) for r in registry.latest()]
    if not as_json:
        print_table("The games", ("ruleset", "version", "title", "players"), known)
        return
    for name, version, title, players in known:
        print_json({"ruleset": name, "version": version, "title": title, "players": players})


def _find(ruleset: str) -> AnyRuleset:

    return registry.find(ruleset)


def _of_game(config: Path | None, game_id: str) -> tuple[AnyRuleset, Terms]:
    from engine import rulebook  # noqa: PLC0415
    from pbem.domain.log.chain import GameId  # noqa: PLC0415
    from pbem.service.core import games  # noqa: PLC0415

    with service_of(config) as service, service.store.reading() as uow:
        found = games.load(uow, GameId(game_id))
    return found.ruleset, rulebook.terms(found.ruleset, len(found.seats), found.options)


def _show(found: AnyRuleset, its: Terms, *, as_json: bool) -> None:
    text = found.rules_text(its.players, its.options)
    if as_json:
        options = [
            {"name": o.name, "default": o.default, "allowed": o.allowed, "help": o.help}
            for o in found.options
        ]
        print_json(
            {
                "ruleset": str(found.id),
                "players": its.players,
                "in_force": dict(its.options),
                "text": text,
                "options": options,
            }
        )
        return
    sys.stdout.write(text.rstrip() + "\n\n")
    print_table(
        "Options that a new game can have",
        ("option", "default", "allowed", "what it does"),
        [
            (o.name, "" if o.default is None else o.default, o.allowed, o.help)
            for o in found.options
        ],
    )


def _players(numbers: range) -> str:
    return f"{numbers[0]}-{numbers[-1]}"

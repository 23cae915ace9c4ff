"""`pbem rules` and `pbem games`: the installed games and their rules."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer
from rich.text import Text

from engine import registry, rulebook
from engine.api import AnyRuleset
from engine.errors import SetupError
from engine.rulebook import Terms
from pbem.cli.common import RulesetOptions, option_values
from pbem.cli.frame import Completes, Row, Shown, commands, table
from pbem.errors import Refusal

app = commands()


def complete_ruleset_name(_service: object, given: str | None) -> str | None:
    """Return the name of the only ruleset with this prefix, or else the text itself."""
    found = [name for name in registry.names() if given and name.startswith(given.lower())]
    return found[0] if len(found) == 1 and given not in registry.names() else given


def offered(incomplete: str) -> list[tuple[str, str]]:
    """Return the rulesets with this prefix and their titles, for shell completion."""
    rows = [(rules_.id.name, str(rules_.title)) for rules_ in registry.latest()]
    return [rules_ for rules_ in rows if rules_[0].startswith(incomplete)]


RulesetArgument = Annotated[
    str,
    typer.Argument(help="Name of a ruleset, e.g. phyliss.", autocompletion=offered),
    Completes(complete_ruleset_name),
]


@app.command()
def rules(
    ruleset: Annotated[
        str | None,
        typer.Argument(help="Name of a ruleset (default: list them).", autocompletion=offered),
        Completes(complete_ruleset_name),
    ] = None,
    option: RulesetOptions = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
) -> Shown:
    """Print the rules of a game with the options in force, or list the games as `pbem games` does.

    `pbem game rules` prints the rules of a game that is played here.

    Example: pbem rules phalanx -o stakes=zones --players 3
    """
    if ruleset is None:
        return games()
    try:
        rules_found = registry.find(ruleset)
        return rules_shown(rules_found, rulebook.terms(rules_found, players, option_values(option)))
    except SetupError as error:
        raise Refusal("ruleset", error.message, rule=error.rule) from error


@app.command()
def games() -> Shown:
    """List the games that can be played here, with version, players and package.

    A package that cannot be loaded is listed with the reason. The other games stay available.

    Example: pbem games --json
    """
    own = f"pbem-cards=={metadata.version('pbem-cards')}"
    columns = ("ruleset", "version", "title", "players", "package")
    known = []
    for it in registry.latest():
        package = registry.package_of(it.id.name)
        seats = f"{it.players[0]}-{it.players[-1]}"
        known.append((it.id.name, it.id.version, it.title, seats, package.pin if package else own))
    broken = [one for one in registry.installed() if one.fault]
    rows: list[Row] = [dict(zip(columns, row, strict=True)) for row in known]
    rows += [{"ruleset": one.name, "package": one.pin, "error": one.fault} for one in broken]
    faults = [f"{one.name} of {one.pin} cannot be played: {one.fault}" for one in broken]
    return Shown(rows, table("The games", columns, known), problems=faults)


def rules_shown(ruleset: AnyRuleset, its: Terms) -> Shown:
    """Return the output with a ruleset's rules in force and its options."""
    text = ruleset.rules_text(its.players, its.options)
    return Shown(
        {
            "ruleset": str(ruleset.id),
            "players": its.players,
            "in_force": dict(its.options),
            "text": text,
            "options": [
                {"name": o.name, "default": o.default, "allowed": o.allowed, "help": o.help}
                for o in ruleset.options
            ],
        },
        Text(text.rstrip() + "\n"),
        table(
            "Options that a new game can have",
            ("option", "default", "allowed", "what it does"),
            [(o.name, o.default, o.allowed, o.help) for o in ruleset.options],
        ),
    )

"""`pbem rules`: the rules of the games, for people."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.common import JsonOption, print_json, print_table, refusals
from pbem.errors import Refusal


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command()(rules)


def rules(
    ruleset: Annotated[
        str | None, typer.Argument(help="Name of a ruleset; without one they are listed.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the rules of a game and its options, or list the games.

    Example: pbem rules phyliss
    """
    from engine import registry  # noqa: PLC0415  (keeps --help fast)
    from engine.errors import SetupError  # noqa: PLC0415

    with refusals(as_json=as_json):
        if ruleset is None:
            known = [
                (r.id.name, r.id.version, r.title, _players(r.players)) for r in registry.latest()
            ]
            if as_json:
                for name, version, title, players in known:
                    print_json(
                        {"ruleset": name, "version": version, "title": title, "players": players}
                    )
            else:
                print_table("The games", ("ruleset", "version", "title", "players"), known)
            return
        try:
            found = registry.find(ruleset)
        except SetupError as error:
            raise Refusal("ruleset", error.message, rule=error.rule) from error
        if as_json:
            options = [
                {"name": o.name, "default": o.default, "allowed": o.allowed, "help": o.help}
                for o in found.options
            ]
            print_json({"ruleset": str(found.id), "text": found.rules_text(), "options": options})
            return
        sys.stdout.write(found.rules_text().rstrip() + "\n\n")
        print_table(
            "Options",
            ("option", "default", "allowed", "what it does"),
            [
                (o.name, "" if o.default is None else o.default, o.allowed, o.help)
                for o in found.options
            ],
        )


def _players(numbers: range) -> str:
    return f"{numbers[0]}-{numbers[-1]}"

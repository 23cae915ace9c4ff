"""`pbem demo`: a whole game by mail on this machine."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from pbem.cli.common import RulesetOptions
from pbem.cli.frame import JsonOption, Shown, commands
from pbem.demo import play as stage
from pbem.errors import Refusal
from pbem.games import EXAMPLE

app = commands()


@app.command()
def demo(
    players: Annotated[int, typer.Option(min=2, max=5, help="Number of players.")] = 3,
    play: Annotated[
        bool, typer.Option("--play", help="Play as the first player, in a browser window.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Use only the terminal, without a browser window.")
    ] = False,
    ruleset: Annotated[str, typer.Option("--game", help="Game to play, e.g. phyliss.")] = EXAMPLE,
    option: RulesetOptions = None,
    as_json: JsonOption = False,
) -> Shown | None:
    """Play a whole game by mail on this machine, then verify it.

    The service and SMTP on loopback are real. At a terminal it also shows everyone's messages in a
    browser window on this machine.

    Example: pbem demo --play
    """
    if play and watch:
        raise Refusal("usage", "--play and --watch: one or the other")
    if ruleset not in stage.rulesets():
        raise Refusal("usage", f"--game {ruleset}: one of {', '.join(stage.rulesets())}")
    shown = stage.Show.TERMINAL
    if play:
        shown = stage.Show.VISITOR
    elif not watch and not as_json and _is_watched():
        shown = stage.Show.WINDOW
    plan = stage.DemoPlan(players, ruleset, tuple(option or ()), shown)
    verified = stage.run(plan, as_json=as_json)
    return None if verified is None else Shown(verified)


def _is_watched() -> bool:
    """True if a person is at this terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not os.environ.get("CI")

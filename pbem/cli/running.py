"""`pbem serve`, `demo`: running the service."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Annotated

import typer

from pbem import bootstrap
from pbem.cli.common import (
    ConfigOption,
    JsonOption,
    RulesetOptions,
    commands,
    err,
    print_json,
    read_config,
    refusals,
)
from pbem.demo import play as stage
from pbem.errors import ConfigError, Refusal
from pbem.games import EXAMPLE

app = commands()


@app.command()
def serve(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Run the service: take mails in, decide, send, watch the deadlines; SIGTERM ends it.

    Example: pbem serve --config pbem.toml
    """

    def ready(port: int | None) -> None:
        if as_json:
            print_json({"ready": True, "port": port})
        else:
            err.print("ready" if port is None else f"ready, listening on port {port}")

    with refusals(as_json=as_json):
        try:
            asyncio.run(bootstrap.serve(read_config(config, quiet=False), on_ready=ready))
        except OSError as error:
            raise ConfigError(str(error)) from None
        except ExceptionGroup as group:
            raise group.exceptions[0] from None


@app.command()
def demo(
    players: Annotated[int, typer.Option(min=2, max=5, help="Correspondents at the table.")] = 3,
    play: Annotated[
        bool, typer.Option("--play", help="Be the first of them, in a window of your browser.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="In the terminal only, without a window.")
    ] = False,
    ruleset: Annotated[str, typer.Option("--game", help="What is played, e.g. phyliss.")] = EXAMPLE,
    option: RulesetOptions = None,
    as_json: JsonOption = False,
) -> None:
    """Play a whole game by mail on this machine: real service, real SMTP on loopback, then verify it.

    At a terminal it also opens a window for a browser on this machine, with everybody's mails.
    Example: pbem demo --play
    """
    with refusals(as_json=as_json):
        if play and watch:
            raise Refusal("usage", "--play and --watch: one or the other")
        if ruleset not in stage.rulesets():
            raise Refusal("usage", f"--game {ruleset}: one of {', '.join(stage.rulesets())}")
        if play and not stage.has_window():
            raise Refusal("extra", _NO_WINDOW)
        shown = stage.Show.TERMINAL
        if play:
            shown = stage.Show.VISITOR
        elif not watch and not as_json and _is_watched() and stage.has_window():
            shown = stage.Show.WINDOW
        plan = stage.DemoPlan(players, ruleset, tuple(option or ()), shown)
        raise typer.Exit(stage.run(plan, as_json=as_json))


_NO_WINDOW = (
    "the window needs Starlette and uvicorn, the extra `web`: pip install 'starlette<2' 'uvicorn<1'"
    " in the environment of pbem (with pipx: pipx inject pbem-cards 'starlette<2' 'uvicorn<1')"
)


def _is_watched() -> bool:
    """Whether a person sits at this terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not os.environ.get("CI")

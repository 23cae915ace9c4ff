"""The root of the command line, `pbem`, which imports commands on demand."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module, metadata
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException
from typer.main import get_command

from pbem.cli.help import Group

HEADINGS = {
    "Set up and run": {
        "init": (
            "init",
            "Write a configuration and a key, and make the database; asks at a terminal.",
        ),
        "serve": ("running", "Run the service: receive mails, decide, send, watch deadlines."),
        "doctor": ("doctor", "Check configuration, files, database, disk, clock and mail."),
        "health": ("doctor", "Report whether the service is healthy; exit 0 if it is, 1 if not."),
        "demo": ("demo", "Play a whole game by mail on this machine."),
    },
    "Games": {
        "game": ("game", "Create, inspect and change games."),
        "league": ("league", "Leagues: rounds of games, and a winner."),
        "ladder": ("ladder", "The ladder of a game, and its challenges."),
        "games": ("rules", "List the games that can be played here, and where they come from."),
        "rules": ("rules", "Print the rules of a game, or list the games."),
        "pages": ("pages", "Pages of the games, for browsers and web servers."),
        "simulate": ("simulate", "Let bots play many games and compare their levels."),
    },
    "What happened in a game": {
        "replay": ("replay", "Replay a game from its log."),
        "diff": ("replay", "Show what changed on the table between two moves."),
        "audit": ("audit", "Show every event with its actor, cause and mails."),
        "verify": ("log", "Check a log."),
        "export": ("log", "Write a game as a file that anybody can verify."),
        "import": ("log", "Import a finished game of another installation."),
        "dispute": ("dispute", "Disputes: complaints and decisions."),
    },
    "People and mails": {
        "player": ("player", "Players."),
        "stats": ("stats", "List ratings, punctuality and head-to-head results."),
        "mail": ("mail", "Incoming and outgoing mails."),
        "receive": ("receiving", "Take one raw mail from stdin, as a mail server pipes it."),
    },
    "What is stored": {
        "db": ("db", "The database: schema, backups, projections."),
        "key": ("key", "The keys that seal secrets in the database."),
    },
}
"""Contents of `pbem --help`: headings with their commands, each with its module and help line."""
COMMANDS = {name: row for rows in HEADINGS.values() for name, row in rows.items()}
APART = {"game list": "listing", "player list": "listing"}
"""Modules of commands that need much less than the rest of their group."""


_MODULES = {name: module for name, (module, _) in COMMANDS.items()} | APART


@cache
def _load(name: str) -> Any:  # noqa: ANN401  (typer does not export the type)
    """Import the module of a command and return the command."""
    # Modules stay loaded. Garbage collection of them would take a third of a short command's time.
    gc.disable()
    loaded: Any = get_command(import_module(f"pbem.cli.{_MODULES[name]}").app)
    gc.freeze()
    gc.enable()
    loaded = getattr(loaded, "commands", {}).get(name, loaded)
    loaded.name = name
    if name in COMMANDS:
        loaded.short_help = COMMANDS[name][1]
        loaded.help = loaded.help or loaded.short_help
    return loaded


class _Root(Group):
    """The root group.

    It lists commands without importing them, and imports only the invoked command.
    """

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  (as typer hands them on)
        super().__init__(**attributes)
        for heading, rows in HEADINGS.items():
            for name, (_, line) in rows.items():
                self.add_command(TyperCommand(name, short_help=line, rich_help_panel=heading))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401
        """Import and return a command, or None for an unknown name."""
        del ctx
        return _load(cmd_name) if cmd_name in _MODULES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Find a command. Commands in `APART` are found without importing their group."""
        name = " ".join(args[:2])
        if name not in APART:
            return super().resolve_command(ctx, args)
        return name, _load(name), args[2:]

    def main(self, args: Sequence[str] | None = None, *more: Any, **settings: Any) -> NoReturn:  # noqa: ANN401
        """Run a command line and exit."""
        args = sys.argv[1:] if args is None else list(args)
        settings["standalone_mode"] = False
        try:
            code = super().main(args, *more, **settings)
        except TyperException as error:
            _report(error, as_json="--json" in args)
            code = error.exit_code
        except typer.Abort:
            typer.echo("Aborted!", err=True)
            code = 1
        sys.exit(code)


def _report(error: TyperException, *, as_json: bool) -> None:
    """Print a usage error, or the help of a group that was called without a command."""
    if type(error).__name__ == "NoArgsIsHelpError":  # typer does not export it
        typer.echo(error.format_message())
        return
    # Imported on demand, as it imports rich, which `pbem --help` does not need.
    report_error = import_module("pbem.cli.common").report_error
    context = getattr(error, "ctx", None)
    report_error(
        " ".join(error.format_message().split()),
        as_json=as_json,
        usage=context.get_usage() if context else "",
        helpful_command=f"{context.command_path if context else 'pbem'} --help",
    )


app = typer.Typer(
    name="pbem",
    cls=_Root,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"pbem {metadata.version('pbem-cards')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Card games by e-mail: players reply to turn messages with their moves."""


USAGE, EX_TEMPFAIL = 2, 75
"""Exit codes of a usage error and of a temporary failure, as in sysexits(3)."""


def main() -> None:
    """Run the command line.

    A usage error in a mail server's pipe must not bounce messages, so `receive` reports a temporary
    failure.
    """
    try:
        app()
    except SystemExit as ended:
        if ended.code == USAGE and get_close_matches("receive", sys.argv[1:]):
            sys.exit(EX_TEMPFAIL)
        raise


if __name__ == "__main__":
    main()

"""`pbem`: the root of the command line, which imports a command on demand."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, MutableMapping
from difflib import get_close_matches
from importlib import import_module, metadata
from typing import Annotated, Any

import typer
from typer.main import get_command

from pbem.cli.help import Click, Group, mistakes

HEADINGS = {
    "Set up and run": {
        "init": (
            "init",
            "Write a configuration and a key, and make the database; asks at a terminal.",
        ),
        "serve": ("running", "Run the service: take mails in, decide, send, watch the deadlines."),
        "doctor": ("doctor", "Check configuration, files, database, disk, clock and mail."),
        "health": ("doctor", "Say whether all is well; exit 0 if it is, 1 if not."),
        "demo": ("demo", "Play a whole game by mail on this machine."),
    },
    "Games": {
        "game": ("game", "Make games, look at them, and step in."),
        "league": ("league", "Leagues: rounds of games, and a winner."),
        "ladder": ("ladder", "The ladder of a game, and its challenges."),
        "games": ("rules", "List the games that can be played here, and where they come from."),
        "rules": ("rules", "Print the rules of a game, or list the games."),
        "pages": ("pages", "Static pages of the games, for any web server."),
        "simulate": ("simulate", "Let bots play many games and compare their levels."),
    },
    "What happened in a game": {
        "replay": ("replay", "Replay a game from its log."),
        "diff": ("replay", "Show what changed on the table between two moves."),
        "audit": ("audit", "Show every event with its actor, cause and mails."),
        "verify": ("log", "Check a log."),
        "export": ("log", "Write a game as a file that anybody can verify."),
        "import": ("log", "Take in a finished game of another installation."),
        "dispute": ("dispute", "Disputes: what went wrong, and what was decided."),
    },
    "People and mails": {
        "player": ("player", "The people who play."),
        "stats": ("stats", "List ratings, punctuality and head-to-head results."),
        "mail": ("mail", "Mails that came in and that go out."),
        "receive": ("receiving", "Take one raw mail from stdin, as a mail server pipes it."),
    },
    "What is stored": {
        "db": ("db", "The database: schema, backups, projections."),
        "key": ("key", "The keys that seal secrets in the database."),
    },
}
"""What `pbem --help` lists: under its heading each command or group, its module in `pbem.cli`, its line."""
COMMANDS = {name: row for rows in HEADINGS.values() for name, row in rows.items()}
APART = {"game list": "listing", "player list": "listing"}
"""Commands of groups that need much less than the rest of their group: their module."""


class _Commands(MutableMapping[str, Any]):
    """The commands by name; a look-up imports the command's module."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  (typer does not show click's classes)
        if name not in self._found:
            module, line = COMMANDS[name] if name in COMMANDS else (APART[name], None)
            # What modules bring stays; searching it for garbage is a third of a short command's time.
            gc.disable()
            found: Any = get_command(import_module(f"pbem.cli.{module}").app)
            gc.freeze()
            gc.enable()
            found = getattr(found, "commands", {}).get(name, found)
            found.name, found.short_help = name, line
            found.help = found.help or line
            self._found[name] = found
        return self._found[name]

    def __setitem__(self, name: str, command: object) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Root(Group):
    """The root; its own help imports no command."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  (as typer hands them on)
        super().__init__(**attributes)
        self.commands = _Commands()

    def headings(self, ctx: Click) -> dict[str, list[tuple[str, str]]]:
        """Return the table."""
        del ctx
        return {
            heading: [(name, line) for name, (_, line) in rows.items()]
            for heading, rows in HEADINGS.items()
        }

    def resolve_command(self, ctx: Click, args: list[str]) -> tuple[str | None, Click, list[str]]:
        """Find a command; one that stands apart is found without the module of its group."""
        name = " ".join(args[:2])
        if name not in APART:
            return super().resolve_command(ctx, args)
        return name, self.commands[name], args[2:]

    def make_context(
        self, info_name: str | None, args: list[str], parent: Click = None, **more: Click
    ) -> Click:
        """Read the options before the command."""
        with mistakes(args):
            return super().make_context(info_name, args, parent, **more)

    def invoke(self, ctx: Click) -> Click:
        """Run the command."""
        with mistakes([*ctx._protected_args, *ctx.args]):
            return super().invoke(ctx)


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
    """Card games by e-mail: players reply to turn mails with their moves."""


USAGE, EX_TEMPFAIL = 2, 75
"""Exit codes: a mistake in the command line; sysexits(3) for "later"."""


def main() -> None:
    """Run the command line.

    A mistake in a mail server's line must not send mails back to their writers: they wait.
    """
    try:
        app()
    except SystemExit as ended:
        if ended.code == USAGE and get_close_matches("receive", sys.argv[1:]):
            sys.exit(EX_TEMPFAIL)
        raise


if __name__ == "__main__":
    main()

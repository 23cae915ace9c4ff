"""How help reads, and the answer to a mistake in a command line.

Help is never cut off: each command has one whole sentence in the list of its group, lists have
headings, examples stand on lines of their own that can be copied. This module imports typer only,
so that `pbem --help` comes at once.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from pbem.plain import printable

Click: TypeAlias = Any
"""A context or formatter of click, whose classes typer keeps to itself."""

_EXAMPLE = re.compile(r"^Examples?: *", re.MULTILINE)


def first_sentence(text: str | None) -> str:
    """Return the first paragraph of a help text, on one line."""
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def parts(text: str | None) -> tuple[str, list[str]]:
    """Split a help text into its paragraphs and the lines of its examples."""
    said, *examples = _EXAMPLE.split(inspect.cleandoc(text or ""))
    lines = [line.strip() for part in examples for line in part.splitlines()]
    return said.strip(), [line for line in lines if line]


class Command(TyperCommand):
    """A command whose help is whole."""

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence, however long it is."""
        del limit
        return first_sentence(self.short_help or self.help)

    def format_help_text(self, ctx: Click, formatter: Click) -> None:
        """Print what it does."""
        del ctx
        said, _ = parts(self.help)
        formatter.write_paragraph()
        formatter.write_text(said)

    def format_epilog(self, ctx: Click, formatter: Click) -> None:
        """Print the examples, unwrapped."""
        del ctx
        _, examples = parts(self.help)
        if examples:
            with formatter.section("Example" if len(examples) == 1 else "Examples"):
                formatter.write("".join(f"  {line}\n" for line in examples))


class Group(TyperGroup):
    """A group that lists its commands under headings: each command's `rich_help_panel`."""

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence, however long it is."""
        del limit
        return first_sentence(self.short_help or self.help)

    def headings(self, ctx: Click) -> dict[str, list[tuple[str, str]]]:
        """Return names and sentences of the commands by heading, in order."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            heading = command.rich_help_panel
            heading = heading if isinstance(heading, str) else "Commands"
            found.setdefault(heading, []).append((name, command.get_short_help_str()))
        return found

    def format_help_text(self, ctx: Click, formatter: Click) -> None:
        """Print what it is about."""
        del ctx
        formatter.write_paragraph()
        formatter.write_text(parts(self.help)[0])

    def format_options(self, ctx: Click, formatter: Click) -> None:
        """Print the commands, and below them the options."""
        self.format_commands(ctx, formatter)
        TyperCommand.format_options(self, ctx, formatter)  # type: ignore[arg-type]

    def format_commands(self, ctx: Click, formatter: Click) -> None:
        """Print the commands."""
        headings = self.headings(ctx)
        widest = max(len(name) for rows in headings.values() for name, _ in rows)
        for heading, rows in headings.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), line) for name, line in rows])


# --- mistakes -------------------------------------------------------------------------------------


@contextmanager
def mistakes(args: Sequence[str]) -> Iterator[None]:
    """Answer a mistake in a command line, and exit with 2; with --json among its words as JSON."""
    try:
        yield
    except TyperException as error:
        of: Click = getattr(error, "ctx", None)
        text = " ".join(error.format_message().split())
        further = f"{of.command_path if of else 'pbem'} --help"
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message())
        elif "--json" in args:
            told = {"ok": False, "error": text, "rule": None, "next": further}
            sys.stdout.write(json.dumps(told) + "\n")
        else:
            usage = f"\n{of.get_usage()}" if of else ""
            typer.echo(f"{prefix('error')} {printable(text)}{usage}\nnext:  {further}", err=True)
        raise typer.Exit(error.exit_code) from None


def prefix(kind: str) -> str:
    """Return `error:` or `warning:`, in colour where a terminal wants it."""
    if os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return f"{kind}:"
    return typer.style(f"{kind}:", fg="red" if kind == "error" else "yellow", bold=True)

"""How help reads, and the answer to a mistake in a command line.

Each command has a whole sentence in the list of its group, and lists have headings. This module
imports typer only, so that `pbem --help` comes at once.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from pbem.plain import printable

_EXAMPLE = re.compile(r"\n*^(?=Examples?: )", re.MULTILINE)


def texts(docstring: str | None) -> dict[str, Any]:
    """Split a docstring into the texts of a command, as `Typer.command` takes them.

    The `short_help` is the first paragraph on one line, the `epilog` the examples, which can be copied.
    """
    text, *examples = _EXAMPLE.split(inspect.cleandoc(docstring or ""), maxsplit=1)
    lines = "".join(examples).replace(": ", ":\n").splitlines()
    return {
        "help": text,
        "short_help": " ".join(text.split("\n\n")[0].split()),
        "epilog": "\n  ".join(["\b", *map(str.strip, lines)]).replace("  Example", "Example", 1),
    }


class Group(TyperGroup):
    """A group that lists its commands under headings: each command's `rich_help_panel`."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer does not export their types)
        """Print names and sentences of the commands by heading, in order."""
        del ctx
        headings: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands))
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None)
            rows = headings.setdefault(panel if isinstance(panel, str) else "Commands", [])
            rows.append((name.ljust(width), command.get_short_help_str()))
        for heading, rows in headings.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def answer(error: TyperException, args: Sequence[str]) -> int:
    """Answer a mistake in a command line and return the exit code; as JSON if `--json` is in it."""
    context = getattr(error, "ctx", None)
    text = " ".join(error.format_message().split())
    further = f"{context.command_path if context else 'pbem'} --help"
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message())
    elif "--json" in args:
        typer.echo(json.dumps({"ok": False, "error": text, "rule": None, "next": further}))
    else:
        usage = f"\n{context.get_usage()}" if context else ""
        typer.echo(f"{_error()} {printable(text)}{usage}\nnext:  {further}", err=True)
    return error.exit_code


def _error() -> str:
    """Return `error:`, in colour where a terminal wants it."""
    if os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return "error:"
    return typer.style("error:", fg="red", bold=True)

"""Formatting of the commands' help.

The list of a group has headings, and a whole sentence for each command. This module imports only
typer, so that `pbem --help` is fast.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from typer.core import TyperGroup

_EXAMPLE = re.compile(r"\n*^(?=Examples?: )", re.MULTILINE)


def texts(docstring: str | None) -> dict[str, Any]:
    """Split a command's docstring into arguments of `Typer.command`.

    The `short_help` is the first paragraph as a single line. The `epilog` contains the examples,
    formatted so that they can be copied.
    """
    text, *examples = _EXAMPLE.split(inspect.cleandoc(docstring or ""), maxsplit=1)
    lines = "".join(examples).replace(": ", ":\n").splitlines()
    return {
        "help": text,
        "short_help": " ".join(text.split("\n\n")[0].split()),
        "epilog": "\n  ".join(["\b", *map(str.strip, lines)]).replace("  Example", "Example", 1),
    }


class Group(TyperGroup):
    """A group that lists its commands under headings, their `rich_help_panel`."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer does not export their types)
        """Print names and help lines of the commands by heading, in order."""
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

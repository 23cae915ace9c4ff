"""Generate the manual page `pbem.1` from the help of the commands, in the format of man(7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command
from typer.models import Context

from pbem.cli.app import HEADINGS, app

_END = r"""
.SH EXIT STATUS
0: done. 1: refused or failed, with a message. 2: a mistake in the command line.
.B pbem receive
has the codes of sysexits(3).
.SH ENVIRONMENT
.TP
.B PBEM_CONFIG
The configuration file.
.TP
.B PBEM_SECTION__KEY
A key of the configuration, such as PBEM_SMTP__HOST. It overrides the file.
.TP
.B PAGER
Pager for output that is longer than the terminal (default: less(1)).
.TP
.B NO_COLOR
Disables colours if set.
.SH FILES
.TP
.I ./pbem.toml, /etc/pbem/pbem.toml
Default configuration.
.SH SEE ALSO
README, docs/install.md, docs/admin.md and docs/runbook.md of the source.
"""


def manual() -> str:
    """Return the text of the manual page."""
    root: Any = get_command(app)
    lines = [r".\" Generated from the code by `make references`."]
    lines += [
        '.TH PBEM 1 "" pbem "Card games by mail"',
        ".SH NAME",
        r"pbem \- card games by e-mail",
    ]
    lines += [".SH SYNOPSIS", ".B pbem", r"[\fB\-\-version\fR] \fICOMMAND\fR [\fIARGS\fR]..."]
    lines += [".SH DESCRIPTION", *_paragraphs(root.help)]
    lines += [r"Each command has \fB\-\-help\fR and \fB\-\-json\fR."]
    for heading, rows in HEADINGS.items():
        lines.append(f".SH {heading.upper()}")
        for name in rows:
            lines += _command(root.get_command(Context(root), name), f"pbem {name}", Context(root))
    return "\n".join(lines) + _END


def _command(command: Any, name: str, above: Context) -> Iterator[str]:  # click's
    context = Context(command, info_name=name.rpartition(" ")[2], parent=above)
    below = getattr(command, "commands", {})
    if below:
        for one in command.list_commands(context):
            yield from _command(below[one], f"{name} {one}", context)
        return
    arguments = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    yield f".SS {_escaped(' '.join([name, *arguments]))}"
    yield from _paragraphs(command.help)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[0] not in ("--help", "--json"):
            yield from (".TP", f".B {_escaped(record[0])}", _line(record[1]))
    _, heading, *examples = command.epilog.splitlines()
    if examples:
        yield from (".PP", heading, ".PP", ".nf", *map(_line, examples), ".fi")


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield _line(" ".join(paragraph.split()))


def _line(text: str) -> str:
    """Escape a line of text, so that troff does not take its first character for a request."""
    escaped = _escaped(" ".join(text.split()))
    return rf"\&{escaped}" if escaped[:1] in (".", "'") else escaped


def _escaped(text: str) -> str:
    return re.sub(r"[-\\]", lambda found: {"-": r"\-", "\\": r"\e"}[found[0]], text)

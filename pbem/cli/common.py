"""What all commands share: options, output for people and for machines, exit codes.

Exit codes: 0 done, 1 refused, 2 usage. Tables and texts go to stdout, messages to stderr.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.errors import PbemError, Refusal

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.service.core.context import Service

REFUSED = 1

_NAMING = ("game", "player", "id", "key")
"""Columns whose cells are typed or copied into the next command."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class _Screen(Console):
    """A terminal that texts out of files and mails do not command."""

    def render_str(self, text: str, **styles: Any) -> Text:  # noqa: ANN401  (as rich takes them)
        """Render a text without the characters that control terminals."""
        return super().render_str(_CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text), **styles)


out = _Screen(markup=False)
err = _Screen(stderr=True, markup=False)

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Configuration file (default: $PBEM_CONFIG, ./pbem.toml)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
GameArgument = Annotated[str, typer.Argument(help="Id of the game.")]
SeatArgument = Annotated[str, typer.Argument(help="Seat (0 is the first) or name of the player.")]
ReasonOption = Annotated[str, typer.Option(help="Why; every player reads it.")]
RulesetOptions = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE of the ruleset; repeat.")
]
PassphraseOption = Annotated[
    Path | None,
    typer.Option("--passphrase-file", help="File with the passphrase; without it you are asked."),
]


def commands() -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_show_locals=False,
        rich_markup_mode=None,
    )


def read_config(path: Path | None, *, quiet: bool = True, may_lack_secrets: bool = False) -> Config:
    """Load the configuration and set up logging; `quiet` = warnings only, for short commands."""
    from pbem import logs  # noqa: PLC0415  (keeps --help fast)
    from pbem.config import load_config  # noqa: PLC0415

    config = load_config(path, os.environ, may_lack_secrets=may_lack_secrets)
    level = config.log.level
    logs.configure("warning" if quiet and level == "info" else level, as_json=config.log.as_json)
    return config


@contextmanager
def service_of(path: Path | None) -> Iterator[Service]:
    """Build the service and close its database at the end."""
    from pbem.bootstrap import build_service  # noqa: PLC0415  (imports the database)

    service = replace(build_service(read_config(path)), notice=complain)
    service.store.announces = True
    try:
        yield service
    finally:
        service.store.close()


@contextmanager
def refusals(*, as_json: bool) -> Iterator[None]:
    """Print what goes wrong on purpose, and exit with 1."""
    try:
        yield
    except PbemError as error:
        rule = error.rule if isinstance(error, Refusal) else None
        if as_json:
            print_json({"ok": False, "error": str(error), "rule": rule})
        else:
            prefix = f"{rule}: " if rule else ""
            complain(f"{prefix}{error}")
        raise typer.Exit(REFUSED) from None


def kilobytes(mail: bytes) -> int:
    """Return the size of a mail, rounded up: to the byte it would tell a 10 from a K, which is hidden."""
    return -(-len(mail) // 1000)


def complain(message: str) -> None:
    """Print what went wrong; never wrapped, so that a path in it can be copied."""
    err.print(message, style="red", markup=False, highlight=False, soft_wrap=True)


def is_wanted(question: str) -> bool:
    """Ask at a terminal before what cannot be taken back; who is at none has said so by the command."""
    return not sys.stdin.isatty() or typer.confirm(question, err=True)


def ask_passphrase(file: Path | None, *, is_new: bool) -> str:
    """Read a passphrase from a file, or ask for it at a terminal. Raises: Refusal."""
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise Refusal("file", f"{file}: cannot be read") from None
    if not sys.stdin.isatty():
        raise Refusal("passphrase", "--passphrase-file: missing: the file with the passphrase")
    return str(
        typer.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new, err=True)
    ).strip()


def read_bytes(file: Path) -> bytes:
    """Read a whole file. Raises: Refusal."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def require_free(file: Path) -> None:
    """Refuse a name under which no new file can be, before anything is done. Raises: Refusal."""
    if file.exists():
        raise Refusal("file", f"{file} exists already; nothing was overwritten.")
    require_folder(file)


def require_folder(file: Path) -> None:
    """Refuse a name in a folder that is not there or not ours to write in. Raises: Refusal."""
    if not os.access(file.absolute().parent, os.W_OK):
        raise Refusal("file", f"{file}: its folder is not there, or cannot be written.")


def write_private(file: Path, data: bytes) -> None:
    """Write a new file that nobody else may read. Raises: Refusal."""
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def say(text: str) -> None:
    """Print words of which some come from players: a line that keeps its indent, and nothing else."""
    from pbem.mail_out.texts import clean  # noqa: PLC0415  (keeps --help fast)

    indent = text[: len(text) - len(text.lstrip())]
    out.print(Text(indent + clean(text)), soft_wrap=True)


def progress(what: str, units: str) -> Callable[[int], None]:
    """Return a callback that shows how many units (`games`) are done, on a terminal only."""
    if not err.is_terminal:
        return lambda _done: None
    status = err.status(f"{what} …")
    status.start()
    return lambda done: status.update(f"{what}: {done} {units}")


def iso(at: datetime | None) -> str | None:
    """Write an instant for machines; None stays None."""
    return None if at is None else at.isoformat()


def print_json(data: Any) -> None:  # noqa: ANN401  (anything that JSON can say)
    """Print one JSON value on one line."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def counted(count: int, one: str) -> str:
    """Say `1 game`, `2 games`."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        # on a narrow terminal nothing is cut off, and what names a row stays whole
        table.add_column(column, overflow="fold", no_wrap=column in _NAMING)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else str(cell) for cell in row))
    out.print(table)


def pair(text: str, form: str) -> tuple[str, str]:
    """Read NAME=VALUE; `form` says how it should look. Raises: Refusal."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise Refusal("setup", f"{text!r} is not of the form {form}")
    return name.strip(), value.strip()


def option_value(text: str) -> tuple[str, bool | int | str | list[int]]:
    """Read NAME=VALUE; numbers, true, false and lists are JSON, anything else is a word.

    Raises: Refusal.
    """
    name, value = pair(text, "--option NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value

"""Wrapper of every command: parses options, prints a `Shown`, sets the exit code.

A command is a function that takes options and returns a `Shown`. The wrapper adds `--config` and
`--json`, opens and closes the command's resources, prints the output, and prints a PbemError as a
message. Exit codes: 0 success, 1 refused, 2 usage error. Output goes to stdout, errors to stderr.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, NewType, TypeAlias, TypeVar, get_type_hints

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pbem.cli.common import complain, out, paged, print_json, report_error, say, waiting
from pbem.cli.help import Group, texts
from pbem.errors import LogError, PbemError, Refusal, UnknownStreamError

REFUSED = 1

_NAMING = ("game", "player", "id", "key")
"""Columns with values for the next command. They are not wrapped, so that they can be copied."""

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Configuration file (default: $PBEM_CONFIG, ./pbem.toml)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Row: TypeAlias = dict[str, Any]
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Opens:
    """Marks a parameter as a resource instead of an option. The wrapper opens and closes it.

    Attributes:
        open: takes the configuration file given by `--config`.
    """

    open: Callable[[Path | None], AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Completes:
    """Marks an argument that may be abbreviated. The wrapper completes it.

    Attributes:
        complete: takes the command's opened `service`, if any, and the given text.
    """

    complete: Callable[[Any, Any], str | None]


class Shown:
    """The output of a command.

    Attributes:
        data: for `--json`: a value, or a list of values, each of which is printed on a separate
            line.
        words: output for people: lines, which may contain players' text, and tables from `table`.
        problems: lines for people on stderr.
        code: the exit code.
    """

    def __init__(
        self,
        data: Row | list[Row],
        *words: RenderableType,
        problems: Iterable[str] = (),
        code: int = 0,
    ) -> None:
        self.data, self.words, self.problems, self.code = data, words, problems, code


class Commands(typer.Typer):
    """A group of wrapped commands."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[_Function], _Function]:  # noqa: ANN401  (as typer takes them)
        """Add a function as a command, by default under the function's name."""
        add = super().command

        def added(function: _Function) -> _Function:
            add(name, **texts(function.__doc__), **settings)(framed(function))
            return function

        return added


def commands() -> Commands:
    """Return an empty command group."""
    return Commands(
        cls=Group,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_show_locals=False,
        rich_markup_mode=None,
    )


def framed(function: Callable[..., Shown | None]) -> Callable[..., None]:
    """Wrap a command.

    A parameter marked with `Opens` is opened. A parameter with a dataclass type adds an option for
    each field. A command that needs `config` or `as_json` itself declares it.
    """
    own = inspect.signature(function, eval_str=True).parameters
    opens: dict[str, Opens] = {}
    completes: dict[str, Completes] = {}
    groups: dict[str, type] = {}
    options: dict[str, Parameter] = {}
    for name, parameter in own.items():
        kind = parameter.annotation
        marks = getattr(kind, "__metadata__", ())
        opener = next((mark for mark in marks if isinstance(mark, Opens)), None)
        completer = next((mark for mark in marks if isinstance(mark, Completes)), None)
        if completer is not None:
            completes[name] = completer
        if opener is not None:
            opens[name] = opener
        elif isinstance(kind, type) and is_dataclass(kind):
            groups[name] = kind
            options |= {option.name: option for option in _fields_of(kind)}
        else:
            options[name] = _option(name, kind, parameter.default)
    if opens:
        options.setdefault("config", _option("config", ConfigOption, None))
    options["as_json"] = _option("as_json", JsonOption, False)

    @wraps(function)
    def run(**given: Any) -> None:  # noqa: ANN401  (as typer hands them on)
        context = given.get("context")
        if context is not None and context.invoked_subcommand is not None:
            return
        as_json, path = given["as_json"], given.get("config")
        wanted = {name: given[name] for name in own if name in given}
        for name, kind in groups.items():
            wanted[name] = kind(**{field.name: given[field.name] for field in fields(kind)})
        with refusals(as_json=as_json), ExitStack() as stack:
            if opens:
                waiting.begin("working …")
            for name, opener in opens.items():
                wanted[name] = stack.enter_context(opener.open(path))
            for name, mark in completes.items():
                wanted[name] = mark.complete(wanted.get("service"), wanted[name])
            shown = function(**wanted)
            waiting.end()
            if shown is not None:
                show(shown, as_json=as_json)
        if shown is not None and shown.code:
            raise typer.Exit(shown.code)

    run.__signature__ = Signature(list(options.values()))  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options.values()}
    return run


def _option(name: str, kind: object, default: object) -> Parameter:
    base = getattr(kind, "__origin__", None)
    if isinstance(base, NewType):  # typer needs the underlying type
        kind = Annotated[base.__supertype__, *getattr(kind, "__metadata__", ())]
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _fields_of(kind: type) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        default = Parameter.empty if field.default is MISSING else field.default
        yield _option(field.name, hints[field.name], default)


_NEXT = {
    "unknown-player": "pbem player list",
    "unknown-mail": "pbem mail outbox list",
    "not-shunted": "pbem mail shunted list",
    "dispute": "pbem dispute list --all",
    "ruleset": "pbem games",
}
"""The command that lists the existing items, by refusal code."""


@contextmanager
def refusals(*, as_json: bool) -> Iterator[None]:
    """Print expected errors with a helpful command, and exit with 1."""
    try:
        yield
    except PbemError as error:
        waiting.end()
        rule = error.rule if isinstance(error, Refusal) else None
        helpful_command = _NEXT.get(error.code, "") if isinstance(error, Refusal) else ""
        if isinstance(error, UnknownStreamError):
            helpful_command = "pbem game list"
        details: Row = {"event": error.version} if isinstance(error, LogError) else {}
        report_error(
            str(error), as_json=as_json, rule=rule, helpful_command=helpful_command, **details
        )
        raise typer.Exit(REFUSED) from None
    finally:
        waiting.end()


def show(shown: Shown, *, as_json: bool) -> None:
    """Print the output of a command."""
    if as_json:
        for value in shown.data if isinstance(shown.data, list) else [shown.data]:
            print_json(value)
        return
    with paged():
        for words in shown.words:
            if isinstance(words, str):
                say(words)
            else:
                out.print(words, soft_wrap=isinstance(words, Text))
    for problem in shown.problems:
        complain(problem, "error" if shown.code else "warning")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Build a table for people. None is an empty cell."""
    result = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        # on a narrow terminal no text is cut off, and IDs stay on one line
        result.add_column(column, overflow="fold", no_wrap=column in _NAMING)
    for row in rows:
        result.add_row(
            *(cell if isinstance(cell, Text) else "" if cell is None else str(cell) for cell in row)
        )
    return result

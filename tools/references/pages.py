"""Generate the pages about commands, configuration and events from the code."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.cli import get_docs_for_click
from typer.main import get_command
from typer.models import Context

from pbem.cli.app import app
from pbem.config import Config
from pbem.domain.log import events, league_events
from pbem.durations import duration_words, in_short
from tools.references.man import manual
from tools.references.outputs import by_command, shown

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
GENERATED = "<!-- Generated from the code by `make references`. -->\n\n"
WITH_OUTPUTS = ("disputes.md", "runbook.md")
"""Pages written by hand in which the program fills the outputs of commands."""


def pages() -> dict[str, Callable[[], str]]:
    """Return a function for the text of each page, by its name in docs/."""
    return {
        "cli.md": lambda: GENERATED + commands(),
        "configuration.md": lambda: GENERATED + configuration(),
        "dev/events.md": lambda: GENERATED + event_types(),
        "man/pbem.1": manual,
        **{name: partial(_with_blocks, name) for name in WITH_OUTPUTS},
    }


def _with_blocks(name: str) -> str:
    return shown((DOCS / name).read_text(encoding="utf-8"))


def commands() -> str:
    """Return the page about all commands and options, with the texts of `--help`."""
    command = get_command(app)
    text = get_docs_for_click(obj=command, ctx=Context(command), name="pbem", title="Command line")
    noise = r"\* `--(install|show)-completion`:.*\n|\* `--help`: Show this message and exit\.\n"
    text = re.sub(r"^\x08\n(Example:)\n  ", r"\1\n\n    ", text, flags=re.MULTILINE)
    text = re.sub(r"\*\*Options\*\*:\n\n(?=\n|#|\*\*)", "", re.sub(noise, "", text)).strip() + "\n"
    return with_outputs(text)


def with_outputs(text: str) -> str:
    """Append to each section the output of its command in a test installation."""
    parts = re.split(r"^(#+ `pbem .+`)$", text, flags=re.MULTILINE)
    titles, bodies = parts[1::2], parts[2::2]
    blocks = by_command([title.strip("# `") for title in titles])
    sections = (
        f"{title}{body.rstrip()}\n\n**Output**:\n\n{block}\n"
        if (block := blocks.get(title.strip("# `")))
        else title + body
        for title, body in zip(titles, bodies, strict=True)
    )
    return parts[0] + "".join(sections).rstrip() + "\n"


def configuration() -> str:
    """Return the page about all sections and keys of the configuration, with their defaults."""
    lines = [
        "# Configuration",
        "",
        "The configuration is one TOML file. [config.example.toml](../config.example.toml) explains each key.",
        "Environment variables such as `PBEM_SMTP__HOST` override it.",
        "",
    ]
    for name, field in Config.model_fields.items():
        for section in _models(field.annotation):
            named = f"{name}.NAME" if typing.get_origin(field.annotation) is Mapping else name
            optional = named != name or type(None) in typing.get_args(field.annotation)
            lines += [f"## [{named}]", "", _sentence(section.__doc__)]
            lines[-1] += " Optional." if optional else ""
            lines += ["", "| key | default | allowed | meaning |", "| --- | --- | --- | --- |"]
            descriptions = _docstrings(section)
            lines += [
                f"| `{item.alias or key}` | {_default(item)} | {allowed(item)} |"
                f" {_sentence(descriptions[key])} |"
                for key, item in section.model_fields.items()
            ]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _docstrings(section: type[BaseModel]) -> dict[str, str]:
    """Return the docstring below each key of a section.

    Pydantic can do this too, but would read them at each start of the program.
    """
    descriptions: dict[str, str] = {}
    for model in reversed(section.__mro__):
        if issubclass(model, BaseModel) and model is not BaseModel:
            (tree,) = ast.parse(inspect.getsource(model)).body
            assert isinstance(tree, ast.ClassDef)
            for key, below in pairwise(tree.body):
                match key, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(text))),
                    ):
                        descriptions[name] = inspect.cleandoc(text)
    return descriptions


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    for annotation_ in (annotation, *typing.get_args(annotation)):
        if isinstance(annotation_, type) and issubclass(annotation_, BaseModel):
            yield annotation_


def allowed(field: FieldInfo) -> str:
    """Describe the allowed values of a setting: `1 to 1000`, `1m or more`, or empty for any."""
    limits: dict[str, str] = {}
    for constraint in field.metadata:
        for name in ("ge", "gt", "le"):
            value = getattr(constraint, name, None)
            if value is not None:
                is_time = isinstance(value, timedelta)
                limits[name] = in_short(int(value.total_seconds())) if is_time else f"{value}"
    minimum = limits.get("ge") or (f"more than {limits['gt']}" if "gt" in limits else "")
    if "le" in limits:
        return (
            f"{minimum} to {limits['le']}" if "ge" in limits else f"{minimum}, up to {limits['le']}"
        )
    return f"{minimum} or more" if minimum else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "must be given"
    value = field.get_default(call_default_factory=True)
    if value is None or value == () or value in ("", b""):
        return "–"
    if isinstance(value, timedelta):
        return duration_words(int(value.total_seconds())) if value else "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{list(value) if isinstance(value, tuple) else value}`"


def event_types() -> str:
    """Return the page about all events, their fields, and when hidden fields are opened."""
    lines = [
        "# Events",
        "",
        "[log-format.md](log-format.md) describes how events are stored and hashed. A field that is not public is",
        "part of the event's secret. It is opened at the end of the game, or never, so that it can be erased.",
        "",
        "The number after a name is the `schema_version` of new events of that type. Types are Python's: in JSON",
        "`str` is a string, `int` an integer (never `true` or `false`), `bool` is `true` or `false`, `None` is null,",
        "`tuple[T, ...]` a list of any length, `dict[str, T]` an object, `datetime` a time as in the log,",
        "`JsonValue` any JSON value, and `OptionValue` a `bool`, an `int`, a `str` or a list of `int`.",
        "",
    ]
    of_a_league = typing.get_args(league_events.LeagueEvent)
    for event in (*typing.get_args(events.Event), *of_a_league):
        if event is of_a_league[0]:
            lines += ["# Events of a league", "", "Each league is a separate stream.", ""]
        lines += [f"## {event.__name__} · {events.SCHEMA_VERSIONS.get(event.__name__, 1)}", ""]
        text, descriptions = _docstring(event)
        lines += [text, ""]
        if fields(event):
            lines += ["| field | type | opened | meaning |", "| --- | --- | --- | --- |"]
            closed = events.closed_words(event)
            lines += [
                _field_row(field, descriptions.get(field.name, ""), is_closed=field.name in closed)
                for field in fields(event)
            ]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _field_row(field: Field[object], said: str, *, is_closed: bool) -> str:
    opens = {"game_end": "at the end", "never": "never"}.get(
        field.metadata.get("opens", ""), "public"
    )
    kind = "str" if is_closed else str(field.type).replace("|", "or")
    return f"| `{field.name}` | {kind} | {opens} | {said} |"


def _docstring(event: type) -> tuple[str, dict[str, str]]:
    """Split a docstring into its text and the descriptions of the fields."""
    text, _, attributes = inspect.cleandoc(event.__doc__ or "").partition("\nAttributes:\n")
    names = "|".join(field.name for field in fields(event))
    parts = re.split(rf"(?:^|[;\n])\s*`?({names})`?: ", attributes) if names else [""]
    descriptions = {
        name: _sentence(description)
        for name, description in zip(parts[1::2], parts[2::2], strict=True)
    }
    return _sentence(text), descriptions


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")

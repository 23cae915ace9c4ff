"""Helpers for commands: terminal, options, prompts, files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.pager import SystemPager
from rich.segment import Segment
from rich.text import Text

from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.plain import clean, printable

if TYPE_CHECKING:
    from rich.status import Status


class _Screen(Console):
    """A console that replaces control characters in text from files and messages."""

    def print(self, *objects: Any, **styles: Any) -> None:  # noqa: ANN401  (as rich takes them)
        """Remove the progress line, then print."""
        waiting.end()
        super().print(*objects, **styles)

    def render_str(self, text: str, **styles: Any) -> Text:  # noqa: ANN401  (as rich takes them)
        """Render a text without control characters."""
        return super().render_str(printable(text), **styles)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Render any object without control characters, including objects that are not strings."""
        for segment in super().render(renderable, options):
            is_ours = segment.control or segment.text.isprintable()
            yield segment if is_ours else segment._replace(text=printable(segment.text))


class _Waiting:
    """The progress line on a terminal. It appears after a second."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._status: Status | None = None

    def begin(self, words: str) -> None:
        """Show a progress text after a second, or at once if the line is visible."""
        with self._lock:
            if self._status is not None:
                self._status.update(words)
            elif err.is_terminal:
                self._status = err.status(words)
                timer = Timer(1.0, self._appear, [self._status])
                timer.daemon = True
                timer.start()

    def _appear(self, status: Status) -> None:
        with self._lock:
            if status is self._status:
                status.start()

    def end(self) -> None:
        """Remove the progress line."""
        with self._lock:
            status, self._status = self._status, None
        if status is not None:
            status.stop()


waiting = _Waiting()
out = _Screen(markup=False)
err = _Screen(stderr=True, markup=False)

# --- options --------------------------------------------------------------------------------------

ReasonOption = Annotated[str, typer.Option(help="Reason, shown to every player.")]
RulesetOptions = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="Game option as NAME=VALUE; repeatable.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]


def pair(text: str, form: str) -> tuple[str, str]:
    """Parse NAME=VALUE. The error message shows the expected `form`. Raises: Refusal."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise Refusal("setup", f"{text!r} is not of the form {form}")
    return name.strip(), value.strip()


def option_values(texts: list[str] | None) -> dict[str, bool | int | str | list[int]]:
    """Parse NAME=VALUE. Numbers, booleans and lists are JSON. Other values are strings.

    Raises: Refusal.
    """
    values = {}
    for name, value in (pair(text, "--option NAME=VALUE") for text in texts or []):
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return values


def duration(text: str, option: str = "") -> timedelta:
    """Parse `3d` or `36h`. `option` is mentioned in the error. Raises: Refusal."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise Refusal("time", f"{option}: {error}" if option else str(error)) from None


# --- words ----------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Print an unwrapped line that may contain players' text, keeping its indentation."""
    indent = text[: len(text) - len(text.lstrip())]
    out.print(Text(indent + clean(text)), soft_wrap=True)


def complain(message: str, kind: str = "error", helpful_command: str = "") -> None:
    """Print an error or a warning without wrapping, so that a path in it can be copied.

    Args:
        helpful_command: a command that helps.
    """
    word = Text(f"{kind}:", "bold red" if kind == "error" else "bold yellow")
    err.print(word, message, markup=False, highlight=False, soft_wrap=True)
    if helpful_command:
        err.print(f"next:  {helpful_command}", markup=False, highlight=False, soft_wrap=True)


def report_error(
    message: str,
    *,
    as_json: bool,
    rule: str | None = None,
    usage: str = "",
    helpful_command: str = "",
    **details: object,
) -> None:
    """Print why a command failed: JSON on stdout, or text on stderr.

    Args:
        rule: ID of the game rule that the request breaks.
        usage: syntax of the command, which is not in the JSON.
        helpful_command: a command that helps.
        details: further keys of the JSON object.
    """
    if as_json:
        more = details | ({"next": helpful_command} if helpful_command else {})
        print_json({"ok": False, "error": message, "rule": rule, **more})
    else:
        words = f"{rule}: {message}" if rule else message
        complain(f"{words}\n{usage}" if usage else words, helpful_command=helpful_command)


def print_json(data: object) -> None:
    """Print a value as a line of ASCII JSON.

    It can contain times, dates, paths and dataclasses. Control characters are escaped, so that a
    message or file cannot control the terminal.
    """
    text = json.dumps(data, ensure_ascii=True, default=_plain).replace("\x7f", "\\u007f")
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def warn(message: str) -> None:
    """Print a warning. The command continues."""
    complain(message, "warning")


def progress(what: str, units: str) -> Callable[[int], None]:
    """Return a callback that shows how many units are done, on a terminal only.

    Args:
        what: the work.
        units: the unit in the plural, such as `games`.
    """
    waiting.begin(f"{what} …")
    return lambda done: waiting.begin(f"{what}: {done} {units}")


@contextmanager
def paged() -> Iterator[None]:
    """Use a pager ($PAGER, or less) on a terminal for output that does not fit."""
    if not (out.is_terminal and sys.stdin.isatty()):
        yield
        return
    with out.capture() as kept:
        yield
    text = kept.get()
    if text.count("\n") < out.height:
        out.file.write(text)
        out.file.flush()
    else:
        os.environ.setdefault("LESS", "FRX")
        SystemPager().show(text)


def minute(at: datetime | None) -> str:
    """Format a time to the minute, or empty for None."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def second(at: datetime | None) -> str:
    """Format a time to the second, or empty for None."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"


def shown_message_id(message_id: str) -> str:
    """Return a shortened Message-ID for display.

    The whole ID would be as powerful as a reply address.
    """
    local, _, domain = message_id.partition("@")
    return f"{local[:8]}…@{domain}"


def counted(count: int, singular: str) -> str:
    """Return a number with a noun in singular or plural: `1 game`, `2 games`."""
    return f"{count} {singular}" if count == 1 else f"{count} {singular}s"


def kilobytes(mail: bytes) -> int:
    """Return the size of a message in kilobytes, rounded up.

    The exact size could reveal a hidden card, because a 10 is longer than a K.
    """
    return -(-len(mail) // 1000)


# --- questions ------------------------------------------------------------------------------------


def is_confirmed(question: str) -> bool:
    """Ask for confirmation of an irreversible action. Without a terminal, return True."""
    waiting.end()
    return not sys.stdin.isatty() or typer.confirm(question, err=True)


def ask_reason(reason: str | None) -> str | None:
    """Prompt for a missing reason at a terminal."""
    waiting.end()
    if reason is None and sys.stdin.isatty():
        return str(typer.prompt("Why? Every player will read it", err=True))
    return reason


def ask_passphrase(file: Path | None, *, is_new: bool) -> str:
    """Read a passphrase from a file, or prompt for it at a terminal. Raises: Refusal."""
    waiting.end()
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise Refusal("file", f"{file}: cannot be read") from None
    if not sys.stdin.isatty():
        raise Refusal(
            "passphrase",
            "There is no terminal here to ask for the passphrase. Write it into a file that only you can"
            " read, and name that: --passphrase-file FILE.",
        )
    return str(
        typer.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new, err=True)
    ).strip()


# --- files ----------------------------------------------------------------------------------------


def read_bytes(file: Path) -> bytes:
    """Read a file completely. Raises: Refusal."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def require_free(file: Path) -> None:
    """Check that a file does not exist and can be created. Raises: Refusal."""
    if file.exists():
        raise Refusal("file", f"{file} exists already; nothing was overwritten.")
    require_folder(file)


def require_folder(file: Path) -> None:
    """Check that a file's folder exists and is writable. Raises: Refusal."""
    if not os.access(file.absolute().parent, os.W_OK):
        raise Refusal("file", f"{file}: its folder is not there, or cannot be written.")


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout unchanged."""
    waiting.end()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write(file: Path, data: bytes) -> None:
    """Write a file, replacing an older version. Raises: Refusal."""
    try:
        file.write_bytes(data)
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None


def write_private(file: Path, data: bytes) -> None:
    """Create a file that only its owner can read. Raises: Refusal."""
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise Refusal("file", f"{file}: {error.strerror}") from None

"""Test the frame around commands and their lazy loading."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Annotated

import pytest
import typer
from click.testing import Result
from rich.text import Text
from typer.main import get_command
from typer.testing import CliRunner

from pbem.cli import common
from pbem.cli.app import COMMANDS, HEADINGS, app
from pbem.cli.common import _Screen, print_json
from pbem.cli.frame import Opens, Shown, commands, table
from pbem.cli.game import CLOCK, LOOK, TABLE
from pbem.errors import LogError, Refusal
from tests.cli.test_commands import LEAVES

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Fruit:
    apples: Annotated[int, typer.Option(help="How many.")] = 1
    pears: Annotated[int, typer.Option("--plums", help="How many.")] = 2


class Basket:
    is_open = False


basket = Basket()


@contextmanager
def opened(path: Path | None) -> Iterator[Basket]:
    basket.is_open = True
    yield basket
    basket.is_open = False


small = commands()


@small.command()
def count(held: Annotated[Basket, Opens(opened)], fruit: Fruit, fail: str = "") -> Shown | None:
    """Count."""
    assert held.is_open
    if fail == "refusal":
        raise Refusal("fruit", "no fruit", rule="GEN-1")
    if fail == "log":
        raise LogError("broken", version=7)
    if fail == "nothing":
        return None
    rows = [{"name": "apples", "count": fruit.apples}, {"name": "pears", "count": fruit.pears}]
    shown = table("Fruit", ("name", "count"), [("apples", fruit.apples), ("pears", None)])
    return Shown(rows, "Counted:", shown, problems=["rotten"], code=3)


def run(*args: str) -> Result:
    return CliRunner().invoke(small, args)


@pytest.mark.parametrize(("fail", "words"), [("refusal", "GEN-1: no fruit"), ("log", "broken")])
def test_what_goes_wrong_on_purpose_is_said(fail: str, words: str) -> None:
    said = run("--fail", fail)
    assert (said.exit_code, said.stdout, said.stderr) == (1, "", f"error: {words}\n")
    told = json.loads(run("--fail", fail, "--json").stdout)
    assert told["ok"] is False
    assert told.get("event") == (7 if fail == "log" else None)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_names_what_is_there(name: str) -> None:
    """A module, a sentence of its own, and nothing in a module of single commands is left out."""
    module, line = COMMANDS[name]
    assert line[0].isupper()
    assert line.endswith(".")
    root = get_command(app)
    found = root.get_command(typer.Context(root), name)
    assert (found.name, found.short_help) == (name, line)
    group = get_command(import_module(f"pbem.cli.{module}").app)
    if name not in getattr(group, "commands", {name: found}):
        assert (name,) not in LEAVES
    elif hasattr(group, "commands"):
        assert {n for n, (of, _) in COMMANDS.items() if of == module} == set(group.commands)


@pytest.mark.parametrize("width", [80, 120])
def test_lists_of_commands_are_whole(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under headings, each with one sentence that is not cut off, in the width of the terminal."""
    monkeypatch.setenv("COLUMNS", str(width))
    for args, headings in (([], HEADINGS), (["game"], (LOOK, TABLE, CLOCK)), (["mail"], ())):
        said = CliRunner().invoke(app, [*args, "--help"], prog_name="pbem").output
        assert [one for one in headings if f"\n{one}:\n" not in said] == []
        assert "..." not in said.replace("[ARGS]...", "")
        assert max(map(len, said.splitlines())) <= width


def on_a_terminal(*args: str, lines: int = 24, **env: str) -> str:
    """Run `pbem` on a terminal; gives all that it wrote there."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (lines, 80))
    wanted = {"TERM": "xterm-256color", "HOME": "/nowhere", "PATH": os.environ["PATH"], **env}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem.cli.app", *args],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=wanted,
    ) as ran:  # fmt: skip
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the other end is closed
            while read := os.read(ours, 65536):
                said += read
    os.close(ours)
    assert ran.returncode in (0, 1, 2)
    return said.decode()


def test_what_is_longer_than_the_terminal_goes_through_the_pager() -> None:
    shorter, longer = "rules --players 0 x", "rules phalanx"
    assert "paged> " not in on_a_terminal(*shorter.split(), PAGER="sed 's/^/paged> /'")
    said = on_a_terminal(*longer.split(), PAGER="sed 's/^/paged> /'")
    assert [line for line in said.splitlines() if not line.startswith("paged> ")] == []
    assert "paged> " not in on_a_terminal(*longer.split(), lines=5000, PAGER="sed 's/^/paged> /'")


def test_colours_are_few_and_can_be_switched_off() -> None:
    """On a terminal the word `error:` has one; with NO_COLOR nothing has."""
    said = on_a_terminal("game", "shwo")
    plain = re.sub("\x1b\\[[0-9;]*m", "", said.partition("error:")[0])
    assert (plain, said.count("\x1b[") <= 3) == ("", True), said
    said = on_a_terminal("rules", "whist", NO_COLOR="1")
    assert re.findall("\x1b\\[[0-9;]*3[0-9]m", said) == []


@pytest.mark.parametrize(
    ("args", "unwanted"),
    [
        (["--help"], ["pbem.cli.common", "rich", "pydantic", "sqlalchemy"]),
        (["receive", "--help"], ["pbem.serving", "pbem.service.runner", "aiosmtpd", "apscheduler"]),
        (
            ["game", "list"],
            ["pbem.cli.game", "pbem.serving", "pbem.mail_out", "jinja2", "aiosmtpd", "alembic"],
        ),
        (["simulate", "--help"], ["pbem.bootstrap", "sqlalchemy", "pbem.store"]),
    ],
    ids=" ".join,
)
def test_a_command_imports_only_what_it_uses(args: list[str], unwanted: list[str]) -> None:
    code = (
        "import sys\nfrom pbem.cli.app import app\n"
        "try: app(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, check=True, cwd=ROOT, text=True
    )
    loaded = ran.stdout.splitlines()[-1].split()
    assert [name for name in unwanted if name in loaded] == []


UNSEEN = [
    *("\x1b]0;evil\x07", "\x9b2J", "\x00", "\x7f", "\r", "\x08"),
    *(
        "\u202e",
        "\u2066",
        "\u200f",
        "\u061c",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u2028",
        "\u00ad",
        "\U000e0041",
    ),
]


@pytest.mark.parametrize("way", ["line", "Text", "cell", "title", "error"])
def test_no_unseen_character_reaches_a_terminal(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Control characters, direction marks and zero-width characters are escaped in every output."""
    for evil in UNSEEN:
        written = StringIO()
        screen = _Screen(file=written, width=80, markup=False, color_system=None)
        monkeypatch.setattr(common, "out", screen)
        monkeypatch.setattr(common, "err", screen)
        word = f"an{evil}na"
        match way:
            case "line":
                common.say(word)
            case "Text":
                screen.print(Text(word))
            case "cell":
                screen.print(table("t", ("a", "b"), [(word, Text(word))]))
            case "title":
                screen.print(table(word, ("a",), [("x",)]))
            case _:
                common.complain(word, helpful_command=word)
        assert "na" in written.getvalue()
        assert not set(evil) - set("]0;evil2J") & set(written.getvalue())


def test_json_is_printable_and_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for evil in UNSEEN:
        print_json({"name": f"an{evil}na", evil: 1})
        text = capsys.readouterr().out
        assert text.rstrip("\n").isascii()
        assert text.rstrip("\n").isprintable()
        assert json.loads(text) == {"name": f"an{evil}na", evil: 1}


@pytest.mark.parametrize("as_json", [False, True])
def test_a_log_line_is_printable(capsys: pytest.CaptureFixture[str], *, as_json: bool) -> None:
    code = (
        "from pbem import logs; import structlog;"
        f"logs.configure('info', as_json={as_json});"
        "structlog.get_logger().info('a\\x9b2Jb', who='an\\u202ena', deep=[{'x': '\\x1b[2J'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    text = done.stderr.decode().strip()
    assert "an" in text
    assert not set("\x1b\x9b\u202e") & set(text)

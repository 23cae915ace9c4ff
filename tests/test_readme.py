"""Test the README's first commands, and links, commands, options and targets of all pages."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from pbem.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
_FIRST_HOUR = README + (ROOT / "docs/mailbox.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"^```sh\n(.*?)^```", _FIRST_HOUR, re.MULTILINE | re.DOTALL)
PBEM = [
    line.split("  #")[0].strip().removeprefix(".venv/bin/")
    for line in [
        *(line for block in _BLOCKS for line in block.splitlines()),
        *re.findall(r"`(pbem [^`]+)`", _FIRST_HOUR),
    ]
    if "pbem " in line[:15]
]
INITS = [line for line in PBEM if line.startswith("pbem init ")]


@pytest.mark.parametrize("line", INITS)
def test_the_first_commands_run_as_they_stand(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`init`, the backup of the keys and the first game, in this order; nothing is sent yet."""
    monkeypatch.chdir(tmp_path)
    if "--listen" not in line:  # at a terminal one is asked for it
        (tmp_path / "password").write_text("secret")
        line += " --imap-password-file password"
    runner = CliRunner()
    (tmp_path / "passphrase").write_text("correct horse battery staple")
    after = [found for word in ("key backup", "game new") for found in PBEM if f" {word} " in found]
    for command in [line, *dict.fromkeys(after)]:
        more = ["--passphrase-file", "passphrase"] if " key " in command else []
        result = runner.invoke(app, [*shlex.split(command)[1:], *more])
        assert result.exit_code == 0, result.output
    assert (tmp_path / "keys.json").exists()
    listed = runner.invoke(app, ["game", "list", "--json"])
    assert "phyliss" in listed.output


DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
DOCS += [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "cli.md"]
_OTHER_PROGRAMS = ("pbem  unix",)  # lines of a configuration of Postfix


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    """Links lead somewhere; commands and their options exist; so do the targets of make."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert target.startswith("https://") or (page.parent / target).exists(), target
    for target in re.findall(r"`make ([a-z-]+)", text):
        assert re.search(rf"^{target}:", _MAKEFILE, re.MULTILINE), target
    blocks = "\n".join(re.findall(r"```\w*\n(.*?)```", text, re.DOTALL))
    lines = [
        *re.findall(r"`(pbem [^`]+)`", text),
        *re.findall(r"^(pbem .*)$", blocks, re.MULTILINE),
    ]
    for line in lines:
        if not line.startswith(_OTHER_PROGRAMS):
            assert unknown_in(line) == set(), line


@cache
def program() -> Any:
    return get_command(app)


def unknown_in(line: str) -> set[str]:
    """Return what a line with a command has that the program does not know."""
    words = shlex.split(line.partition("  #")[0].replace("|", " "))[1:]
    command = program()
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.get_command(typer.Context(command), words[0]), words[1:]
    known = {name for parameter in command.params for name in parameter.opts}
    known |= {"--help", "--install-completion"}
    given = {word.partition("=")[0] for word in words if word.startswith("-")}
    strange = words[:1] if getattr(command, "commands", None) else []
    return (given - known) | set(strange) - known

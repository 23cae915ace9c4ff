"""README and documentation are true: commands, options, targets and files exist."""

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
_CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_FIRST_HOUR = README + _CONTRIBUTING + (ROOT / "docs/mailbox.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"^```sh\n(.*?)^```", _FIRST_HOUR, re.MULTILINE | re.DOTALL)
LINES = [line.split("  #")[0].strip() for block in _BLOCKS for line in block.splitlines()]
_SPOKEN = re.findall(r"`((?:pbem|make) [^`]+)`", _FIRST_HOUR)
_INSTALL = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
_INSTALLED = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", _INSTALL, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
_AS_THE_SERVICE = "sudo -u pbem /opt/pbem/bin/"
_IN_CONTAINER = re.compile(r"docker compose (?:run --rm|exec pbem) (pbem .+)")
_OF_CONTAINERS = tuple(f"docker compose {word}" for word in ("build", "up -d", "stop ", "cp "))
_BY_ROOT = (
    *("python3 -m venv /opt/pbem", "/opt/pbem/bin/pip install ", "/opt/pbem/bin/pbem demo"),
    *(
        "cp docs/systemd/",
        "install -d ",
        "install -D ",
        "chown ",
        "chmod ",
        "systemctl ",
        "systemd-sysusers",
    ),
)
PBEM = [
    line.removeprefix(".venv/bin/")
    for line in [*LINES, *_SPOKEN, *_INSTALLED]
    if "pbem " in line[:15] and not line.startswith(("pipx ", "sudo "))
]
MAKE = [line for line in [*LINES, *_SPOKEN] if line.startswith("make ")]
INITS = [line for line in PBEM if line.startswith("pbem init ")]


def test_all_lines_of_its_blocks_are_known() -> None:
    known = ("git clone ", "make ", ".venv/bin/pbem ")
    assert [line for line in LINES if not line.startswith(known)] == []
    assert len(INITS) == 3


@pytest.mark.parametrize("line", sorted(set(PBEM)))
def test_a_command_and_its_options_exist(line: str) -> None:
    assert unknown_in(line) == set()


def test_what_the_page_on_installing_runs_is_known() -> None:
    known = ("pbem ", "pipx install ", _AS_THE_SERVICE, *_BY_ROOT, *_OF_CONTAINERS)
    others = [line for line in _INSTALLED if not line.startswith(known)]
    inside = [found[1] for line in others if (found := _IN_CONTAINER.fullmatch(line))]
    assert len(inside) == len(others)
    assert [unknown_in(line) for line in inside] == [set()] * len(others)
    for line in _INSTALLED:
        if line.startswith(_AS_THE_SERVICE):
            assert unknown_in(line.removeprefix(_AS_THE_SERVICE)) == set(), line
        for file in re.findall(r"docs/systemd/\S+", line):
            assert (ROOT / file).is_file(), line


def test_the_pages_say_what_the_unit_does() -> None:
    """The program, its configuration and its user; whoever stops the service closes the door first."""
    unit = (ROOT / "docs/systemd/pbem.service").read_text(encoding="utf-8")
    for page in (
        _INSTALL,
        *(
            (ROOT / "docs" / name).read_text()
            for name in ("admin.md", "receiving.md", "runbook.md")
        ),
    ):
        assert "/usr/bin/pbem" not in page
        for stop in re.findall(r"systemctl stop ([a-z. ]*)", page):
            assert stop.split() == ["pbem.socket", "pbem.service"]
    for place in ("/opt/pbem/bin/pbem", "/etc/pbem/pbem.toml"):
        assert place in unit
        assert place in _INSTALL


@pytest.mark.parametrize("line", sorted(set(MAKE)))
def test_a_target_exists(line: str) -> None:
    assert re.search(rf"^{line.split()[1]}:", _MAKEFILE, re.MULTILINE)


def test_every_page_is_in_the_index() -> None:
    """And everything that README and CONTRIBUTING link to is there."""
    listed = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    for page in DOCS:
        name = page.relative_to(ROOT / "docs").as_posix()
        is_inside = name.startswith(("rules/", "dev/transcripts/")) or name == "index.md"
        assert is_inside or f"]({name})" in listed, name
    for target in re.findall(r'(?:\]\(|src=")([^)"]+)', README + _CONTRIBUTING):
        assert (ROOT / target.partition("#")[0]).exists(), target


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


def test_the_pictures_are_small() -> None:
    sizes = [file.stat().st_size for file in (ROOT / "docs/pictures").rglob("*.*")]
    assert max(sizes) < 150_000
    assert sum(sizes) < 2_000_000


DOCS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "cli.md"]
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

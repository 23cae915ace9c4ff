"""Test the Containerfile without a container engine; `make fresh` runs it in a Debian."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from pbem.cli.app import app
from tools.container import Image, instructions

ROOT = Path(__file__).parents[1]
LINES = instructions((ROOT / "Containerfile").read_text(encoding="utf-8"))


def test_its_entry_and_health_check_are_commands_of_ours(tmp_path: Path) -> None:
    """What the image runs exists, and what it copies is there."""
    image = Image(tmp_path, ROOT)
    for instruction, rest in LINES:
        if instruction not in ("RUN", "COPY"):
            image.instruct(instruction, rest)
    (start,) = [rest for instruction, rest in LINES if instruction == "CMD"]
    assert image.entry == image.checked[:1] == ["pbem"]
    for command in (image.checked[1], start.strip('[]"')):
        told = CliRunner().invoke(app, [command, "--help"])
        assert told.exit_code == 0, command
    assert image.user == "pbem"
    assert image.env["PATH"].startswith("/opt/pbem/bin:")
    unit = (ROOT / "docs/systemd/pbem.service").read_text(encoding="utf-8")
    assert f"Environment=MALLOC_ARENA_MAX={image.env['MALLOC_ARENA_MAX']}\n" in unit
    assert all((ROOT / rest.split()[0]).exists() for what, rest in LINES if what == "COPY")


def test_what_is_locked_is_installed_as_it_is() -> None:
    """A lock file is whole: pip resolves nothing, so that a new release of a package breaks nothing."""
    for name in ("Makefile", "Containerfile"):
        text = (ROOT / name).read_text(encoding="utf-8")
        locked = [line for line in text.splitlines() if "--require-hashes" in line]
        assert locked
        assert all(" --no-deps " in line for line in locked), name

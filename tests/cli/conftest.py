"""Fixtures that run the command line with a separate configuration and database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import typer.testing
from click.testing import Result
from typer.main import get_command
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.clock import SystemClock
from pbem.config import load_config
from pbem.service.clock import downtime
from pbem.service.core import live_database
from pbem.store.seal import keyring
from tests.databases import RING, sqlite_store
from tests.service.conftest import Table, copied, make_table

KEY = "6b" * 32  # the key of `make_table`, in hex
CONFIG = """
[database]
url = "sqlite:///pbem.sqlite3"
keys_file = "pbem.keys"
[service]
address = "game@play.example.org"
key_file = "pbem.key"
[smtp]
host = "127.0.0.1"
port = 2526
security = "none"
"""
# Cache the commands: the runner rebuilds all of them for each call, which takes longer than most commands.
typer.testing._get_command = cache(get_command)  # type: ignore[attr-defined]
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Shell:
    """Runs `pbem` in this process, in a folder with pbem.toml and a migrated database."""

    folder: Path
    table: Table

    @property
    def config(self) -> Path:
        return self.folder / "pbem.toml"

    def serve(self) -> None:
        """Record signs of life in the database, as if a `pbem serve` were running."""
        live_database.note(self.table.service)
        downtime.beat(self.table.service)

    def run(self, *args: str, config: bool = True, stdin: bytes | None = None) -> Result:
        named = ("--config", str(self.config)) if config else ()
        # The command uses the table's clock, so that tests do not depend on the time of day.
        with patch.object(SystemClock, "now", lambda _: self.table.clock.now()):
            return CliRunner().invoke(app, [*args, *named], input=stdin)

    def done(self, *args: str) -> str:
        """Run a command, check that it succeeds, and return its output."""
        result = self.run(*args)
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return _COLOURS.sub("", result.stdout)

    def json(self, *args: str) -> Any:
        """Run a command with --json and check that it succeeds.

        Returns the printed value, or a list of values if it printed several lines.
        """
        values = [json.loads(line) for line in self.done(*args, "--json").splitlines()]
        return values[0] if len(values) == 1 else values

    def refused(self, *args: str, code: int = 1, config: bool = True) -> str:
        """Run a command and check that it fails with an error on stderr, no stdout and no traceback.

        Runs it again with --json and checks that it exits with the same code and, if that is 1,
        prints the error as one JSON object. Returns the error.
        """
        result = self.run(*args, config=config)
        text = _COLOURS.sub("", result.stderr)
        assert result.exit_code == code, result.output
        assert "Traceback" not in text
        assert result.stdout == ""
        assert text.strip()
        again = self.run(*args, "--json", config=config)
        assert again.exit_code == code
        if code == 1:
            said = json.loads(again.stdout)
            assert said["ok"] is False
            assert said["error"]
        return " ".join(text.split())


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run without PBEM_ variables, in an empty working directory.

    It does not use the fixture `monkeypatch`, which would prevent the use of templates for tables.
    """
    import os  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patches:
        for name in list(os.environ):
            if name.startswith("PBEM_"):
                patches.delenv(name)
        patches.setenv("COLUMNS", "200")
        patches.chdir(tmp_path_factory.mktemp("elsewhere"))
        yield


@pytest.fixture
def shell(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shell]:
    file = tmp_path / "pbem.toml"
    file.write_text(CONFIG, encoding="utf-8")
    (tmp_path / "pbem.key").write_text(KEY, encoding="utf-8")
    keyring.write(tmp_path / "pbem.keys", RING)
    with sqlite_store(tmp_path) as store:
        table = make_table(store)
        key = load_config(file, {}).service.key
        table.service = replace(table.service, tokens=replace(table.service.tokens, keys=(key,)))
        yield Shell(tmp_path, copied(table, request))

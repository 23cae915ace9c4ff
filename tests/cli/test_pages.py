"""`pbem pages`: build from nothing, and a look on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.show.games import play

SECTION = '\n[pages]\nfolder = "out"\nurl = "https://cards.example.org/"\n'


@pytest.fixture
def with_pages(shell: Shell) -> Shell:
    file = shell.folder / "pbem.toml"
    file.write_text(file.read_text(encoding="utf-8") + SECTION, encoding="utf-8")
    return shell


def test_build_says_what_it_did(with_pages: Shell) -> None:
    """Twice the same: the second time nothing is written."""
    game = play(with_pages.table, "phyliss", 2, 4)
    result = with_pages.run("pages", "build", "--json")
    assert json.loads(result.stdout) == {"ok": True, "games": 1, "files": 5, "changed": 5}
    assert (with_pages.folder / "out" / "game" / f"{game.id}.html").is_file()
    assert "5 files for 1 game; 0 changed." in with_pages.run("pages", "build").output


def test_without_the_section_it_says_what_to_add(shell: Shell) -> None:
    for command in ("build", "serve"):
        result = shell.run("pages", command)
        assert result.exit_code == 1
        assert "add a section [pages]" in result.output


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310
            return answer.status, answer.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_serve_shows_them_on_this_machine(with_pages: Shell) -> None:
    """Pages and feeds with their types; no list of a folder, nothing hidden."""
    with_pages.run("pages", "build")
    config = str(Path(with_pages.folder / "pbem.toml"))
    command = ["pages", "serve", "--port", "0", "--json", "--config", config]
    with subprocess.Popen([sys.executable, "-m", "pbem", *command], stdout=-1) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        try:
            assert url.startswith("http://127.0.0.1:")
            assert get(url) == (200, "text/html")
            assert get(f"{url}feed.xml") == (200, "application/atom+xml")
            for hidden in (".lock", "game/", "../pbem.toml", "%2e%2e/pbem.toml"):
                assert get(url + hidden)[0] == 404
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

"""Test `pbem pages`: a full build, and serving pages on this machine."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

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


@contextmanager
def serving(shell: Shell) -> Iterator[str]:
    """Run `pbem pages serve`, yield its URL, and check that it ends without a traceback."""
    command = ["pages", "serve", "--port", "0", "--json", "--config", str(shell.config)]
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *command], stdout=-1, stderr=-1
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.send_signal(signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(20) == 0


def get(url: str, path: str, host: str | None = None) -> tuple[int, str]:
    """Request a path without normalising it, and return the status and the content type.

    Checks that robots are asked not to index the answer.
    """
    place = url.removeprefix("http://").rstrip("/")
    connection = http.client.HTTPConnection(place, timeout=10)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", place if host is None else host)
    connection.endheaders()
    with closing(connection):
        answer = connection.getresponse()
        assert answer.headers["X-Robots-Tag"] == "noindex"
        return answer.status, answer.headers["Content-Type"]


HIDDEN = (
    *("/.lock", "/game/", "/../pbem.toml", "/%2e%2e/pbem.toml", "/.secret", "/%2esecret"),
    *("/%2Esecret?x", "/x/..%2f.secret", "/x/%2e%2e/%2esecret", "/%00", "/index.html%00"),
    *("/%ed%a0%80", "/%ff", "/" + "a" * 5000, "//[x"),
)


def test_serve_shows_pages_and_nothing_else(with_pages: Shell) -> None:
    """Pages and feeds have their types. Hidden files, folders and other host names are refused."""
    with_pages.run("pages", "build")
    (with_pages.folder / "out" / ".secret").write_text("x")
    with serving(with_pages) as url:
        assert url.startswith("http://127.0.0.1:")
        port = url.rstrip("/").rpartition(":")[2]
        assert get(url, "/") == get(url, "/index.html?x=1") == (200, "text/html")
        assert get(url, "/feed.xml") == (200, "application/atom+xml")
        assert get(url, "/index.html", f"localhost:{port}")[0] == 200
        for path in HIDDEN:
            assert get(url, path)[0] == 404, path
        for host in ("evil.example.org", f"evil.example.org:{port}", "127.0.0.1", ""):
            assert get(url, "/index.html", host)[0] == 421, host
